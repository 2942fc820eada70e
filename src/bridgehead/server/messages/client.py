"""What may be said on the socket and in requests (docs/protocol.md), strictly typed: unknown fields are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from bridgehead.core.phrases import languages

# \Z and not $, which allows a line's end after what it ends
Key = Annotated[str, Meta(pattern="^[0-9a-f]{32}\\Z")]
TableId = Annotated[str, Meta(pattern="^[A-Z0-9]{1,32}\\Z")]
Token = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}\\Z")]
GameId = Key
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]
Seat = Annotated[int, Meta(ge=0, le=255)]
if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[languages()]
Thing = Annotated[str, Meta(max_length=64)]


class Hello(msgspec.Struct, tag="hello", tag_field="t", forbid_unknown_fields=True):
    """The first message: which table, which seats (by their tokens), which language.

    last, mark: `v` and `mark` of the newest view that was seen, if any. plain: of the actions in its views it wants no more
    than their ids and notation; brief: nor does it want sentences, or what is there to be shown as movement.
    """

    p: Literal[1]
    table: TableId
    tokens: Annotated[list[Token], Meta(max_length=8)] = []
    lang: Language = "en"
    last: Annotated[int, Meta(ge=0, lt=2**31)] = 0
    mark: Annotated[str, Meta(max_length=16)] = ""
    host: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}\\Z")] = ""
    plain: bool = False
    brief: bool = False


class Act(msgspec.Struct, tag="act", tag_field="t", forbid_unknown_fields=True):
    """An action chosen in the view of version `v`."""

    k: Key
    v: Annotated[int, Meta(ge=0)]
    a: Annotated[int, Meta(ge=0, lt=2**31)]


class Undo(msgspec.Struct, tag="undo", tag_field="t", forbid_unknown_fields=True):
    """Take back my last decision."""

    k: Key
    v: Annotated[int, Meta(ge=0)]


class Ask(msgspec.Struct, tag="ask", tag_field="t", forbid_unknown_fields=True):
    """Ask the others at the table for something, seen in the view of version `v`."""

    k: Key
    v: Annotated[int, Meta(ge=0)]
    what: Literal["takeback", "pause", "resume", "draw", "resign"]


class Answer(msgspec.Struct, tag="answer", tag_field="t", forbid_unknown_fields=True):
    """Agree to what was asked in the event of version `about`, or refuse it."""

    k: Key
    about: Annotated[int, Meta(ge=0)]
    yes: bool


class Withdraw(msgspec.Struct, tag="withdraw", tag_field="t", forbid_unknown_fields=True):
    """Ask no longer for what was asked in the event of version `about`."""

    k: Key
    about: Annotated[int, Meta(ge=0)]


class Lag(msgspec.Struct, tag="lag", tag_field="t", forbid_unknown_fields=True):
    """The number that the server has sent, at once: so it knows how long the line is."""

    n: Annotated[int, Meta(ge=0, lt=2**53)]


class Why(msgspec.Struct, tag="why", tag_field="t", forbid_unknown_fields=True):
    """Why may these things not be touched, in this order, now?"""

    k: Key
    touch: Annotated[list[Thing], Meta(min_length=1, max_length=8)]


class Hint(msgspec.Struct, tag="hint", tag_field="t", forbid_unknown_fields=True):
    """What would a strong player do in the view of version `v`, and why?"""

    k: Key
    v: Annotated[int, Meta(ge=0)]


class Seating(msgspec.Struct, tag="seat", tag_field="t", forbid_unknown_fields=True):
    """Who is to sit on a seat from now on (`deciding`)."""

    k: Key
    seat: Annotated[int, Meta(ge=0, lt=16)]
    do: Literal["claim", "computer", "back", "substitute", "open", "leave", "revoke", "name"]
    level: Annotated[str, Meta(max_length=32)] = ""
    name: Annotated[str, Meta(max_length=32)] = ""


class House(msgspec.Struct, tag="house", tag_field="t", forbid_unknown_fields=True):
    """What the host changes: whether it is in the lobby, chat, whether spectators may write, hints, where turns are told."""

    k: Key
    listed: bool | None = None
    chat: bool | None = None
    watchers: bool | None = None
    hints: bool | None = None
    webhook: Annotated[str, Meta(max_length=300)] | None = None


class Rematch(msgspec.Struct, tag="rematch", tag_field="t", forbid_unknown_fields=True):
    """The same game again, with rotated seats."""

    k: Key


class Say(msgspec.Struct, tag="say", tag_field="t", forbid_unknown_fields=True):
    """Something said: a text, or one of the quick reactions; to all, or to the own team."""

    k: Key
    text: Annotated[str, Meta(max_length=300)] = ""
    react: Annotated[str, Meta(max_length=16)] = ""
    channel: Literal["all", "team"] = "all"


class Point(msgspec.Struct, tag="point", tag_field="t", forbid_unknown_fields=True):
    """Look there: for the own team, or for all where there are no teams."""

    at: Thing


class Ping(msgspec.Struct, tag="ping", tag_field="t", forbid_unknown_fields=True):
    """Is the line alive?"""

    n: Annotated[int, Meta(ge=0, lt=2**53)]


class SeatHead(msgspec.Struct, forbid_unknown_fields=True):
    """What a seat commits to: the head of its chain."""

    seat: Seat
    head: Hash


class SeatLink(msgspec.Struct, forbid_unknown_fields=True):
    """A link that a seat reveals."""

    seat: Seat
    n: Annotated[int, Meta(ge=1, le=1024)]
    value: Hash


class Seal(msgspec.Struct, tag="seal", tag_field="t", forbid_unknown_fields=True):
    """The heads of my seats' chains, for the era of that id. source: 0 made by a person's page, 2 by another program."""

    k: Key
    gid: GameId
    heads: Annotated[list[SeatHead], Meta(min_length=1, max_length=8)]
    source: Literal[0, 2] = 0


class Reveal(msgspec.Struct, tag="reveal", tag_field="t", forbid_unknown_fields=True):
    """Links of my seats: the first for an era of level 1; at level 2 the next, for its event e."""

    k: Key
    gid: GameId
    links: Annotated[list[SeatLink], Meta(min_length=1, max_length=8)]
    e: Annotated[int, Meta(ge=0, lt=2**20)] = 0


class Begin(msgspec.Struct, tag="begin", tag_field="t", forbid_unknown_fields=True):
    """Do not wait for seats that have not sealed the era of that id: the server makes their part."""

    k: Key
    gid: GameId


Sealing = Seal | Reveal | Begin
Change = Act | Undo | Ask | Answer | Withdraw | Seating | House | Rematch | Sealing  # what may change a table, and is confirmed
Message = Hello | Change | Lag | Why | Hint | Say | Point | Ping


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who is to sit on a seat of a new table."""

    kind: Literal["person", "computer"]
    level: Annotated[str, Meta(max_length=32)] = ""
    name: Annotated[str, Meta(max_length=32)] = ""
    open: bool = False  # whoever comes by the table's code may take it


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """A game under house rules: what `POST /api/check` asks about."""

    game: Annotated[str, Meta(max_length=64)]
    preset: Annotated[str, Meta(max_length=64)] = ""
    options: dict[str, Any] = {}


class ClockWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clocks, in seconds: either a reminder (`nudge`), or a `bank` a seat that each turn's end fills by `increment`."""

    nudge: Annotated[int, Meta(ge=0, le=604_800)] = 0
    bank: Annotated[int, Meta(ge=0, le=604_800)] = 0
    increment: Annotated[int, Meta(ge=0, le=86_400)] = 0


class NewTable(Wish, forbid_unknown_fields=True):
    """What `POST /api/tables` asks for. seed: deals instead of sealed chance; level: of that."""

    seats: Annotated[list[SeatWish], Meta(max_length=16)] = []
    record: Annotated[str, Meta(max_length=65_536)] = ""  # begin with that of this record or link
    at: Annotated[int, Meta(ge=0, le=2**31)] | None = None  # its first actions; none: all
    seed: Annotated[int, Meta(ge=0, le=2**62)] | Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    level: Literal[1, 2] = 1
    clock: ClockWish | None = None


class Mine(msgspec.Struct, forbid_unknown_fields=True):
    """A table that a browser knows, with the seats it holds there."""

    table: TableId
    tokens: Annotated[list[Token], Meta(max_length=8)] = []


class MineWish(msgspec.Struct, forbid_unknown_fields=True):
    """What `POST /api/mine` asks about."""

    tables: Annotated[list[Mine], Meta(max_length=20)]


class TimesWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who asks how long the seats of a table took: its host's token, or "" when the game is over."""

    host: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}\\Z")] = ""


class QrWish(msgspec.Struct, forbid_unknown_fields=True):
    """A text to be shown as a QR code."""

    text: Annotated[str, Meta(min_length=1, max_length=1500)]


decode_message = msgspec.json.Decoder(Message).decode
