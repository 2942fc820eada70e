"""Messages that pages send on the socket, and bodies of requests (docs/lookup/protocol.md). Unknown fields are refused."""

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
CredentialId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,1400}\\Z")]  # of a passkey, in base64 for addresses
CredentialPart = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,12000}\\Z")]  # bytes from an authenticator, likewise
ProfileKey = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}\\Z")]  # 32 random bytes, in base64 for addresses
OptionalKey = Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{43})?\\Z")]  # "": without a profile
HostKey = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,128}\\Z")]  # of the server's host, not of a table's
Livery = Literal["a", "b", "c", "d", "e", "f", "g"]
Pace = Literal["live", "none"]
ComplaintReason = Literal["chat", "name", "stalling", "cheating", "other"]
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


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who plays a seat of a new table."""

    kind: Literal["person", "computer"]
    level: Annotated[str, Meta(max_length=32)] = ""
    name: Annotated[str, Meta(max_length=32)] = ""
    open: bool = False  # anyone with the code of the table may take it


class GameWish(msgspec.Struct, forbid_unknown_fields=True):
    """A game with house rules: the body of `POST /api/check`."""

    game: Annotated[str, Meta(max_length=64)]
    preset: Annotated[str, Meta(max_length=64)] = ""
    options: HouseRules = {}


class MendWish(GameWish, forbid_unknown_fields=True):
    """House rules to mend: the body of `POST /api/mendings`. wishes: as for `bridgehead tune --wish`; boards: may they change?"""

    wishes: Annotated[str, Meta(min_length=1, max_length=200)] = "fair"
    boards: bool = False


class ClockWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clocks: a reminder after `nudge` seconds, a `bank` of seconds that gains `increment` with each turn, or `days` a turn."""

    nudge: Annotated[int, Meta(ge=0, le=604_800)] = 0
    bank: Annotated[int, Meta(ge=0, le=604_800)] = 0
    increment: Annotated[int, Meta(ge=0, le=86_400)] = 0
    days: Literal[0, 1, 2, 3, 7, 14] = 0
    stand_in: bool = False  # among more than two sides, a computer plays for a seat whose bank is empty


class NewTable(GameWish, forbid_unknown_fields=True):
    """The body of `POST /api/tables`. seed: deals in place of sealed chance; level: the level of sealed chance.

    typed: people type the results of real dice and cards. Then the server draws nothing, so nothing can be sealed.
    public: anybody may find the running game in the lobby and watch it.
    """

    seats: Annotated[list[SeatWish], Meta(max_length=16)] = []
    record: Annotated[str, Meta(max_length=65_536)] = ""  # continue this record or link
    at: Annotated[int, Meta(ge=0, le=2**31)] | None = None  # from its position after this many actions; by default after all
    seed: Annotated[int, Meta(ge=0, le=2**62)] | Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    level: Literal[1, 2] = 1
    typed: bool = False
    clock: ClockWish | None = None
    public: bool = False


class Mine(msgspec.Struct, forbid_unknown_fields=True):
    """A table that a browser knows, with the tokens of its seats there."""

    table: TableId
    tokens: Annotated[list[Token], Meta(max_length=8)] = []


class MineWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/mine`."""

    tables: Annotated[list[Mine], Meta(max_length=20)]


class HolidayWish(MineWish, forbid_unknown_fields=True):
    """The body of `POST /api/holidays`: days off for the seats of these tokens; 0: they are back."""

    days: Annotated[int, Meta(ge=0, le=28)]


class ReminderWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/reminders`. id: of a known reminder, "" for a new one; target: a mail address, or a push
    subscription as JSON; discreet: leave out the game and the names; off: switch it off; tables: those of more seats.
    """

    id: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}\\Z")] = ""
    kind: Literal["mail", "push"] = "mail"
    target: Annotated[str, Meta(max_length=2000)] = ""
    discreet: bool | None = None
    off: bool = False
    tables: Annotated[list[Mine], Meta(max_length=20)] = []


class PlanWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/tables/TABLE/plan`: the token of a seat. record: to keep, a record with variations, or a link."""

    token: Token
    do: Literal["show", "keep", "clear"] = "show"
    record: Annotated[str, Meta(max_length=1_000_000)] = ""


class ProfileAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of requests about one's own profile: its key."""

    key: ProfileKey


class ProfileWish(ProfileAsked, forbid_unknown_fields=True):
    """A profile to make or to change. colour: a livery (`tokens.css`); picture: the number of its picture."""

    name: Annotated[str, Meta(max_length=32)]
    colour: Livery = "a"
    picture: Annotated[int, Meta(ge=0, lt=1000)] = 0


class ProfileRenewal(ProfileAsked, forbid_unknown_fields=True):
    """A new key for a profile. The old one ends, on all devices."""

    fresh: ProfileKey


class PasskeyAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The key of a profile whose passkeys are asked about; "": to sign in with one."""

    key: Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{43})?\\Z")] = ""


class PasskeyAdded(ProfileAsked, forbid_unknown_fields=True):
    """A new passkey, as a browser has made it, in base64 for addresses.

    handle: the user handle, which the page has drawn; id: of the credential; client: the client data.
    """

    handle: ProfileKey
    id: CredentialId
    client: CredentialPart
    attestation: CredentialPart


class PasskeyUsed(msgspec.Struct, forbid_unknown_fields=True):
    """The answer of a passkey to a challenge, in base64 for addresses. authenticator: the authenticator data."""

    handle: ProfileKey
    id: CredentialId
    client: CredentialPart
    authenticator: CredentialPart
    signature: CredentialPart


class PasskeyRemoval(ProfileAsked, forbid_unknown_fields=True):
    """A passkey to remove from a profile."""

    id: CredentialId


class ProfileSeats(ProfileAsked, forbid_unknown_fields=True):
    """Seats of a table, by their tokens, that the person with this profile plays.

    browser: a random text that the browser keeps. The server stores what follows from it and the table's id.
    """

    table: TableId
    tokens: Annotated[list[Token], Meta(min_length=1, max_length=8)]
    browser: OptionalKey = ""


class BlockWish(ProfileAsked, forbid_unknown_fields=True):
    """Block another profile, or end that. profile: "" only asks for those that are blocked."""

    profile: Annotated[str, Meta(pattern="^[A-Z]{0,22}\\Z")] = ""
    blocked: bool = True


class ComplaintWish(msgspec.Struct, forbid_unknown_fields=True):
    """A report to the host about the person at a seat, by somebody who has another seat there."""

    tokens: Annotated[list[Token], Meta(min_length=1, max_length=8)]
    about: Annotated[int, Meta(ge=0, le=15)]
    reason: ComplaintReason
    text: Annotated[str, Meta(max_length=300)] = ""


class OpponentWish(msgspec.Struct, forbid_unknown_fields=True):
    """Wait for an opponent. pace: a live clock or none; name: without a profile; key: of a profile, "" without one."""

    game: Annotated[str, Meta(max_length=64)]
    pace: Pace = "live"
    name: Annotated[str, Meta(max_length=32)] = ""
    key: OptionalKey = ""


class OpponentAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of requests about one's own wait: its secret."""

    wait: Token


class TournamentWish(GameWish, forbid_unknown_fields=True):
    """A new tournament. size: seats of a table, 0 for the usual number; rounds: 0 for as many as it needs.

    paired: each table plays as many games as it has seats, so that everybody sits in each seat; minutes: of an arena;
    live: the dice are sealed at level 2; appear: minutes to come to a table, 0 for any time. With days for each turn it is 0.
    aids: hints and takebacks are allowed.
    """

    name: Annotated[str, Meta(max_length=32)] = ""
    kind: Literal["round_robin", "swiss", "knock_out", "arena"] = "swiss"
    size: Annotated[int, Meta(ge=0, le=8)] = 0
    rounds: Annotated[int, Meta(ge=0, le=50)] = 0
    paired: bool = False
    minutes: Annotated[int, Meta(ge=0, le=1440)] = 60
    clock: ClockWish | None = None
    live: bool = False
    appear: Annotated[int, Meta(ge=0, le=1440)] = 10
    aids: bool = False


