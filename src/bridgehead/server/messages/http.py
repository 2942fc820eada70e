"""Answers to HTTP requests, and the body of webhook calls. `schema` generates /api/schema.json from these structs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core.editing import Tool
from bridgehead.core.interface import OVER
from bridgehead.core.remarks import DrawnShape
from bridgehead.core.scene import Choice, Face, Item, MovementTrace, Part, Picture, SeatPanel, Up
from bridgehead.players.report import AnalysedAction, AnalysedSeat, KeyMoment
from bridgehead.server.messages.client import HouseRules, Pace
from bridgehead.server.messages.server import Actor, Encoded, SeatKind, Sentence

Light = Literal["good", "watch", "bad", "unknown"]


class CreatedTable(msgspec.Struct):
    """A new table: its id, its short code, and the secret tokens of each person's seat and of the host.

    No other answer contains the tokens.
    """

    table: str
    code: str
    tokens: list[str | None]
    host: str
    watch: str
    base: str


class NetworkState(msgspec.Struct):
    """How other devices reach this server.

    base: the address that the server has reached itself, "" if there is none; command: starts the server for the whole network
    ("" for pages of other devices); opens: the page that the command opened can open the network.
    """

    base: str
    command: str
    opens: bool


class ListedSeat(msgspec.Struct):
    """A seat of a table in the lobby. profile: its person's, "" without one; rating: theirs or the level's, 0: none."""

    letter: str
    name: str
    kind: SeatKind
    level: str
    free: bool
    left: bool
    profile: str = ""
    rating: int = 0
    provisional: bool = False


class TableSummary(msgspec.Struct):
    """What the lobby shows of a table. pool: the ratings that count there (`people.results`); code: while it has a free seat.

    public: the game runs, and anybody may watch; turn: its number; watching: pages without a seat.
    """

    game: str
    title: str
    begun: bool
    rules: dict[str, Sentence]
    seats: list[ListedSeat]
    code: str = ""
    pool: str = ""
    public: bool = False
    turn: int = 0
    watching: int = 0


class ListedTable(TableSummary, kw_only=True):
    """A table in the lobby. age: seconds since it was listed."""

    table: str
    age: int


class LobbyTables(msgspec.Struct):
    """The tables that their hosts have listed, and the running games that anybody may watch, newest first."""

    tables: list[ListedTable]


class KnownTable(msgspec.Struct):
    """A table where a browser holds seats. turn: one of them has to act; back: one can be taken back; seats: their number.

    names: of the others. Where each turn has days: days; due: milliseconds that the seat to act has left; off, stock: the longest
    holiday of these seats in milliseconds, and the fewest days off that they have left.
    """

    table: str
    title: str
    game: str
    prompt: Sentence
    over: bool
    turn: bool
    back: bool
    seats: int
    names: list[str] = []
    days: int = 0
    due: int | UnsetType = UNSET
    off: int = 0
    stock: int = 0


class KnownTables(msgspec.Struct):
    """The requested tables, as far as they exist."""

    tables: list[KnownTable]


class HolidayTable(msgspec.Struct):
    """A table at which days off were asked for. problem: why they were refused, or ""."""

    table: str
    problem: Sentence


class HolidayTables(msgspec.Struct):
    """What became of days off, table by table."""

    tables: list[HolidayTable]


class ReminderWays(msgspec.Struct):
    """How this server can remind. mail: by mail; push: the public key for subscriptions to Web Push, "" if it sends none."""

    mail: bool
    push: str


class Reminder(msgspec.Struct):
    """A reminder. id: its secret; asked: the owner of the mail address has not agreed yet; problem: why nothing arrives."""

    id: str
    kind: Literal["mail", "push"]
    state: Literal["off", "asked", "on", "refused"]
    discreet: bool
    address: str = ""
    problem: Sentence = ""


class PlanView(msgspec.Struct):
    """The conditional moves of a seat. may: can they be changed now? ended: how the last ones ended, or ""."""

    seat: int
    may: bool
    lines: list[list[str]]
    ended: Sentence


class ProfileRating(msgspec.Struct):
    """A rating for one game, number of seats and house rules. spread: the true one is this near with 95 %; rated: games."""

    game: str
    title: str
    seats: int
    rules: Sentence
    rating: int
    spread: int
    provisional: bool
    rated: int


End = Literal["won", "lost", "drawn"]


class PlayedGame(msgspec.Struct):
    """A game of a profile. seats: those of the profile; with: the names of the others; token: plays its seats, while it runs.

    result: "won", "lost", "drawn", or "" while it runs; unrated: why it counts for no rating, "" if it does.
    """

    table: str
    game: str
    title: str
    since: float
    others: list[str]
    result: Literal["", "won", "lost", "drawn"] = ""
    unrated: Sentence = ""
    token: str = ""
    turn: bool = False


class Tally(msgspec.Struct):
    """Finished games of a profile, by game and strongest opponent. against: a level, or "person".

    counted: the number of games whose luck is known; luck: how many wins their draws gave, together.
    """

    game: str
    title: str
    against: str
    games: int
    won: int
    drawn: int
    counted: int
    luck: float


class LuckCounted(msgspec.Struct):
    """The counting of luck. left: finished games in which it is not known yet; going: some are being counted now."""

    left: int
    going: bool


class PublicProfile(msgspec.Struct):
    """What everybody sees of a profile."""

    id: str
    name: str
    colour: str
    picture: int
    ratings: list[ProfileRating]


class OwnProfile(PublicProfile):
    """A profile for its owner: also its games, the newest first, and how they ended."""

    since: float
    games: list[PlayedGame]
    tallies: list[Tally]


class ShownPasskey(msgspec.Struct):
    """A passkey of a profile. id: of the credential; host: the site for which it was made; since: Unix seconds."""

    id: str
    host: str
    since: float


class PasskeyList(msgspec.Struct):
    """The passkeys of a profile, the newest first. refused: why this page has no passkeys, in words; "" if it has them."""

    refused: str
    passkeys: list[ShownPasskey]


class PasskeyChallenge(msgspec.Struct):
    """What a page asks a passkey to sign. known: ids of the passkeys that the profile has there; name: of the profile."""

    challenge: str
    host: str
    name: str
    known: list[str]


class BlockedProfile(msgspec.Struct):
    """A profile that somebody has blocked."""

    id: str
    name: str


class BlockList(msgspec.Struct):
    """The profiles that a profile has blocked, the newest first."""

    blocks: list[BlockedProfile]


class ComplaintMade(msgspec.Struct):
    """A report to the host was stored. lines: of the chat that went with it."""

    lines: int


class UsualWait(msgspec.Struct):
    """What is known before one waits. seconds: the usual time in the last day, null if unknown; waiting: people."""

    game: str
    title: str
    pace: Pace
    seconds: int | None
    waiting: int


class UsualWaits(msgspec.Struct):
    """The games in which one can wait for an opponent."""

    waits: list[UsualWait]


class OpponentWait(msgspec.Struct):
    """A wait for an opponent. wait: its secret; waited: seconds; table, token: the seat of a pair, "" before."""

    wait: str
    waited: int
    table: str = ""
    token: str = ""


class SeatsTaken(msgspec.Struct):
    """The seats of a table that belong to a profile now, and a token that plays them."""

    seats: list[int]
    token: str


class RatedPlayer(msgspec.Struct):
    """A line of a rating list. profile: its id, "" for a level of the computer, which is then named by `level`."""

    name: str
    profile: str
    level: str
    rating: int
    spread: int
    provisional: bool
    rated: int


class RatingList(msgspec.Struct):
    """The ratings for one number of seats and house rules of a game, the best first."""

    seats: int
    rules: Sentence
    players: list[RatedPlayer]


class RatingLists(msgspec.Struct):
    """All rating lists of a game, those with most games first."""

    lists: list[RatingList]


class TournamentEntrant(msgspec.Struct):
    """Somebody who takes part. level: of a computer player, else ""."""

    name: str
    level: str
    profile: str
    left: bool


class TournamentLine(msgspec.Struct):
    """A line of the standings. breaks: the values of the tie-breaks, in their order."""

    place: int
    entrant: int
    points: float
    games: int
    breaks: list[float]


class TournamentGame(msgspec.Struct):
    """A game: its entrants in the order of the seats. points: [] while it runs; table: "" if it has none (somebody has left).

    absent: the entrants who did not appear; until: when those who have not come yet must have come (Unix seconds), 0 if all have.
    """

    round: int
    match: int
    table: str
    seats: list[int]
    points: list[float]
    host: bool
    absent: list[int]
    until: int


class TournamentHead(msgspec.Struct):
    """A tournament in the list. state: "open" until it starts, "running", "over"."""

    id: str
    name: str
    game: str
    title: str
    rules: Sentence
    kind: str
    size: int
    state: Literal["open", "running", "over"]
    entrants: int
    round: int
    rounds: int


class TournamentView(TournamentHead):
    """A tournament. n: its version; tie_breaks: their names in their order; byes: by round; seconds: left in an arena;
    letters: of the seats; levels: that the host may enter; appear: minutes to come to a table, 0 for any time; aids: hints and
    takebacks are allowed."""

    n: int
    paired: bool
    live: bool
    people: list[TournamentEntrant]
    lines: list[TournamentLine]
    tie_breaks: list[str]
    games: list[TournamentGame]
    byes: list[list[int]]
    seconds: int
    letters: list[str]
    levels: list[str]
    appear: int
    aids: bool


class ClassSeat(msgspec.Struct):
    """A seat at a table of the class. here: its person has the table open."""

    letter: str
    name: str
    level: str
    here: bool


class ClassTable(msgspec.Struct):
    """A table of the class, as watchers see it. stamp: of this state; actor: the seat to act; waits: seconds since it has to.

    state: "paused" by its people, "held" by the host of the server; board: a name in `ClassView.boards`.
    """

    table: str
    title: str
    stamp: str
    state: Literal["running", "paused", "held", "over"]
    seats: list[ClassSeat]
    actor: int
    prompt: Sentence
    waits: int
    board: str
    items: Encoded[list[Item]]


class ClassView(msgspec.Struct):
    """All tables in their order, those of which the page knows no such stamp, and the boards that it lacks, by name.

    all: the number of tables; only the newest are shown.
    """

    order: list[str]
    news: list[ClassTable]
    boards: dict[str, Encoded[Picture]]
    all: int


class ClassActed(msgspec.Struct):
    """At how many tables something was done, and at how many it failed."""

    tables: int
    failed: int


class TournamentList(msgspec.Struct):
    """The newest tournaments."""

    tournaments: list[TournamentHead]


class CreatedTournament(msgspec.Struct):
    """A new tournament, and the token of its host."""

    id: str
    host: str


class EnteredTournament(msgspec.Struct):
    """A new entrant, and the token that plays all their games ("" for a computer player)."""

    entrant: int
    token: str


class ProblemView(msgspec.Struct):
    """The answer to a refused request: the error as a sentence, and its place."""

    error: Sentence
    where: str


class RuleDifferences(msgspec.Struct):
    """The differences between house rules and the standard."""

    differences: HouseRules


class RuleInForce(msgspec.Struct):
    """A house rule that differs from the standard, in the reader's words. value: at most 60 characters."""

    name: str
    title: str
    value: str


