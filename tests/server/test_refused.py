"""Refusals in German: every sentence has one, and requests and pages tell it."""

from __future__ import annotations

import ast
import copy
import functools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.options import build
from bridgehead.core.record import dump
from bridgehead.core.spec import Spec
from bridgehead.server.http import refused
from server.live import Live

ROOT = Path(refused.__file__).parents[2]
# Errors whose sentence a page may show; those in ELSEWHERE are for whoever runs a server, or for programs.
KINDS = {
    "OptionError",
    "BoardError",
    "RecordError",
    "NotationError",
    "UnknownGame",
    "HTTPException",
    "BridgeheadError",
    "PositionError",
}
# And functions that raise one: which of their arguments is the sentence.
RAISING = {"_fail": 0, "_require": 1}
ELSEWHERE = {"backup", "redis_bus", "audit", "run", "seal_log", "postgres", "sqlite", "cuda", "tutorial", "clauses", "small"}


def raised() -> Iterator[tuple[str, str]]:
    """The sentences of all refusals in the source, with braces in place of what changes, and the file."""
    for file in sorted(each for room in ("core", "games", "server") for each in (ROOT / room).rglob("*.py")):
        if file.stem in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                kind, given = node.func.id, node.args
                place = int(kind == "HTTPException" and len(given) > 1) if kind in KINDS else RAISING.get(kind, -1)
                if 0 <= place < len(given) and (sentence := _sentence(given[place])):
                    yield sentence, file.name


