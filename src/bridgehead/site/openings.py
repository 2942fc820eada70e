"""What the first pages of a game ask, answered by the host when the site is built: a board is there before Python has come.

`first/home-LANGUAGE.json.z` and `first/new-GAME-LANGUAGE.json.z` (zlib) have `answers` by request. The second has `tables`, too:
the first view of a table with the usual choices, where a person decides first. A page shows it and takes the first move.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from jinja2.utils import htmlsafe_json_dumps

from bridgehead.core import options as house
from bridgehead.core.phrases import languages
from bridgehead.core.spec import Spec
from bridgehead.players import usual
from bridgehead.server.tables import codes
from bridgehead.site.boards import OwnBoard
from bridgehead.site.host import BrowserHost
from bridgehead.site.in_browser import ForgetfulBrowser, first_view

MANY = 4  # seats that a page offers at first, at most, where the game has no usual number
UNCHANGED = "!~*'()"  # beside letters, digits, "_", "." and "-", by encodeURIComponent
PERSON = {"kind": "person", "open": False}


def files(games: Iterable[Spec], boards: Sequence[OwnBoard] = ()) -> dict[str, bytes]:
    """The files of all languages."""
    with ThreadPoolExecutor(1) as thread:  # the caller may have a running event loop
        return thread.submit(asyncio.run, _files(list(games), boards)).result()


async def _files(games: Sequence[Spec], boards: Sequence[OwnBoard]) -> dict[str, bytes]:
    host, made = BrowserHost(ForgetfulBrowser()), dict[str, bytes]()
    for language in languages():
        wanted = [("GET", f"/api/games/{spec.id}/showpiece?lang={language}", "") for spec in games]
        wanted += [("GET", _picture(board.game.spec.id, language, _in_page(board.options)), "") for board in boards]
        made[f"first/home-{language}.json.z"] = _packed({"answers": await _answers(host, language, wanted)})
        for spec in games:
            made[f"first/new-{spec.id}-{language}.json.z"] = _packed(await _opening(host, spec, language))
    await host.close()
    return made


async def _opening(host: BrowserHost, spec: Spec, language: str) -> dict[str, Any]:
    answers, tables = dict[str, str](), []
    for others, count in ((PERSON, _seats(spec)), ({"kind": "computer", "level": usual(spec)}, spec.seats[0])):
        rules = {"game": spec.id, "preset": "", "options": {"seats": count}}
        check = await _answers(host, language, [("POST", "/api/check", _script(rules))])
        (differences,) = (json.loads(each)["differences"] for each in check.values())
        picture = await _answers(host, language, [("GET", _picture(spec.id, language, _script(differences)), "")])
        answers |= check | picture
        wish = {**rules, "seats": [PERSON, *[others] * (count - 1)]}
        if shown := await _first(host, wish, language):
            tables.append(shown)
    return {"answers": answers, "tables": tables, "letters": codes.LETTERS, "length": codes.LONG}


async def _first(host: BrowserHost, wish: Mapping[str, Any], language: str) -> dict[str, Any] | None:
    """The wish as a page sends it, who gets a token, and the first view; None if chance or the computer comes first."""
    made, view = await first_view(host, wish, language)
    if view["v"] or not view.get("choices"):
        return None
    return {"wish": _script(wish), "tokens": list(map(bool, made["tokens"])), "view": {**view, "table": "", "mark": ""}}


async def _answers(host: BrowserHost, language: str, wanted: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """The answers to requests: method, address, body."""
    found = {}
    for method, path, body in wanted:
        status, _, content = await host.request(method, path, body, language)
        if status < 300:
            found[f"{method} {path} {body}"] = content.decode()
    return found


def _seats(spec: Spec) -> int:
    """The number of seats with which the page of a new game begins."""
    standard = next((info.default for info in house.describe(spec) if info.name == "seats"), None)
    return int(standard or min(MANY, spec.seats[1]))


def _picture(game: str, language: str, rules: str) -> str:
    return f"/api/games/{game}/picture?lang={language}&options={quote(rules, safe=UNCHANGED)}"


def _in_page(options: Mapping[str, Any]) -> str:
    """House rules as the start page has them in an attribute."""
    return str(htmlsafe_json_dumps(options, sort_keys=True))


def _script(value: object) -> str:
    """JSON as a browser writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _packed(value: object) -> bytes:
    return zlib.compress(_script(value).encode(), 9)
