"""Messages that pages send on the socket (docs/lookup/protocol.md). Unknown fields are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from bridgehead.core.phrases import languages

# \Z and not $, which would allow a line break at the end.
Key = Annotated[str, Meta(pattern="^[0-9a-f]{32}\\Z")]
TableId = Annotated[str, Meta(pattern="^[A-Z0-9]{1,32}\\Z")]
Token = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}\\Z")]
GameId = Key
EraNumber = Annotated[int, Meta(ge=1, lt=2**32)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]
Seat = Annotated[int, Meta(ge=0, le=255)]
if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[languages()]
Thing = Annotated[str, Meta(max_length=64)]
SeatChange = Literal["claim", "computer", "back", "substitute", "open", "leave", "revoke", "name"]
HouseRules = dict[str, Any]  # by name; each game's own `Options` struct checks them
Phase = Literal["waiting", "playing", "paused", "over"]  # of a table's game: chance has to act, a seat has to act, ...
Role = Literal["watcher", "seat", "host"]  # of a page; each is a watcher, too
PLAYING: frozenset[Phase] = frozenset({"playing"})
RUNNING: frozenset[Phase] = frozenset({"waiting", "playing", "paused"})
ALWAYS: frozenset[Phase] = frozenset({*RUNNING, "over"})
SEATED: frozenset[Role] = frozenset({"seat"})
ANYBODY: frozenset[Role] = frozenset({"watcher"})


class Message(msgspec.Struct, tag_field="t", forbid_unknown_fields=True):
    """Base of the messages of pages. The dispatcher lets a message pass only in its phases and from its senders."""

    phases: ClassVar[frozenset[Phase]] = PLAYING
    senders: ClassVar[frozenset[Role]] = SEATED


class Hello(Message, tag="hello"):
    """The first message: which table, which seats (by their tokens), which language.

    last, mark: `v` and `mark` of the newest view that the page has. plain: legal actions are sent as ids and notation only.
    brief: views have no sentences and no movements.
    """

    phases: ClassVar[frozenset[Phase]] = ALWAYS
    senders: ClassVar[frozenset[Role]] = ANYBODY

    p: Literal[1]
    table: TableId
    tokens: Annotated[list[Token], Meta(max_length=8)] = []
    lang: Language = "en"
    last: Annotated[int, Meta(ge=0, lt=2**31)] = 0
    mark: Annotated[str, Meta(max_length=16)] = ""
    host: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}\\Z")] = ""
    plain: bool = False
    brief: bool = False


class PlayAction(Message, tag="act"):
    """An action chosen in the view of version `v`."""

    phases: ClassVar[frozenset[Phase]] = frozenset({"waiting", "playing"})
    senders: ClassVar[frozenset[Role]] = frozenset({"seat", "host"})  # the host, where people type the draws

    k: Key
    v: Annotated[int, Meta(ge=0)]
    a: Annotated[int, Meta(ge=0, lt=2**31)]


class UndoAction(Message, tag="undo"):
    """Undo my last decision, or the last draw, if people type the draws and nobody has decided since."""

    phases: ClassVar[frozenset[Phase]] = frozenset(
        {"waiting", "playing", "over"}
    )  # over: a typed draw that ended the game can be corrected
    senders: ClassVar[frozenset[Role]] = frozenset({"seat", "host"})

    k: Key
    v: Annotated[int, Meta(ge=0)]


class MakeProposal(Message, tag="ask"):
    """Propose something to the others at the table, in the view of version `v`."""

    phases: ClassVar[frozenset[Phase]] = RUNNING

    k: Key
    v: Annotated[int, Meta(ge=0)]
    what: Literal["takeback", "pause", "resume", "draw", "resign"]


class AnswerProposal(Message, tag="answer"):
    """Accept or decline the proposal of the event of version `about`."""

    phases: ClassVar[frozenset[Phase]] = RUNNING

    k: Key
    about: Annotated[int, Meta(ge=0)]
    yes: bool


class WithdrawProposal(Message, tag="withdraw"):
    """Withdraw the proposal of the event of version `about`."""

    phases: ClassVar[frozenset[Phase]] = RUNNING

    k: Key
    about: Annotated[int, Meta(ge=0)]


class AnswerProbe(Message, tag="lag"):
    """Echo of the server's number, to measure the round trip."""

    phases: ClassVar[frozenset[Phase]] = ALWAYS
    senders: ClassVar[frozenset[Role]] = ANYBODY

    n: Annotated[int, Meta(ge=0, lt=2**53)]


class ExplainRefusal(Message, tag="why"):
    """Ask why these things cannot be touched now, in this order."""

    phases: ClassVar[frozenset[Phase]] = ALWAYS
    senders: ClassVar[frozenset[Role]] = ANYBODY

    k: Key
    touch: Annotated[list[Thing], Meta(min_length=1, max_length=8)]