class PlayedAction(msgspec.Struct):
    """An action of a game, and the clauses that applied it: those first that applied fewest actions of the game."""

    turn: int
    text: str
    clauses: list[str]


class RulesInForce(msgspec.Struct):
    """The house rules of a game. table: its table, or ""; actions: all of them, if they were asked for."""

    table: str
    rules: list[RuleInForce]
    actions: list[PlayedAction]


class Referee(msgspec.Struct):
    """What a page needs to follow a table's record by the rules of its game, under its house rules.

    module: the address of the rules as WebAssembly; most: legal actions of a position, at most; law: its bytes, compressed
    (zlib); start: the bytes of the first position. Both are base64.
    """

    game: str
    version: str
    module: str
    most: int
    law: str
    start: str


class HouseRule(msgspec.Struct):
    """One house rule of a game."""

    name: str
    default: Any
    allowed: str
    values: Sequence[Any]
    description: str
    clause: str


class GameListing(msgspec.Struct):
    """A game as the pages show it."""

    id: str
    title: str
    players: str
    line: str
    version: str
    livery: str
    seats: list[int]
    presets: dict[str, HouseRules]
    recommended: str
    recommended_seats: list[int]
    levels: list[str]
    usual: str
    editor: bool
    options: list[HouseRule]


class GameListings(msgspec.Struct):
    """All installed games."""

    games: list[GameListing]


