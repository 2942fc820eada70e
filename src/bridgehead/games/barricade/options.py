"""House rules of Barricade: the options of the rulebook, the presets, and checks of combinations."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from bridgehead.core.errors import OptionError, refusing
from bridgehead.core.options import House
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.games.barricade.board import MOST_SQUARES, Board, home_count

refuse = refusing("barricade", OptionError)

MOST_SEATS = 6
MOST_SIDES = 12
CLASSIC = {"pass": "onlyIfBlocked", "firstRowAllowed": False, "finalAllowed": False, "revisit": "noRepeat", "exactFinal": True}
PRESETS: dict[str, dict[str, Any]] = {
    "recommended": {"barricades": 6},  # four players within an hour: docs/notebook/lab.md
    "classic": {**CLASSIC, "rollAgainOn6": False, "first": "highestRoll"},
}
FIELD: dict[str, Any] = {
    "name": "field", "width": 6, "height": 7, "pawnsPerPlayer": 1, "squares": [[x, y] for y in range(6) for x in range(6)],
    "final": [0, 0], "barricades": [[1, 1]], "firstRowY": 5,
    "homes": [{"id": n, "color": c, "entry": [n, 5], "slots": [[n, 6]]} for n, c in ((1, "red"), (4, "green"))],
}  # fmt: skip
# Boards whose laws need more room (`rules.SIZES`): FIELD has few squares and very many ways.
LAYOUTS: tuple[dict[str, Any], ...] = ({"board": "six"}, {"board": FIELD, "dieSides": 8})


class Options(House, frozen=True):
    """House rules of Barricade; the defaults are the rulings of the rulebook."""

    seats: Annotated[Annotated[int, Meta(ge=2, le=MOST_SEATS)] | None, Meta(extra={"clause": "BAQ-14"})] = None
    board: Annotated[Literal["classic", "mini", "six"] | dict[str, Any], Meta(extra={"clause": "BAQ-14", "board": "own"})] = (
        "classic"
    )
    homes: Annotated[str | None, Meta(extra={"clause": "BAQ-14"})] = None
    teams: Annotated[str | None, Meta(extra={"clause": "BAQ-13"})] = None
    pass_: Annotated[Literal["always", "onlyIfBlocked"], Meta(extra={"clause": "BAQ-1"})] = "always"
    revisit: Annotated[Literal["noReversal", "noRepeat"], Meta(extra={"clause": "BAQ-2"})] = "noReversal"
    exit_roll: Annotated[Literal["any", 6], Meta(extra={"clause": "BAQ-4"})] = "any"
    exact_final: Annotated[bool, Meta(extra={"clause": "BAQ-6"})] = True
    first_row_allowed: Annotated[bool, Meta(extra={"clause": "BAQ-8"})] = True
    lowest_two_rows: Annotated[Literal["allowed", "forbidden"], Meta(extra={"clause": "BAQ-8"})] = "allowed"
    final_allowed: Annotated[bool, Meta(extra={"clause": "BAQ-8"})] = True
    first_row_safe: Annotated[bool, Meta(extra={"clause": "BAQ-10"})] = False
    roll_again_on_6: Annotated[bool, Meta(extra={"clause": "BAQ-11"})] = False
    first: Annotated[Literal["random", "highestRoll"], Meta(extra={"clause": "BAQ-12"})] = "random"
    pawns: Annotated[Annotated[int, Meta(ge=1, le=8)] | None, Meta(extra={"clause": "BAQ-14"})] = None
    barricades: Annotated[
        Annotated[int, Meta(ge=0, le=MOST_SQUARES)] | None, Meta(extra={"clause": "BAQ-28", "board": "setup"})
    ] = None
    two_colours: Annotated[bool, Meta(extra={"clause": "BAQ-14"})] = False
    turn_limit: Annotated[Annotated[int, Meta(ge=1, le=100_000)] | None, Meta(extra={"clause": "BAQ-16"})] = None
    die_sides: Annotated[int, Meta(ge=2, le=MOST_SIDES, extra={"clause": "BAQ-17"})] = 6

    def __post_init__(self) -> None:
        if self.seats is None:
            msgspec.structs.force_setattr(self, "seats", min(4, home_count(self.board)))


def check(options: Options, board: Board) -> None:
    """Refuse options that contradict each other or the board. Errors: OptionError naming the option."""
    homes, seats = len(board.homes), options.seats
    if seats is None or seats > homes:
        raise OptionError("barricade:error.board_homes_too_few_players", "seats", homes=homes, seats=seats)
    refuse(options.two_colours and (seats != 2 or homes < 4), "needs_2_seats_board_least", "twoColours")
    refuse(options.exit_roll == 6 and options.die_sides < 6, "die_sides_never_shows_6", "exitRoll", die_sides=options.die_sides)
    slots = min(len(home.slots) for home in board.homes)
    if options.pawns is not None and options.pawns > slots:
        raise OptionError("barricade:error.homes_board_room_pawns", "pawns", slots=slots)
    used = home_indices(options, board)
    sides(options)
    pawns = len(used) * (options.pawns or board.pawns)
    room = len(barricade_squares(options, board))
    if board.barricades and room < pawns + len(board.barricades):
        # BAQ-9: an empty square for the barricade must always exist
        count = len(board.barricades)
        raise OptionError("barricade:error.squares_may_take_barricade_too", "pawns", room=room, pawns=pawns, count=count)


def barricade_squares(options: Options, board: Board) -> tuple[int, ...]:
    """Squares on which a barricade may be placed while they are empty (BA-R.7, BAQ-8, BAQ-27)."""
    forbidden: set[int] = set()
    if not options.first_row_allowed or options.lowest_two_rows == "forbidden":
        forbidden.add(board.first_row_y)
    if options.lowest_two_rows == "forbidden":
        forbidden.add(board.first_row_y - 1)
    allowed = [square for square, (_, y) in enumerate(board.squares) if y not in forbidden]
    return tuple(square for square in allowed if options.final_allowed or square != board.final)


def home_indices(options: Options, board: Board) -> tuple[int, ...]:
    """The home index of each colour. A colour is a seat; with twoColours, seat s has the colours s and s + 2 (BAQ-14)."""
    seats, count = options.seats or 0, len(board.homes)
    wanted = 4 if options.two_colours else seats
    if options.homes is None:
        if options.two_colours:
            return tuple(range(4))
        return tuple((2 * i * (count - 1) + (seats - 1)) // (2 * (seats - 1)) for i in range(seats))
    ids = {str(home.id): index for index, home in enumerate(board.homes)}
    named = [word.strip() for word in options.homes.split(",")]
    for word in named:
        refuse(word not in ids, "board_no_home", "homes", word=repr(word), ids=", ".join(ids))
    bad = len(set(named)) != wanted or len(named) != wanted
    refuse(bad, "different_homes_got", "homes", wanted=wanted, homes=repr(options.homes))
    return tuple(ids[word] for word in named)


def list_board_changes(options: Options, board: Board) -> list[Phrase]:
    """What the house rules leave out of an own board, or change on it."""
    found: list[Phrase] = []
    if not isinstance(options.board, dict):
        return found
    if left := len(board.left_out):
        found.append(phrase("board.left_out", n=left, of=left + len(board.barricades)))
    if options.pawns not in (None, board.pawns):
        found.append(phrase("board.pawns", n=options.pawns, of=board.pawns))
    used = home_indices(options, board)
    if empty := [str(home.id) for index, home in enumerate(board.homes) if index not in used]:
        found.append(phrase("board.empty", n=len(empty), homes=", ".join(empty)))
    return found


def sides(options: Options) -> tuple[int, ...]:
    """The side of each seat: the lowest seat of its team, or itself (BA-T.1, BAQ-13). Errors: OptionError."""
    seats = options.seats or 0
    if options.teams is None:
        return tuple(range(seats))
    refuse(seats < 3, "team_game_needs_least_3", "teams")
    side: dict[int, int] = {}
    groups = [[word.strip() for word in group.split(",")] for group in options.teams.split("/")]
    for group in groups:
        for word in group:
            refuse(word not in [str(seat) for seat in range(seats)], "no_seat_seats_0", "teams", word=repr(word), seats=seats - 1)
            refuse(int(word) in side, "seat_teams_twice", "teams", word=word)
            side[int(word)] = min(int(other) for other in group if other.isdecimal())
    refuse(len(side) != seats, "every_seat_belongs_team_lacks", "teams", teams=repr(options.teams), seats=seats - 1)
    refuse(len(groups) < 2, "team_game_needs_least_2", "teams")
    return tuple(side[seat] for seat in range(seats))
