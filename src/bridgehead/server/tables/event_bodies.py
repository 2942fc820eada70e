"""Bodies of the events in a table's log: one struct for each kind of event that needs more than its columns.

The order of the fields is the order in the stored JSON, which the hash chain covers. Logs of older versions decode as well:
a field that they lack has a default, and fields that are no longer used are ignored.
"""

from __future__ import annotations

from typing import Self

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core.validation import ready

Charge = tuple[int, int, int]  # a seat, the milliseconds it spent, and the milliseconds credited to its connection


class EventBody(msgspec.Struct, frozen=True):
    """Base of all bodies."""

    @property
    def json(self) -> str:
        """As the log stores it; "" for a body without content."""
        text = msgspec.json.encode(self).decode()
        return "" if text == "{}" else text

    @classmethod
    def of(cls, body: str) -> Self:
        """Decode a stored body as this struct."""
        return msgspec.json.decode(body or "{}", type=ready(cls))


class Charged(EventBody, frozen=True):
    """The body of "action", "undo", "late" and "pause"; of other kinds, the part that charges a clock.

    several: of an action for a seat with a profile, True if the page that decided held other seats too.
    """

    clock: Charge | UnsetType = UNSET
    several: bool | UnsetType = UNSET


class RecordImported(EventBody, frozen=True):
    """ "import": the match begins with the first `actions` actions of an imported record; hash: see `storage.imports`."""

    hash: str
    actions: int


class MatchRewound(EventBody, frozen=True):
    """ "back": the match is rewound to a length of its log."""

    to: int
    clock: Charge | UnsetType = UNSET


class MatchEnded(EventBody, frozen=True, omit_defaults=True):
    """ "end": people end the match. how, more: see `core.ending`; seat: the loser, or -1."""

    how: str
    seat: int
    clock: Charge | UnsetType = UNSET
    more: tuple[int, ...] = ()


class PersonsArrived(EventBody, frozen=True):
    """ "came": persons are at these seats for the first time."""

    seats: list[int]


class HolidayTaken(EventBody, frozen=True):
    """ "holiday": the seat takes days off from now on, or after its holiday; 0 ends the holiday now."""

    days: int


class ProposalMade(EventBody, frozen=True):
    """ "ask": a proposal by `seats`, which needs the agreement of `need`. to: the length of the log after a takeback."""

    what: str
    seats: list[int]
    need: list[int]
    to: int | UnsetType = UNSET


class ProposalAnswered(EventBody, frozen=True):
    """ "answer": `seats` accept or decline the proposal of version `about`."""

    about: int
    yes: bool
    seats: list[int] = []


class ProposalClosed(EventBody, frozen=True):
    """ "withdraw" and "lapse": the version of the proposal."""

    about: int


class SettingsChanged(EventBody, frozen=True, omit_defaults=True):
    """ "house": the settings that the host changed. language: for sentences in webhooks."""

    listed: bool | None = None
    public: bool | None = None
    chat: bool | None = None
    watchers: bool | None = None
    hints: bool | None = None
    webhook: str | None = None
    language: str | None = None


class RematchStarted(EventBody, frozen=True):
    """ "rematch": the code of the table of the next game."""

    table: str


class SeatEvent(EventBody, frozen=True, tag_field="do"):
    """Base of the bodies of "seat". keeps: its person may take the seat back; token: the hash of a seat's new token."""


class PersonSeated(SeatEvent, frozen=True, tag="sit"):
    """A person arrives by the link of the seat."""

    token: str


class SeatClaimed(SeatEvent, frozen=True, tag="claim"):
    """A person takes a free seat."""

    name: str = ""
    keeps: bool = False
    token: str = ""


class SeatTakenBack(SeatEvent, frozen=True, tag="back"):
    """A person takes their seat back."""

    token: str
    keeps: bool = False


class LinkRevoked(SeatEvent, frozen=True, tag="revoke"):
    """The seat has a new token, and all earlier tokens end."""

    keeps: bool = False
    token: str = ""


class LinkRenewed(SeatEvent, frozen=True, tag="renew"):
    """An unused token is replaced. key: of the message that first requested it."""

    old: str
    token: str
    key: str


class SeatLeft(SeatEvent, frozen=True, tag="leave"):
    """The person has left for good."""

    keeps: bool = False


class ComputerSeated(SeatEvent, frozen=True, tag="computer"):
    """A computer player of this level takes the seat."""

    level: str
    clock: Charge | UnsetType = UNSET
    keeps: bool = False


class SubstituteSeated(SeatEvent, frozen=True, tag="substitute"):
    """A new token invites another person to the seat."""

    keeps: bool = False
    token: str = ""


class SeatOpened(SeatEvent, frozen=True, tag="open"):
    """Anyone with the code of the table may take the seat."""

    keeps: bool = False


class SeatNamed(SeatEvent, frozen=True, tag="name"):
    """The person has another name."""

    name: str
    keeps: bool = False


class ProfileAttached(SeatEvent, frozen=True, tag="profile"):
    """The person at the seat has a profile, "" for none any more. own: the hash of the token of its devices.

    browser: what stands at this table for the browser that plays the seat, if it has said so.
    """

    profile: str
    own: str
    keeps: bool = False
    browser: str | UnsetType = UNSET


class AdviceTaken(SeatEvent, frozen=True, tag="advised"):
    """The computer has given the seat a hint, so the game counts for no rating. Stored once, for a person with a profile."""


SeatChanged = (
    PersonSeated
    | SeatClaimed
    | SeatTakenBack
    | LinkRevoked
    | LinkRenewed
    | SeatLeft
    | ComputerSeated
    | SubstituteSeated
    | SeatOpened
    | SeatNamed
    | ProfileAttached
    | AdviceTaken
)
GIVES = (SeatClaimed, SubstituteSeated, LinkRevoked)  # changes whose answer contains a token
decode_seat = msgspec.json.Decoder(SeatChanged).decode


def change_of(body: SeatEvent) -> str:
    """The value of `do` in the JSON of a body."""
    return str(type(body).__struct_config__.tag)


class EraSealed(EventBody, frozen=True, omit_defaults=True):
    """ "seal": the server seals an era. heads: source and head of each seat that the server seals for.

    number: from 1, and 0 in logs of BGF1, here and below; sources: the digest of the game's sources.
    """

    gid: str
    root: str
    depth: int
    level: int
    heads: list[tuple[int, str] | None]
    number: int = 0
    sources: str = ""


class HeadCommitted(EventBody, frozen=True):
    """ "head": a seat commits to the head of its chain. holder: the start of its token's hash."""

    source: int
    head: str
    holder: str


class EraFrozen(EventBody, frozen=True, omit_defaults=True):
    """ "freeze": every seat has committed. The server signs the transcript, and its list has a row for it.

    first: the number of the chance event from which on the era supplies the draws.
    """

    transcript: str
    signature: str
    gid: str = ""
    number: int = 0
    first: int = -1


class LinkRevealed(EventBody, frozen=True, omit_defaults=True):
    """ "link": a seat reveals link `n` of its chain."""

    gid: str
    n: int
    value: str
    number: int = 0


class LinksRequested(EventBody, frozen=True, omit_defaults=True):
    """ "chance.request": a draw of level 2 needs the links of these seats."""

    gid: str
    event: int
    seats: list[int]
    number: int = 0


class LinksDefaulted(EventBody, frozen=True, omit_defaults=True):
    """ "chance.default": a seat did not reveal its link in time."""

    gid: str
    number: int = 0


class SealingCompleted(EventBody, frozen=True):
    """ "begin": the server seals for the seats that have not."""