class RemarkView(msgspec.Struct):
    """A sentence about a board in the editor, and the things to point at."""

    text: Sentence
    show: Sequence[str]


class EditedBoard(msgspec.Struct):
    """A board in the editor after a stroke."""

    board: Any
    picture: Picture
    items: Sequence[Item]
    tools: Sequence[Tool]
    no: RemarkView | None
    problems: list[RemarkView]
    rules: HouseRules
    sealed: bool
    starts: dict[str, Sentence]


class SetPosition(EditedBoard):
    """A position that people set up, after a stroke; `board` is {"rules": house rules, "position": text}.

    link: its record without actions, packed for the fragment of a link. It, the seat panels and the prompt are empty for a
    position that cannot occur. plain: its house rules in words.
    """

    title: str
    plain: Sentence
    link: str = ""
    plates: Sequence[SeatPanel] = ()
    actor: Actor = OVER
    turn: int = 0
    prompt: Sentence = ""


class RecordPosition(msgspec.Struct):
    """A position of a record, as the page that sets up positions takes it."""

    game: str
    rules: HouseRules
    position: str


class PositionPicture(msgspec.Struct):
    """A position as a picture, with the panel of its seats."""

    picture: Picture
    items: Sequence[Item]
    plates: Sequence[SeatPanel] = ()


