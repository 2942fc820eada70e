"""`bridgehead analyse`: the analysis of a finished game, as JSON and as one page."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bridgehead.core import link
from bridgehead.core.errors import RecordError
from bridgehead.core.phrases import Phrase
from bridgehead.players import analysis, process_pool, report
from bridgehead.players.advice import WORDS, percent
from bridgehead.terminal.words import t

EACH = 12  # actions of one request to a process


def analyse(text: str, effort: int, seed: int, folder: Path, language: str, as_json: bool, console: Console) -> None:
    """Analyse a record or a link on all cores; write analysis.json and analysis.html. Errors: RecordError."""
    match, names = link.read(text)
    if not match.log:
        raise RecordError("terminal:error.nothing_was_played")
    folder.mkdir(parents=True, exist_ok=True)
    parts = [range(first, min(first + EACH, len(match.log))) for first in range(0, len(match.log), EACH)]
    steps: list[analysis.AnalysisStep] = []
    with (
        Progress(disable=as_json, transient=True, console=Console(stderr=True)) as progress,
        process_pool.working(min(len(parts), os.cpu_count() or 1)) as pool,
    ):
        task = progress.add_task(t("progress.analysing", language), total=len(match.log))
        for found in pool.map(_steps, [(text, part, effort, seed) for part in parts]):
            steps += found
            progress.advance(task, len(found))
    study = analysis.summarize_match(match, names, steps, effort, seed)
    data = msgspec.json.format(msgspec.json.encode(study), indent=1)
    (folder / "analysis.json").write_bytes(data + b"\n")
    (folder / "analysis.html").write_text(report.page(match, study, language), "utf-8")
    if as_json:
        print(data.decode())
        return
    _show(report.tell_analysis(match, study, language), language, console)
    console.print(f"{folder / 'analysis.json'}, {folder / 'analysis.html'}", style="dim", markup=False, highlight=False)


def _steps(request: tuple[str, range, int, int]) -> list[analysis.AnalysisStep]:
    text, part, effort, seed = request
    match, _ = link.read(text)
    return [analysis.step(match, at, effort, seed) for at in part]


def _show(found: report.Report, language: str, console: Console) -> None:
    words = found.words
    console.print(words["moments"], style="bold")
    for each in found.moments:
        turn = WORDS.tell(Phrase("turn", {"n": each.turn}), language)
        console.print(f"  {turn}: {each.text} {each.why}", markup=False, highlight=False)
    if not found.moments:
        console.print(f"  {words['moments.none']}")
    table = Table(words["luck.seat"], words["line"], words["luck.luck"], words["luck.lost"], words["luck.decisions"], box=None)
    for index, seat in enumerate(found.seats):
        first, last = (percent(found.line[at][index]) for at in (0, -1))
        luck, lost = f"{100 * seat.luck:+.0f}", f"{100 * seat.lost:.0f}"
        table.add_row(seat.name, f"{first} % → {last} %", luck, lost, str(seat.decisions))
    console.print(table)