def _sentence(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return ""


def test_every_refusal_that_a_page_may_show_has_a_german_sentence() -> None:
    known = {each.pattern for each, _ in refused._patterns("de")}
    found = [*raised()]
    assert len(found) > 100
    lacking = [(s, file) for s, file in found if s != "{}{}" and refused.pattern(s).pattern not in known]
    assert lacking == []
    for template in (each for _, each in refused._patterns("de")):
        assert not re.search(r"\b(the|expected|is no|has no)\b", template), template


def test_a_refusal_is_told_in_german_with_what_it_is_about() -> None:
    assert refused.told("the board has 4 homes, too few for 6 players", "de") == "das Brett hat 4 Häuser, zu wenige für 6 Spieler"
    assert refused.told("the board has 4 homes, too few for 6 players", "en").startswith("the board has")
    inner = "'x9': the board has no square 'x9'"
    assert refused.told(inner, "de") == "'x9': das Brett hat kein Feld 'x9'"
    wrong = "Expected `int`, got `str` - at `$.seats`; allowed: 2 to 4"
    assert refused.told(wrong, "de") == "erwartet wird int, nicht str (bei $.seats); erlaubt: 2 to 4"
    assert refused.told("nobody has said this before", "de") == "nobody has said this before"
    assert refused.told("x: " * 400, "de") == "x: " * 400


def test_requests_and_pages_refuse_in_the_language_that_is_asked_for(live: Live) -> None:
    wish, german = {"game": "barricade", "options": {"seats": 6}}, {"accept-language": "de-DE,de;q=0.9"}
    answers = [
        live.http.post("/api/check", json=wish),
        live.http.post("/api/check", json=wish, headers=german),
        live.http.post("/api/check?lang=en", json=wish, headers=german),
    ]
    assert [answer.status_code for answer in answers] == [400] * 3
    english, told, asked = (answer.json() for answer in answers)
    assert english == asked == {"error": "the board has 4 homes, too few for 6 players", "where": "seats"}
    assert told == {"error": "das Brett hat 4 Häuser, zu wenige für 6 Spieler", "where": "seats"}
    page = live.http.get("/t/NOSUC").text
    assert "Diesen Tisch gibt es nicht." in page and "There is no such table." in page


ENGLISH = re.compile(
    r"\b(the|and|or|is|has|of|no|not|with|expected|got|stands?|lies|lost|too|than|turns?|pieces|pawns|holds|pillars|numbers|goals|lines|families)\b"
)
# What stands in the text itself, and the words that may stand there.
TOKENS = (
    "eines von .*(?=, nicht)",
    "(?:sind|Reihenfolge|Ende|erwartet wird): .*",
    "erwartet wird none.*",
    "(?:Objekt mit|es hat|unbekannt; erwartet wird) .*",
)
QUOTED = re.compile("|".join(["'[^']*'", "`[^`]*`", '"[^"]*"', r"\([^)]*\)", *TOKENS]))


def broken(lot: random.Random, text: str, alphabet: list[str]) -> str:
    """A position's text in which something has been put out of order."""
    parts = re.split(r"(\W)", text)
    for _ in range(lot.randint(1, 2)):
        at = lot.randrange(len(parts))
        parts[at : at + lot.randint(0, 1)] = [] if lot.random() < 0.3 else [lot.choice(alphabet)]
    return "".join(parts)


@pytest.mark.parametrize("spec", registry.specs().values(), ids=lambda spec: spec.id)
def test_whatever_is_wrong_with_a_position_is_said_in_german(spec: Spec) -> None:
    lot, heard = random.Random(7), set()
    game = Game(spec, build(spec, "", {}))
    match = Match(game)
    while match.outcome is None and len(match.log) < 60:
        match.play(lot.choice(match.position.legal))
    texts = [position.text for position in match.positions]
    alphabet = [*{word for text in texts for word in re.split(r"(\W)", text) if word}, "9", "0", "x"]
    for _ in range(1500):
        try:
            game.load(broken(lot, lot.choice(texts), sorted(alphabet)))
        except BridgeheadError as error:
            told = refused.told(error.what, "de")
            assert not ENGLISH.search(QUOTED.sub("", told)), (error.what, told)
            heard.add(re.sub(r"'.*?'|\d+", "", told))
    assert len(heard) >= 10


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where everything lies in a board file."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(value[key], (*path, key))


@pytest.mark.parametrize("name", ["barricade", "burning_bridges"])
def test_whatever_is_wrong_with_a_board_file_is_said_in_german(name: str) -> None:
    spec, lot, heard = registry.spec(name), random.Random(3), set()
    files = [json.loads(file.read_text("utf-8")) for file in sorted((spec.folder / "boards").glob("*.json"))]
    for _ in range(400):
        board = copy.deepcopy(lot.choice(files))
        board.pop("ascii", None)
        *way, last = lot.choice([*places(board)])
        there = functools.reduce(lambda part, key: part[key], way, board)
        if lot.random() < 0.3:
            del there[last]
        else:
            there[last] = lot.choice([None, -1, 99_999, "", "x", [], {}, [1, 2], {"x": 1}, 0.5, "A" * 60])
        try:
            Game(spec, build(spec, "", {"board": board}))
        except BridgeheadError as error:
            told = refused.told(error.what, "de")
            assert not ENGLISH.search(QUOTED.sub("", told)), (error.what, told)
            heard.add(re.sub(r"'.*?'|\d+", "", told))
    assert len(heard) >= 8


def test_a_record_that_begins_nowhere_is_refused_in_german(live: Live) -> None:
    record = Match(Game(registry.spec("forty_bridges"), build(registry.spec("forty_bridges"), "", {})))
    text = dump(record, ["A", "B"])
    lines = text.split("\n")
    lines.insert(next(i for i, line in enumerate(lines) if line.startswith("seats")) + 1, "start: a2 a2 a 0 0 - - -")
    answer = live.http.post("/api/records?lang=de", content="\n".join(lines), headers={"content-type": "text/plain"})
    assert answer.status_code == 400 and answer.json() == {"error": "Spieler 2: a2 steht zweimal da", "where": "Zeile 6"}, (
        answer.text
    )
    answer = live.http.post("/api/records?lang=en", content="\n".join(lines), headers={"content-type": "text/plain"})
    assert answer.json() == {"error": "player 2: a2 is given twice", "where": "line 6"}


def test_a_message_that_is_not_understood_is_refused_in_german(live: Live) -> None:
    table = live.table()
    page = live.page(table, 0, lang="de")
    page.say(t="act", k="0" * 32, v="now", a=0)
    assert page.hear("rej")["text"] == "Der Server versteht diese Nachricht nicht: erwartet wird int, nicht str (bei $.v)"
