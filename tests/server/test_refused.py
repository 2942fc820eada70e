"""Refusals in German: every sentence has one, and requests and pages tell it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bridgehead.server import refused
from server.live import Live

ROOT = Path(refused.__file__).parents[1]
# Errors whose sentence a page may show; those in ELSEWHERE are for whoever runs a server, or for programs. What is wrong with a
# position's text, which is typed by those only who know how it is written, is told in English.
KINDS = {"OptionError", "BoardError", "RecordError", "NotationError", "UnknownGame", "HTTPException", "BridgeheadError"}
ELSEWHERE = {"backup", "bus", "audit", "serve", "roots", "postgres", "store", "device", "tutorial", "clauses", "small"}


def raised() -> Iterator[tuple[str, str]]:
    """The sentences of all refusals in the source, with braces in place of what changes, and the file."""
    for file in sorted(each for room in ("core", "games", "server") for each in (ROOT / room).rglob("*.py")):
        if file.stem in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                first = node.args[1 if node.func.id == "HTTPException" and len(node.args) > 1 else 0]
                if node.func.id in KINDS or (node.func.id == "_fail" and file.stem == "board"):
                    yield from ((sentence, file.name) for sentence in [_sentence(first)] if sentence)


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
    assert 'data-de="Diesen Tisch gibt es nicht."' in page and "There is no such table." in page


def test_a_message_that_is_not_understood_is_refused_in_german(live: Live) -> None:
    table = live.table()
    page = live.page(table, 0, lang="de")
    page.say(t="act", k="0" * 32, v="now", a=0)
    assert page.hear("rej")["text"] == "Der Server versteht diese Nachricht nicht: erwartet wird int, nicht str (bei $.v)"
