"""A search for a page ("Mend the rules"), played piece by piece in a worker process of the server."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.phrases import languages
from bridgehead.core.validation import ready
from bridgehead.players import strengths
from bridgehead.workshop.lab.running import RowBlock, serially
from bridgehead.workshop.lab.tune.search import SearchProgress, SearchRequest, SettingSearch
from bridgehead.workshop.lab.tune.settings import changes
from bridgehead.workshop.lab.tune.wishes import wishes
from bridgehead.workshop.lab.tune.words import as_data

GAMES, CONFIRM, DEEPEST = 2000, 100, 2
OPTIONS, BOARDS = "options", "options,board"  # what may change


class SearchState(NamedTuple):
    """Progress of a search; done: its answer is written."""

    progress: SearchProgress
    done: bool


class TimeUp(Exception):
    """The piece has lasted long enough."""


def request(game: Game, wished: str, boards: bool) -> SearchRequest:
    """The request of a page. Errors: OptionError for wishes that cannot be."""
    wishes(wished, game)
    players = tuple(dict.fromkeys(("greedy", strengths(game.spec)["medium"])))
    allowed = BOARDS if boards and game.spec.is_editable and not game.spec.editor.SEALED else OPTIONS
    return SearchRequest(game.spec.id, game.differences, wished, allowed, players, GAMES, CONFIRM, deepest=DEEPEST)


def request_text(game: Game, wished: str, boards: bool) -> str:
    """The request of a page as canonical JSON. Errors: as `request`."""
    return json.dumps(msgspec.to_builtins(request(game, wished, boards)), sort_keys=True, separators=(",", ":"))


def continue_rule_search(text: str, folder: str, file: str, seconds: float) -> SearchState:
    """Continue for some seconds, at least one part; at the end write the answer in every language into a file of the folder."""
    search = _search(text, folder)
    until, last = time.monotonic() + seconds, [SearchProgress("search", 0, 0, 1)]

    def executor(parts: Iterable[RowBlock]) -> Iterator[tuple[RowBlock, Any]]:
        for made in serially(parts):
            yield made
            if time.monotonic() >= until:
                raise TimeUp

    search.executor, search.report = executor, lambda progress: last.__setitem__(0, progress)
    try:
        answer = search.answer()
    except TimeUp:
        return SearchState(last[0], False)
    found = {language: as_data(answer, search.request, search.base, language) for language in languages()}
    (Path(folder) / file).write_text(json.dumps(found, ensure_ascii=False), "utf-8")
    _search.cache_clear()
    return SearchState(last[0], True)


@functools.lru_cache(1)
def _search(text: str, folder: str) -> SettingSearch:
    asked = msgspec.json.decode(text, type=ready(SearchRequest))
    base = registry.game(asked.game, **asked.rules)
    allowed = changes(asked.allowed, base, asked.seed)
    return SettingSearch(asked, base, wishes(asked.wishes, base), allowed, Path(folder), serially)