class ItemChange(msgspec.Struct):
    """A new item (`scene.Item`), or the fields that have changed of the item with this id in the frame before."""

    id: str
    x: float | UnsetType = UNSET
    y: float | UnsetType = UNSET
    parts: tuple[Part, ...] | UnsetType = UNSET
    seat: str | UnsetType = UNSET
    cls: str | UnsetType = UNSET
    label: str | UnsetType = UNSET
    at: str | UnsetType = UNSET
    r: float | UnsetType = UNSET
    z: int | UnsetType = UNSET
    glyph: str | UnsetType = UNSET
    up: Up | None | UnsetType = UNSET


class ReplayPatch(msgspec.Struct):
    """The difference between the items of two frames, as in a view's patch; changed items have only the fields that changed."""

    gone: list[str]
    put: list[tuple[int, ItemChange]]


class ReplayFrame(msgspec.Struct):
    """A step of a record. Without `items` and `patch` the items stay as in the frame before, and so do the plates."""

    n: int
    turn: int
    actor: Actor
    text: str
    sentence: str
    prompt: Sentence
    traces: list[MovementTrace]
    last: list[str]
    items: Sequence[Item] | UnsetType = UNSET
    patch: ReplayPatch | UnsetType = UNSET
    plates: Sequence[SeatPanel] | UnsetType = UNSET


class RecordNote(msgspec.Struct):
    """A note in a record: the number of actions before it, and its sentence."""

    at: int
    text: Sentence


class ReplayHead(msgspec.Struct):
    """A record, without its steps.

    pieces: the first frames of its pieces; length: the number of frames; turns: each turn with its first frame; over: has the
    game ended?
    """

    game: str
    title: str
    picture: Picture
    names: list[str]
    plates0: Sequence[SeatPanel]
    link: str
    record: str
    notes: list[RecordNote]
    pieces: list[int]
    length: int
    turns: list[tuple[int, int]]
    over: bool


