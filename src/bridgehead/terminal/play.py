"""A match at the prompt: typed moves, `?`, `why`, `undo`."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bridgehead.core import record
from bridgehead.core.chance import SeededDealer, TypedDealer
from bridgehead.core.errors import BridgeheadError, NotationError, OptionError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.phrases import sentence
from bridgehead.core.position import Position
from bridgehead.players import Player, level_named, levels_of, player
from bridgehead.players.advice import advise, percent
from bridgehead.players.levels import check_search, searches
from bridgehead.players.subprocess_player import SearchProcess, SubprocessPlayer, describe_position
from bridgehead.players.watching import looking_back
from bridgehead.terminal.board import text_board
from bridgehead.terminal.words import t

MOST_SHOWN = 12  # outcomes listed in a question


class Stopped(Exception):
    """The person who types outcomes of chance wants to stop."""


class Terminal:
    """One match at the prompt. `seats` are "human" or a level by name or number, one per seat."""

    def __init__(self, game: Game, seats: Sequence[str], seed: int | None, console: Console, language: str, typed: bool) -> None:
        if len(seats) != game.seats:
            raise OptionError("terminal:error.seats_named_game", "seats", count=len(seats), seats=game.seats)
        self.seats = [self._seat(game, kind, index) for index, kind in enumerate(seats)]
        self.match = Match(game)
        self.console = console
        self.language = language
        self.people = [index for index, kind in enumerate(self.seats) if kind == "human"]
        seed = secrets.randbits(32) if seed is None else seed
        self.dealer: SeededDealer | TypedDealer = TypedDealer(self._typed) if typed else SeededDealer(seed)
        self.process = SearchProcess()
        self.players = [self._player(game, kind, f"{seed}:{i}") for i, kind in enumerate(self.seats)]
        self.commands: dict[str, Callable[[], None]] = {
            "?": self._list, "undo": self._undo, "board": self._board, "hint": self._hint,
            "text": lambda: self.console.print(self.match.position.text, soft_wrap=True),
            "help": lambda: self.console.print(self.t("play.help"), markup=False),
        }  # fmt: skip

    def run(self) -> bool:
        """Play until the end (True) or `quit` (False). Errors: BridgeheadError where nobody can type."""
        if sys.stdin is None and (self.people or isinstance(self.dealer, TypedDealer)):  # closed: `play ... <&-`
            raise BridgeheadError("terminal:error.no_input", "stdin")
        self.console.print(self.t("play.help"), style="dim", markup=False)
        try:
            return self._run()
        except Stopped:
            return False
        finally:
            self.process.close()

    def t(self, key: str, **params: object) -> str:
        """A sentence of the terminal in the language of this match."""
        return t(key, self.language, **params)

    @staticmethod
    def _seat(game: Game, kind: str, index: int) -> str:
        """The player of a seat: "human", or a level's name. Errors: OptionError; MissingExtra."""
        if kind == "human":
            return kind
        try:
            level = level_named(game.spec, kind)
        except OptionError:
            there = ", ".join(levels_of(game.spec))
            raise OptionError("terminal:error.no_level_seat_human", f"seats[{index}]", kind=repr(kind), there=there) from None
        check_search(game, level)
        return level

    def _player(self, game: Game, kind: str, seed: str) -> Player | None:
        if kind == "human":
            return None
        return SubprocessPlayer(kind, seed, self.process) if searches(game, kind) else player(kind, seed)

    def _run(self) -> bool:
        while not self.match.position.is_over or self._corrected():
            position = self.match.position
            if position.is_chance:
                if (drawn := self.dealer.deal(position, self.match.chances)) is not None:
                    self._play(drawn)
            elif (computer := self.players[position.actor]) is not None:
                self._play(self._thought(computer, position))
            elif not self._human():
                return False
        self._board()
        self.console.print(self.t("play.over", result=record.result(self.match)), style="bold", markup=False)
        return True

    def _thought(self, computer: Player, position: Position) -> int:
        """A computer's choice; the terminal shows that it is searching."""
        look_back = looking_back(self.match)
        if not isinstance(computer, SubprocessPlayer):
            return computer.choose(position, look_back)
        with self.console.status(f"{self._prompt(position)} {self.t('play.thinks')}"):
            return computer.choose(position, look_back)

    def _human(self) -> bool:
        """One line from a person; False means quit."""
        if not self.match.log or self.match.log[-1].actor != self.match.position.actor:
            self._board()
        typed = self._ask(self._prompt(self.match.position) + " ")
        if typed in ("quit", "exit"):
            return False
        try:
            if typed in self.commands:
                self.commands[typed]()
            elif typed.startswith("why "):
                self._why(typed[4:].strip())
            elif typed:
                self._play(self.match.position.read(typed))
        except BridgeheadError as error:
            self.console.print(sentence(error.whole, self.language), style="red", highlight=False, markup=False)
            if isinstance(error, NotationError):
                self.console.print(self.t("play.lists"), style="dim", markup=False)
        return True

    def _prompt(self, position: Position) -> str:
        """The prompt for the person at the terminal; several persons share it, so it names their seats."""
        return position.tell_prompt(self.language, seats=self.people)

    def _sentence(self, position: Position, action: int) -> str:
        return position.sentence(action, self.language, seats=self.people)

    def _ask(self, prompt: str) -> str:
        return self.console.input(f"[bold]{prompt.replace('[', chr(92) + '[')}[/bold]").strip()

    def _corrected(self) -> bool:
        """Ask about a typed draw that ended the game; True if it was taken back."""
        if not self._can_correct() or self._ask(f"{self.t('play.right')} ") != "undo":
            return False
        self._undo()
        return True

    def _can_correct(self) -> bool:
        """Is the last action a typed draw?"""
        return isinstance(self.dealer, TypedDealer) and self.match.draw_point() is not None

    def _typed(self, position: Position) -> int | None:
        """Ask for the result of a real die or card; refuse an impossible one with its clause. Errors: Stopped.

        None: the draw before was taken back.
        """
        names = [position.name(action) for action in position.legal]
        shown = ", ".join(names) if len(names) <= MOST_SHOWN else self.t("play.more", names=", ".join(names[:MOST_SHOWN]))
        while True:
            typed = self._ask(f"{self._prompt(position)} {self.t('play.shows')} ({shown}) ")
            if typed in ("quit", "exit"):
                raise Stopped
            if typed == "?":
                self._list()
                continue
            if typed == "undo" and self._can_correct():
                self._undo()
                return None
            try:
                action = position.read(_whole(typed, names))
                if (refusal := position.explain(action)) is None:
                    return action
                reason = position.game.words.tell(refusal.phrase, self.language)
                self.console.print(f"{typed}: {reason} ({refusal.clause})", style="red", markup=False, highlight=False)
            except NotationError as error:
                self.console.print(sentence(error.whole, self.language), style="red", markup=False)

    def _play(self, action: int) -> None:
        before = self.match.position
        self.match.play(action)
        if before.game.spec.words.is_logged(before, action):
            self.console.print(self._sentence(before, action), markup=False, highlight=False)

    def _list(self) -> None:
        position = self.match.position
        table = Table(self.t("play.type"), self.t("play.means"), box=None, pad_edge=False)
        for action in position.legal:
            table.add_row(position.name(action), self._sentence(position, action))
        self.console.print(table)

    def _why(self, typed: str) -> None:
        position = self.match.position
        refusal = position.explain(position.read(typed))
        if refusal is None:
            self.console.print(self.t("play.legal", action=typed), markup=False)
        else:
            reason = position.game.words.tell(refusal.phrase, self.language, you=position.game.own_key(self.people))
            self.console.print(f"{reason} ({refusal.clause})", style="red", markup=False, highlight=False)

    def _hint(self) -> None:
        """A strong player's choice, with reasons."""
        position = self.match.position
        names = [position.game.spec.seat_letter(seat).upper() for seat in range(position.game.seats)]
        with self.console.status(self.t("play.thinks")):
            found = self.process.ask(advise, *describe_position(position), names, self.language, str(len(self.match.log)))
        table = Table(box=None, pad_edge=False, show_header=False)
        for each in found.best:
            label = f"{each.label} ({each.note})" if each.note else each.label
            table.add_row(each.text, label, f"{percent(each.chance)} %")
        self.console.print(f"{found.standing}: {percent(found.chance)} %", style="bold", markup=False, highlight=False)
        self.console.print(table)
        for reason in filter(None, (found.why, found.answer, found.plan, found.threat)):
            self.console.print(reason, markup=False, highlight=False)

    def _undo(self) -> None:
        if self._can_correct():
            action = self.match.log[-1].action
            self.match.rewind(len(self.match.log) - 1)
        else:
            action = self.match.undo()
        self.console.print(self.t("play.undone", action=self.match.position.name(action)), markup=False)
        self._board()

    def _board(self) -> None:
        self.console.print(text_board(self.match.position, self.language))
        for plate in self.match.game.spec.scene.plates(self.match.position, self.language):
            called = plate.name if plate.name == plate.letter else f"{plate.letter} ({plate.name})"
            if plate.lines:
                self.console.print(f"{called}: {', '.join(plate.lines)}", markup=False, highlight=False)


def _whole(typed: str, names: Sequence[str]) -> str:
    """The full name of a typed outcome: `roll 3` for `3`, if all outcomes begin with the same word."""
    (first, *others) = {name.rpartition(" ")[0] for name in names}
    return typed if others or " " in typed or not first else f"{first} {typed.upper()}"


def save(match: Match, names: Sequence[str], file: Path, typed: bool) -> None:
    """Write the record of a match. typed: people typed the results of real dice or cards."""
    match.chance = TypedDealer.SOURCE if typed and match.chances else ""
    file.write_text(record.dump(match, names), "utf-8")
