"""An analysis on the site: two of its pieces are computed at a time, and it is what one piece after another gives."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bridgehead.players import analysis
from bridgehead.server.http import analyses
from bridgehead.site import host
from bridgehead.site.pool import Thinkers
from waiting import apart

RECORD = (Path(__file__).parents[1] / "proof" / "records" / "forty_bridges-1.txt").read_text("utf-8")


def briefly(text: str, piece: range) -> analyses.Steps:
    """A piece with little thought: rules are not compiled here."""
    return [analysis.step(analyses._opened(text)[0], at, effort=1) for at in piece]


class Backwards:
    """Stands in for a pool. Of two pieces that are asked for at a time, the second is answered first."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.busy: list[int] = []
        self.most = 0

    async def ask(self, function: Callable[..., Any], *request: Any, **_: Any) -> Any:
        if function is not analyses.part:
            return function(*request)
        text, piece = request
        self.busy.append(piece.start)
        self.most = max(self.most, len(self.busy))
        for _ in range(10 if piece.start == min(self.busy) else 1):
            await asyncio.sleep(0)
        self.busy.remove(piece.start)
        return briefly(text, piece)

    def stop(self) -> None:
        """Nothing to do."""


def analysed(made: analyses.Analyses) -> tuple[int, bytes]:
    """How many pieces were asked for at a time, and the analysis."""

    async def run() -> tuple[int, bytes]:
        key = made.begin(RECORD, "")
        await made.going[key].task
        workers: Any = made.search.compiled
        return workers.most, made._kept[key][1]

    return apart(run())


def test_two_pieces_at_a_time_give_the_analysis_that_one_after_another_gives() -> None:
    pool: Any = Backwards
    asked: list[int] = []
    helped = Thinkers(lambda number: bool(asked.append(number)))
    alone, together = analysed(analyses.Analyses(None, lambda asker: 0.0, pool)), analysed(host.BrowserAnalyses(helped, pool))
    assert (alone[0], together[0]) == (1, 2)
    count, _ = analyses.measure(RECORD)
    assert alone[1] == together[1] == analyses.join_steps(RECORD, briefly(RECORD, range(count)))
    assert asked == [1, 0], "help is there for the time of the analysis"