class ShowPast(Message, tag="past"):
    """Ask for the board before the action `first` of the log, and after each one up to `until` (excluded)."""

    phases: ClassVar[frozenset[Phase]] = ALWAYS
    senders: ClassVar[frozenset[Role]] = ANYBODY

    k: Key
    first: Annotated[int, Meta(ge=0, lt=2**31)]
    until: Annotated[int, Meta(ge=0, lt=2**31)]


class GiveHint(Message, tag="hint"):
    """Request a hint for the view of version `v`: the choice of a strong player, with reasons.

    stop: end the search for the hint that this page waits for.
    """

    k: Key
    v: Annotated[int, Meta(ge=0)]
    stop: bool = False


class ChangeSeat(Message, tag="seat"):
    """Change the player of a seat. `rooms.permissions` checks the page's right to do so."""

    phases: ClassVar[frozenset[Phase]] = RUNNING
    senders: ClassVar[frozenset[Role]] = ANYBODY

    k: Key
    seat: Annotated[int, Meta(ge=0, lt=16)]
    do: SeatChange
    level: Annotated[str, Meta(max_length=32)] = ""
    name: Annotated[str, Meta(max_length=32)] = ""


class ChangeSettings(Message, tag="house"):
    """Change the host's settings: listing in the lobby, watching by anybody, chat, chat for spectators, hints, the webhook."""

    phases: ClassVar[frozenset[Phase]] = ALWAYS
    senders: ClassVar[frozenset[Role]] = frozenset({"host"})

    k: Key
    listed: bool | None = None
    public: bool | None = None
    chat: bool | None = None
    watchers: bool | None = None
    hints: bool | None = None
    webhook: Annotated[str, Meta(max_length=300)] | None = None


class StartRematch(Message, tag="rematch"):
    """Start the same game again, with rotated seats. step: each computer plays one level lower, the same, or one higher."""

    phases: ClassVar[frozenset[Phase]] = frozenset({"over"})

    k: Key
    step: Literal[-1, 0, 1] = 0


class SendChat(Message, tag="say"):
    """Send a text or a quick reaction to everyone, or to the own team."""

    phases: ClassVar[frozenset[Phase]] = ALWAYS
    senders: ClassVar[frozenset[Role]] = ANYBODY

    k: Key
    text: Annotated[str, Meta(max_length=300)] = ""
    react: Annotated[str, Meta(max_length=16)] = ""
    channel: Literal["all", "team"] = "all"


class PointAt(Message, tag="point"):
    """Point at a place on the board, for the sender's team; for everyone if there are no teams."""

    phases: ClassVar[frozenset[Phase]] = ALWAYS

    at: Thing


class Ping(Message, tag="ping"):
    """Check that the connection is alive."""

    phases: ClassVar[frozenset[Phase]] = ALWAYS
    senders: ClassVar[frozenset[Role]] = ANYBODY

    n: Annotated[int, Meta(ge=0, lt=2**53)]


class HeadOfSeat(msgspec.Struct, forbid_unknown_fields=True):
    """The commitment of a seat: the head of its hash chain."""

    seat: Seat
    head: Hash


class LinkOfSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A link of its hash chain that a seat reveals."""

    seat: Seat
    value: Hash


class SealSeats(Message, tag="seal"):
    """Commit my seats to the heads of their chains in an era. source: 0 a person's page, 2 another program."""

    phases: ClassVar[frozenset[Phase]] = RUNNING

    k: Key
    gid: GameId
    era: EraNumber
    heads: Annotated[list[HeadOfSeat], Meta(min_length=1, max_length=8)]
    source: Literal[0, 2] = 0


class RevealLinks(Message, tag="reveal"):
    """Reveal links of my seats: the first of the era (e is -1), or those for event `e` (level 2)."""

    phases: ClassVar[frozenset[Phase]] = RUNNING

    k: Key
    gid: GameId
    era: EraNumber
    links: Annotated[list[LinkOfSeat], Meta(min_length=1, max_length=8)]
    e: Annotated[int, Meta(ge=-1, lt=2**20)] = -1


class CompleteSealing(Message, tag="begin"):
    """Stop waiting for seats that have not sealed or opened an era. The server seals for them."""

    phases: ClassVar[frozenset[Phase]] = RUNNING

    k: Key
    gid: GameId
    era: EraNumber


Sealing = SealSeats | RevealLinks | CompleteSealing
# Messages that may change a table. The server confirms or rejects each.
Change = (
    PlayAction
    | UndoAction
    | MakeProposal
    | AnswerProposal
    | WithdrawProposal
    | ChangeSeat
    | ChangeSettings
    | StartRematch
    | Sealing
)
ClientMessage = Hello | Change | AnswerProbe | ExplainRefusal | ShowPast | GiveHint | SendChat | PointAt | Ping


decode_message = msgspec.json.Decoder(ClientMessage).decode