class Replay(ReplayHead):
    """A record step by step, or its first piece. Frame 0 is the start and has all items and plates."""

    frames: list[ReplayFrame]


class ReplayPiece(msgspec.Struct):
    """A later piece of a record. Its first frame has all items and plates."""

    frames: list[ReplayFrame]


class StudyBegun(msgspec.Struct):
    """An analysis of a game or a study of house rules has begun. key: for requests about it."""

    key: str


class LabLight(msgspec.Struct):
    """One of the twelve questions of docs/do/study.md, and the answer so far."""

    number: int
    light: Light


class LabStudy(msgspec.Struct):
    """Progress of a study of house rules: work done, work in all, studies before it in the queue, the address of its report."""

    state: Literal["waiting", "playing", "done"]
    done: int
    of: int
    before: int
    lights: list[LabLight]
    report: str


class LabReport(msgspec.Struct):
    """A stored report: its house rules and its verdict in each language, its time (Unix seconds).

    games: the number of games played for it; 0 in reports of older versions, which lack the number.
    """

    key: str
    game: str
    title: str
    rules: dict[str, str]
    made: int
    verdict: dict[str, str]
    lights: list[LabLight]
    games: int = 0


class LabReports(msgspec.Struct):
    """The reports of studies of house rules, newest first."""

    reports: list[LabReport]


class MendNumbers(msgspec.Struct):
    """A wish in words, and its measure by each player."""

    wish: Sentence
    players: list[Sentence]


class MendProposal(msgspec.Struct):
    """House rules that are proposed: the changes in words, the numbers, the part of each change, what got worse.

    meets: whether the numbers meet all wishes; state: whether their intervals show that they do ("met") or do not ("missed").
    """

    rules: dict[str, Any]
    changes: list[Sentence]
    meets: bool
    numbers: list[MendNumbers]
    parts: Sentence
    worse: Sentence
    print: str
    state: Literal["met", "open", "missed"] = "open"  # an answer stored by an older release has none


class RulesFound(msgspec.Struct):
    """The answer of a search for better house rules. causes: why the present rules favour a seat, if they do."""

    verdict: Sentence
    causes: list[Sentence]
    base: MendProposal
    proposals: list[MendProposal]


class Mending(msgspec.Struct):
    """Progress of a search for better house rules: its stage, settings in it, games done and to play in it, studies before it."""

    state: Literal["waiting", "playing", "done"]
    stage: Literal["search", "confirm", "shares", "boards"]
    settings: int
    done: int
    of: int
    before: int
    found: RulesFound | UnsetType = UNSET


class Analysis(msgspec.Struct):
    """An analysis of a game: how many of its actions are done, and everything else once all are."""

    done: int
    of: int
    title: Sentence | UnsetType = UNSET
    result: str | UnsetType = UNSET
    made: Sentence | UnsetType = UNSET
    words: dict[str, Sentence] | UnsetType = UNSET
    sides: list[int] | UnsetType = UNSET
    seats: list[AnalysedSeat] | UnsetType = UNSET
    line: list[list[float]] | UnsetType = UNSET
    moments: list[KeyMoment] | UnsetType = UNSET
    steps: list[AnalysedAction] | UnsetType = UNSET


class SeatTimes(msgspec.Struct):
    """Thinking times of a seat's persons: decisions, and the seconds within which half and nine of ten of them were made."""

    decisions: int
    half: float | None
    most: float | None


class TableTimes(msgspec.Struct):
    """Thinking times of each seat."""

    seats: list[SeatTimes]


class Likeness(msgspec.Struct):
    """Another table like this one: its house rules that are not hidden, and for each seat "person" or a computer's level.

    again: where a game by the original rules may end without a winner, an offer of the recommended ones; else "".
    """

    rules: HouseRules
    seats: list[str]
    again: str


class RecordLink(msgspec.Struct):
    """A match packed for the fragment of a link."""

    link: str


