"""The rule doctor in the terminal: a search that can be continued, and its answer as text, Markdown and JSON."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from pathlib import Path

import msgspec

from bridgehead.core.errors import RecordError
from bridgehead.core.game import Game
from bridgehead.core.own_boards import write_arguments, write_board
from bridgehead.core.phrases import ENGLISH
from bridgehead.terminal.words import t
from bridgehead.workshop.lab.running import Executor
from bridgehead.workshop.lab.study import ladder
from bridgehead.workshop.lab.tune import words
from bridgehead.workshop.lab.tune.search import SearchProgress, SearchRequest, SettingSearch
from bridgehead.workshop.lab.tune.settings import changes
from bridgehead.workshop.lab.tune.wishes import wishes
from bridgehead.workshop.lab.words import phrase, tell, whole


def tune(
    base: Game, wish: str, allowed: str, players: str, games: int, confirm: int, seed: int, deepest: int, seconds: float,
    out: Path | None, executor: Executor, language: str = ENGLISH,
) -> None:  # fmt: skip
    """Search and print proposals. Errors: OptionError, BoardError, RecordError."""
    named = tuple(name.strip() for name in players.split(",") if name.strip()) or usual_players(base)
    request = SearchRequest(base.spec.id, base.differences, wish, allowed, named, games, confirm, seed, deepest, seconds)
    wanted, single = wishes(wish, base), changes(allowed, base, seed)
    folder = _folder(request, out)
    stages: list[tuple[str, int]] = []

    def report(now: SearchProgress) -> None:
        if (stage := (now.stage, now.wanted)) not in stages:
            stages.append(stage)
            print(tell(phrase(f"tune.stage.{now.stage}", n=now.settings, games=whole(now.wanted)), language), file=sys.stderr)

    try:
        answer = SettingSearch(request, base, wanted, single, folder, executor, report).answer()
    except KeyboardInterrupt:
        print(t("tune.stopped", language, folder=folder), file=sys.stderr)
        raise
    command = _command(request, base)
    text = words.write_markdown(answer, request, base, command, language)
    (folder / "proposals.md").write_text(text, "utf-8")
    data = words.as_data(answer, request, base, language)
    (folder / "proposals.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for number, each in enumerate([answer.base, *answer.proposals]):
        if file := words.name_board_file(each, base, number):
            write_board(each.setting.make_game(base) or base, folder / file)
    print(text)
    print(t("tune.written", language, file=folder / "proposals.md"))


def usual_players(base: Game) -> tuple[str, ...]:
    """A quick player for the search, and players of two more kinds to confirm: a small search, and the strongest quick level."""
    return tuple(dict.fromkeys(("greedy", "search:50", ladder(base.spec.id)[-1])))


def _folder(request: SearchRequest, out: Path | None) -> Path:
    """The folder of this search. Errors: RecordError if it holds another one."""
    text = json.dumps(msgspec.to_builtins(request), sort_keys=True)
    folder = out or Path(f"tune-{request.game}-{hashlib.sha256(text.encode()).hexdigest()[:12]}")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "request.json"
    if not file.exists():
        file.write_text(text + "\n", "utf-8")
    elif file.read_text("utf-8").strip() != text:
        raise RecordError("lab:error.folder_holds_another_run_take", str(folder))
    return folder


def _command(request: SearchRequest, base: Game) -> str:
    """The command that makes the same answer."""
    options = {
        "--wish": request.wishes, "--change": request.allowed,
        "--players": ",".join(request.players), "--games": str(request.games), "--confirm": str(request.confirm),
        "--seed": str(request.seed), "--most": str(request.deepest), "--seconds": f"{request.seconds:g}",
    }  # fmt: skip
    given = [part for name, value in options.items() if value for part in (name, value)]
    return shlex.join(["bridgehead", "tune", request.game, *write_arguments(base), *given])
