"""Messages that the server sends on the socket. Bodies and answers of HTTP requests are in a module a feature.

`tools/protocol_schema.py` generates docs/lookup/protocol.schema.json and /api/schema.json from these structs and those of
`client`. The server constructs every message as its struct, so mypy checks each field; the tests check real traffic against
the schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bridgehead.core.scene import Face, Item, MovementTrace, Picture
from bridgehead.players.advice import Assessment
from bridgehead.server.messages.client import SeatChange
from bridgehead.server.messages.sealing import DrawView, SealedView

T = TypeVar("T")
Version = Annotated[int, Meta(ge=0, description="number of events of the table")]
Sentence = Annotated[str, Meta(description="a sentence in the language of the hello")]
Clause = Annotated[str, Meta(description="a clause of the rulebook, or empty")]
Actor = Annotated[int, Meta(ge=-2, description="a seat; -1 chance; -2 the game is over")]
SeatKind = Literal["person", "computer"]
SeatState = Literal["here", "away", "left", "free", "computer"]
OthersChange = Literal["computer", "substitute", "open"]
RejectionCode = Literal["stale", "illegal", "turn", "closed", "rate", "bad", "storage", "internal"]
GoodbyeCode = Literal["hello", "table", "token", "behind", "game", "rate", "restart"]

if TYPE_CHECKING:

    class Encoded(Generic[T]):
        """The JSON of a T, encoded once and embedded in many messages."""

else:

    class Encoded:
        """msgspec and the schema treat Encoded[T] as T."""

        def __class_getitem__(cls, kind: object) -> object:
            return kind


def encode_now(value: T) -> Encoded[T]:
    """Encode a value now, to embed its JSON in messages later."""
    raw: Any = msgspec.Raw(msgspec.json.encode(value))
    embedded: Encoded[T] = raw
    return embedded


class SeatView(msgspec.Struct):
    """A seat in the strip of seats on the screen. name: the person's, else the colour; colour: its name; seat: the livery."""

    name: str
    letter: str
    colour: str
    seat: str
    kind: SeatKind
    level: str
    here: bool
    lines: tuple[str, ...]
    late: bool | UnsetType = UNSET


class ProposalView(msgspec.Struct):
    """A proposal at a table: the version of its event, the proposing seat, the seats concerned, the seats that must answer."""

    v: Version
    what: str
    seat: int
    seats: list[int]
    open: bool
    need: list[int]
    text: Sentence


class ClockView(msgspec.Struct):
    """The clocks at the moment of the view: a reminder, a bank for each seat with the milliseconds left in it, or days a turn.

    due: milliseconds that the seat to act has left; off: those of each seat's holiday, 0 without one; stock: the days off that
    each seat may still take this year.
    """

    running: int | None
    elapsed: int
    nudge: int | UnsetType = UNSET
    bank: int | UnsetType = UNSET
    increment: int | UnsetType = UNSET
    left: list[int] | UnsetType = UNSET
    days: int | UnsetType = UNSET
    due: int | UnsetType = UNSET
    off: list[int] | UnsetType = UNSET
    stock: list[int] | UnsetType = UNSET


class LogLine(msgspec.Struct):
    """A line of the log: the turn from 1, the actor, the sentence; "" if the action only declined something."""

    n: int
    actor: Actor
    text: Sentence


class RecentTurn(msgspec.Struct):
    """What a seat did in a turn, in a few words without its name. first, until: its actions in the log, the last one excluded.

    marks: where each of its moves began and ended, as in `View.last`.
    """

    seat: int
    first: int
    until: int
    text: Sentence
    marks: list[list[str]]


class PastAction(msgspec.Struct):
    """The board after an action of the log: the action's sentence, what it moved, and where it began and ended."""

    sentence: Sentence
    items: list[Item]
    traces: list[MovementTrace]
    last: list[str]


class OutcomeView(msgspec.Struct):
    """How a game ended."""

    reason: str
    clause: Clause
    text: Sentence
    winners: list[int]