class TutorialFrame(msgspec.Struct):
    """The board after an action of a tutorial."""

    items: Sequence[Item]
    plates: Sequence[SeatPanel]
    actor: Actor
    last: list[str]
    traces: list[MovementTrace]
    sentence: Sentence


class TutorialStep(msgspec.Struct):
    """A step: its text and frames, the actions that may be tried, and the answer to each (by action)."""

    text: Sentence
    show: Sequence[str]
    frames: list[TutorialFrame]
    choices: Sequence[Choice] | UnsetType = UNSET
    buttons: dict[str, str] | UnsetType = UNSET
    hint: Sentence | UnsetType = UNSET
    after: Sentence | UnsetType = UNSET
    right: dict[str, TutorialFrame] | UnsetType = UNSET
    wrong: dict[str, Sentence] | UnsetType = UNSET


class FirstGame(msgspec.Struct):
    """The game to offer at the end of a tutorial, by the rules as written: `preset` is "".

    recommended: the preset for somebody who has chosen it before, if it was measured for such a game; else "".
    """

    preset: str
    recommended: str
    options: HouseRules
    level: str
    seats: int


class TutorialView(msgspec.Struct):
    """A whole tutorial."""

    game: str
    title: str
    seat: int
    picture: Picture
    steps: list[TutorialStep]
    first: FirstGame


class PuzzleView(msgspec.Struct):
    """A puzzle: its number from 1 among all of the game, who acts, the weakest level that finds the action, and the one step."""

    game: str
    title: str
    number: int
    of: int
    level: str
    seat: int
    picture: Picture
    step: TutorialStep


class StudyStep(msgspec.Struct, omit_defaults=True):
    """An action in a study: the place after it, its text in notation, and what is said there. actor: -1 for chance."""

    path: str
    turn: int
    actor: Actor
    text: str
    comment: str = ""
    shapes: int = 0


class StudyLine(msgspec.Struct):
    """A line of play. start: the place at which a variation begins, "" for the main line."""

    start: str
    steps: list[StudyStep]


class StudyView(msgspec.Struct):
    """A place in a study: the board after its last action, what can be played, and what is said about it.

    names: of the seats, "" for one without. turn: the number of the turn that is played here. next: the places one action
    further. faces: the outcomes of chance, when it acts. tree: the main line, and each variation after the line that it departs
    from. record, tree: after an edit, and at first; picture: at first.
    """

    game: str
    title: str
    names: list[str]
    at: str
    frame: TutorialFrame
    prompt: Sentence
    turn: int
    comment: str
    shapes: list[DrawnShape]
    next: list[str]
    choices: Sequence[Choice] = ()
    buttons: dict[str, str] = {}
    faces: Encoded[list[Face]] | UnsetType = UNSET
    picture: Picture | UnsetType = UNSET
    record: str | UnsetType = UNSET
    tree: list[StudyLine] | UnsetType = UNSET


class StudyLinks(msgspec.Struct):
    """A study packed for the fragment of a link, and the way to a place in it; actions: of that way."""

    link: str
    way: str
    actions: int


class BookMove(msgspec.Struct):
    """An action that was played in a position. won, drawn: games of its seat; people: games of people; best: the strongest level.

    label: in notation; text: the sentence.
    """

    action: int
    label: str
    text: str
    count: int
    won: int
    drawn: int
    people: int
    best: str


class BookGame(msgspec.Struct):
    """A game in which a position occurred. at: actions before it; one of table and link is "".

    players: of each seat a level or "person"; result: a sentence.
    """

    table: str
    link: str
    at: int
    players: list[str]
    result: str


class BookPage(msgspec.Struct):
    """What the book of the host knows of a position. count: its games; decided: false where chance or nobody acts.

    games: the newest of those that everybody may see.
    """

    count: int
    decided: bool
    moves: list[BookMove]
    games: list[BookGame]


class WebhookCall(msgspec.Struct):
    """The body of a webhook call: a person's turn has begun at a table."""

    table: str
    game: str
    title: str
    seat: int
    name: str
    sentence: Sentence
