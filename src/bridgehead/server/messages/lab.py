"""Studies of house rules, and the search for better ones."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bridgehead.server.messages.client import HouseRules
from bridgehead.server.messages.server import Sentence
from bridgehead.server.messages.tables import GameWish

Light = Literal["good", "watch", "bad", "unknown"]


LONGEST = 3  # steps beyond a short study


class MendWish(GameWish, forbid_unknown_fields=True):
    """House rules to mend: the body of `POST /api/mendings`. wishes: as for `bridgehead tune --wish`; boards: may they change?"""

    wishes: Annotated[str, Meta(min_length=1, max_length=200)] = "fair"
    boards: bool = False


class StudyWish(GameWish, forbid_unknown_fields=True):
    """House rules to study: the body of `POST /api/labs`. patient: in the background, with many more games, to answer more."""

    patient: bool = False


class LongerWish(msgspec.Struct, forbid_unknown_fields=True):
    """A report that shall get more games: the body of `POST /api/labs/more`."""

    key: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class LabLight(msgspec.Struct):
    """One of the twelve questions of docs/do/study.md, and the answer so far."""

    number: int
    light: Light


class FavouredSeat(msgspec.Struct):
    """The seat that wins most: the letter of its colour, and its name in each language."""

    seat: str
    names: dict[str, str]


class LabFigure(msgspec.Struct):
    """A number with its interval. kind: "side" (of the games that one side won alone, its share), "gap" (between the sides that
    won most and least), "turns"; of answers "fun" and "fair". seat, names: of the side, by language."""

    kind: str
    seat: str
    names: dict[str, str]
    value: float
    low: float
    high: float
    games: int


class LabStudy(msgspec.Struct):
    """Progress of a study of house rules: work done, work in all, studies before it in the queue, the address of its report."""

    state: Literal["waiting", "playing", "done"]
    done: int
    of: int
    before: int
    lights: list[LabLight]
    report: str
    favoured: FavouredSeat | None = None


class LabReport(msgspec.Struct):
    """A stored report: its house rules and its verdict in each language, its time (Unix seconds).

    games: the number of games played for it; 0 in reports of older versions, which lack the number. options: its house rules, in
    its file alone, as its figures; longer: the steps beyond a short study, -1 where the report is of an older version and cannot
    go on.
    """

    key: str
    game: str
    title: str
    rules: dict[str, str]
    made: int
    verdict: dict[str, str]
    lights: list[LabLight]
    games: int = 0
    favoured: FavouredSeat | None = None
    options: HouseRules = {}
    longer: int = -1
    figures: list[LabFigure] = []


class LabGoing(msgspec.Struct):
    """A study in progress: its key, the title of its game, its house rules in each language."""

    key: str
    title: str
    rules: dict[str, str]


class LabFound(msgspec.Struct):
    """The newest report on a game under these house rules, if there is one."""

    report: LabReport | None


class LabReports(msgspec.Struct):
    """The reports of studies of house rules, newest first, and the studies in progress."""

    reports: list[LabReport]
    going: list[LabGoing] = []


class MendNumbers(msgspec.Struct):
    """A wish in words, and its measure by each player."""

    wish: Sentence
    players: list[Sentence]


class MendProposal(msgspec.Struct):
    """House rules that are proposed: the changes in words, the numbers, the part of each change, what got worse.

    meets: whether the numbers meet all wishes; state: whether their intervals show that they do ("met") or do not ("missed").
    file: the name of the board file that `print` names, and board: its content; none on a board of the game.
    """

    rules: dict[str, Any]
    changes: list[Sentence]
    meets: bool
    numbers: list[MendNumbers]
    parts: Sentence
    worse: Sentence
    print: str
    state: Literal["met", "open", "missed"] = "open"  # an answer stored by an older release has none
    file: str = ""
    board: Any = None


class RulesFound(msgspec.Struct):
    """The answer of a search for better house rules. causes: why the present rules favour a seat, if they do."""

    verdict: Sentence
    causes: list[Sentence]
    base: MendProposal
    proposals: list[MendProposal]


class Mending(msgspec.Struct):
    """Progress of a search for better house rules: its stage, settings in it, games done and to play in it, studies before it.

    finished: the settings in this stage whose games are all done.
    """

    state: Literal["waiting", "playing", "done"]
    stage: Literal["search", "confirm", "shares", "boards"]
    settings: int
    done: int
    of: int
    before: int
    found: RulesFound | UnsetType = UNSET
    finished: int = 0