Tone = Literal["won", "lost", "drawn", "seen"]


class Rank(msgspec.Struct):
    """A seat at the end: its place (0 if nobody won), and how far it was from winning, in the game's own measure."""

    seat: int
    place: int
    text: Sentence


class EndView(msgspec.Struct, omit_defaults=True):
    """The end from the viewer's point of view. tone: for the one seat of the page, else "seen"; ranks: from first to last.

    way: the winning way: the fields of the piece that ended the game, from where it began; piece: its id. Absent if the game
    ended otherwise.
    """

    headline: Sentence
    tone: Tone
    ranks: list[Rank]
    way: list[str] = []
    piece: str = ""


class GoalView(msgspec.Struct):
    """What the reader's seat has to reach, and the rules in short."""

    text: Sentence
    short: list[Sentence]


class Patch(msgspec.Struct):
    """The difference between the items of two views: ids of removed items, and new or changed items with their indexes."""

    gone: list[str]
    put: Annotated[list[tuple[int, Item]], Meta(description="in the order of their places in the whole list")]


class LegalAction(msgspec.Struct):
    """A legal action as a screen offers it (`scene.Choice`). A plain page receives only its id and its notation."""

    action: int
    text: str
    label: Sentence | UnsetType = UNSET
    path: tuple[str, ...] | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    note: Sentence | UnsetType = UNSET
    first: bool | UnsetType = UNSET
    confirm: Sentence | UnsetType = UNSET
    ghost: Item | UnsetType = UNSET


class View(msgspec.Struct, tag="view", tag_field="t", kw_only=True):
    """A table as one viewer sees it. Sent after hello and after every change."""

    v: Version
    since: Version
    moved: Version
    table: str
    game: str
    title: str
    names: list[str]
    you: list[int]
    seats: list[SeatView]
    actor: Actor
    thinking: bool
    items: Encoded[list[Item]] | UnsetType = UNSET
    patch: Patch | UnsetType = UNSET
    rules: Sentence
    prompt: Sentence
    log: list[LogLine]
    last: list[str]
    traces: list[MovementTrace]
    undo: bool
    outcome: OutcomeView | None
    ending: EndView | UnsetType = UNSET
    recent: Annotated[list[RecentTurn] | UnsetType, Meta(description="what the others did since the page's last turn")] = UNSET
    may: list[str] | UnsetType = UNSET
    ask: ProposalView | UnsetType = UNSET
    paused: Sentence | UnsetType = UNSET
    clock: ClockView | UnsetType = UNSET
    mark: Annotated[str, Meta(description="belongs to `v`: proves that the server sent this version")]
    picture: Encoded[Picture] | UnsetType = UNSET
    goal: Encoded[GoalView] | UnsetType = UNSET
    logFrom: int | UnsetType = UNSET
    actions: Annotated[
        list[int] | UnsetType, Meta(description="the actions of the log from `logFrom` on, where chance is sealed")
    ] = UNSET
    sealed: SealedView | UnsetType = UNSET
    draws: Annotated[list[DrawView] | UnsetType, Meta(description="chance events just dealt, with their proof")] = UNSET
    preparing: Annotated[bool | UnsetType, Meta(description="its computer players are compiled and cannot play yet")] = UNSET
    hints: Annotated[bool | UnsetType, Meta(description="the player to act may ask for a hint")] = UNSET
    buttons: dict[str, str] | UnsetType = UNSET
    choices: Encoded[list[LegalAction]] | UnsetType = UNSET
    faces: Annotated[
        Encoded[list[Face]] | UnsetType, Meta(description="what a real die or card can show; the page may type it (`act`)")
    ] = UNSET
    mistyped: Annotated[bool | UnsetType, Meta(description="the page may correct the last typed draw (`undo`)")] = UNSET


class LagProbe(msgspec.Struct, tag="lag", tag_field="t"):
    """Measures the round trip to the page whose clock runs. The page sends the number back at once."""

    n: int


