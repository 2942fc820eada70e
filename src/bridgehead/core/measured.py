"""What a study found about a game's rules: `measured.json` in its folder, written by `tools/recommended.py`.

The sentence about a preset says how many games by its rules have a winner. These figures come from here. Pages offer the
recommended preset for the numbers of seats that were measured.
"""

from __future__ import annotations

import functools

import msgspec

from bridgehead.core.phrases import Figure
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready

ORIGINAL = "original"  # the rules without a preset


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many games of one player in all seats had a winner. rules: the house rules that differ from the original."""

    preset: str
    rules: dict[str, object]
    player: str
    seats: int
    seed: int
    games: int
    won: int
    decisions: float  # of each seat in a game, on average

    @property
    def figures(self) -> dict[str, Figure]:
        """For a sentence: `games`, and the percents `won` and `without` a winner. `won` is rounded down: 100 means all games."""
        percent = 100 * self.won // self.games
        return {"games": Figure(f"{self.games:,}"), "won": Figure(percent), "without": Figure(100 - percent)}


@functools.cache
def load_shares(spec: Spec) -> tuple[Share, ...]:
    """All shares of a game; the first of a preset is the one for its sentence."""
    file = spec.folder / "measured.json"
    return msgspec.json.decode(file.read_bytes(), type=ready(tuple[Share, ...])) if file.exists() else ()


def list_measured_seats(spec: Spec, preset: str) -> list[int]:
    """For which numbers of seats a preset was measured, the least first."""
    return sorted({each.seats for each in load_shares(spec) if each.preset == preset})


def often_has_no_winner(spec: Spec) -> bool:
    """Whether some player, in all seats by the original rules, ended most of the measured games without a winner."""
    return any(2 * each.won < each.games for each in load_shares(spec) if each.preset == ORIGINAL)


def figures(spec: Spec, preset: str) -> dict[str, Figure]:
    """The numbers for the sentence about a preset; empty where none was measured."""
    return next((each.figures for each in load_shares(spec) if each.preset == preset), {})