HostToken = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}\\Z")]


class EntrantWish(msgspec.Struct, forbid_unknown_fields=True):
    """A new entrant of a tournament: a person, perhaps with the key of a profile, or by the host a level of the computer."""

    name: Annotated[str, Meta(max_length=32)]
    level: Annotated[str, Meta(max_length=32)] = ""
    key: OptionalKey = ""
    host: HostToken = ""


class TournamentAct(msgspec.Struct, forbid_unknown_fields=True):
    """A change of a tournament. do: "leave" by an entrant's token or the host's; all others by the host's.

    "decide" gives the points of a table's game, in the order of its seats. entrants: several who leave at once, by the host.
    """

    do: Literal["start", "leave", "decide", "close"]
    host: HostToken = ""
    token: HostToken = ""
    entrant: Annotated[int, Meta(ge=0, lt=10_000)] = 0
    entrants: Annotated[list[Annotated[int, Meta(ge=0, lt=10_000)]], Meta(max_length=200)] = []
    table: Annotated[str, Meta(max_length=32)] = ""
    points: Annotated[list[Annotated[float, Meta(ge=0, le=1)]], Meta(max_length=8)] = []


class ClassAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request for all tables, by the key of the server's host.

    known: by table, the stamp of what the page shows; boards: the names of the boards that it has.
    """

    key: HostKey
    known: Annotated[dict[TableId, Annotated[str, Meta(max_length=64)]], Meta(max_length=100)] = {}
    boards: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=100)] = []


class ClassAct(msgspec.Struct, forbid_unknown_fields=True):
    """What the server's host does at all tables. k: a message that is sent again with its key is said once."""

    key: HostKey
    do: Literal["pause", "resume", "say"]
    k: Key = "0" * 32
    text: Annotated[str, Meta(max_length=300)] = ""


class TimesWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request for thinking times: the host's token, or "" when the game is over."""

    host: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}\\Z")] = ""


class Stroke(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/games/GAME/edit`: a board or the name of a starting board, a tool, and the ids that it touched."""

    board: Any = None
    start: Annotated[str, Meta(max_length=40)] = ""
    tool: Annotated[str, Meta(max_length=40)] = ""
    touch: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=4)] = []  # or what was typed: a list of cards


class StudyStroke(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/study` and of the requests below it: a record or a link, a place in it, and an edit.

    at: the number of actions, as `12`; in a variation as `12.0.3`; `last`. do: "" shows the place; the others edit. action: to
    play; text: the comment; touch: one field to circle, or two for an arrow, or what was touched; colour: of what is drawn, ""
    is green. fresh: the page has nothing yet.
    """

    record: Annotated[str, Meta(max_length=1_000_000)]
    at: Annotated[str, Meta(max_length=400)] = "last"
    do: Literal["", "play", "comment", "draw", "clear", "delete", "promote"] = ""
    action: Annotated[int, Meta(ge=0, lt=1 << 31)] = 0
    text: Annotated[str, Meta(max_length=20_000)] = ""
    touch: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=8)] = []
    colour: Literal["", "red", "blue", "yellow"] = ""
    fresh: bool = False


class BookWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/book`: a place in a record or a link, as in `StudyStroke`.

    players: whose actions count: "" everybody's; "person" people's; a level: its own and those of stronger ones.
    """

    record: Annotated[str, Meta(max_length=1_000_000)]
    at: Annotated[str, Meta(max_length=400)] = "last"
    players: Annotated[str, Meta(max_length=40)] = ""


class PositionDraft(msgspec.Struct, forbid_unknown_fields=True):
    """A position that people set up, as `Stroke.board`: house rules, and its text ("": the first position)."""

    rules: HouseRules = {}
    position: str = ""


class NetworkWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/network`. secret: only the page that the command opened has it; open: or close."""

    secret: Annotated[str, Meta(max_length=64)]
    open: bool = True


class QrWish(msgspec.Struct, forbid_unknown_fields=True):
    """A text to draw as a QR code."""

    text: Annotated[str, Meta(min_length=1, max_length=1500)]


decode_message = msgspec.json.Decoder(ClientMessage).decode