class Ack(msgspec.Struct, tag="ack", tag_field="t"):
    """The change is made and stored in the log."""

    k: str
    v: Version


class ReasonView(msgspec.Struct):
    """Why something is not allowed: a sentence, its clause, and the things on the board to point at."""

    text: Sentence
    clause: Clause
    show: list[str]


class Rejection(ReasonView, tag="rej", tag_field="t", kw_only=True):
    """The request is refused. Nothing has changed."""

    k: str
    code: RejectionCode
    v: Version


class WhyNot(ReasonView, tag="why", tag_field="t", kw_only=True):
    """The answer to `why`: why these things cannot be touched now."""

    k: str


class Advice(Assessment, tag="hint", tag_field="t", kw_only=True):
    """The answer to `hint`, for the position in the view of version `v`."""

    k: str
    v: Version


class Recalled(msgspec.Struct, tag="past", tag_field="t", kw_only=True):
    """The answer to `past`: the board before the first of these actions, and after each of them."""

    k: str
    actions: list[PastAction]


class Goodbye(msgspec.Struct, tag="bye", tag_field="t"):
    """The last message before the server closes the socket. With `retry`, reconnect after that many milliseconds."""

    code: GoodbyeCode
    text: Sentence
    stray: list[int] | UnsetType = UNSET
    retry: Annotated[int, Meta(ge=0)] | UnsetType = UNSET


class Pong(msgspec.Struct, tag="pong", tag_field="t"):
    """The answer to a ping."""

    n: int


class Vote(msgspec.Struct):
    """Votes about a seat whose person is away: the change they ask for, the seats that voted, and the number of votes needed."""

    do: OthersChange
    level: str
    by: list[int]
    of: int


class SeatPresence(msgspec.Struct):
    """The presence of a seat's person, the seconds of absence, and this page's rights over the seat.

    named: it has a name of its own, not just its letter; profile: that of its person, "" without one.
    """

    state: SeatState
    away: int
    may: list[SeatChange]
    ask: list[OthersChange]
    offer: bool
    votes: list[Vote]
    named: bool
    profile: str


class LogNote(msgspec.Struct):
    """A note between the lines of the log: the number of actions before it, its turn, its sentence."""

    at: int
    n: int
    text: Sentence


class PeopleUpdate(msgspec.Struct, tag="people", tag_field="t"):
    """The people at the table, and this page's rights. Sent after the first view and after every change of either."""

    you: list[int]
    back: list[int]
    host: bool
    seats: list[SeatPresence]
    sides: list[int]
    listed: bool
    public: bool
    chat: bool
    watchers: bool
    hints: bool
    write: bool
    watching: int
    rematch: str
    code: str
    carry: list[int]
    stray: list[int]
    levels: list[str]
    usual: str
    marks: list[LogNote]
    webhook: str | UnsetType = UNSET
    hooks: bool | UnsetType = UNSET


class SeatToken(msgspec.Struct, tag="link", tag_field="t"):
    """The secret token of a seat. Sent only to the page that asked for it."""

    k: str
    seat: int
    do: Literal["claim", "substitute", "revoke"]
    token: str


class ChatLine(msgspec.Struct):
    """A text or a quick reaction, by a seat, a spectator (-1) or the host of the server (-2), to everyone or to a team."""

    seat: Annotated[int, Meta(ge=-2)]
    time: int
    team: bool
    react: str | UnsetType = UNSET
    text: str | UnsetType = UNSET


class ChatMessages(msgspec.Struct, tag="said", tag_field="t", kw_only=True):
    """New lines of the chat. With `all`, the recent lines: they replace those on the screen."""

    all: bool | UnsetType = UNSET
    lines: list[ChatLine]


class Pointer(msgspec.Struct, tag="point", tag_field="t"):
    """A seat points at a place on the board."""

    seat: int
    at: str


Signal = ChatMessages | Pointer
ServerMessage = (
    View | LagProbe | Ack | Rejection | WhyNot | Advice | Recalled | Goodbye | Pong | PeopleUpdate | SeatToken | Signal
)
