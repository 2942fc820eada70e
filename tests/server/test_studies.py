"""Studies at the level of requests: places shown, edited and refused in words, linked, and answered by the engine."""

import json
from typing import Any

import pytest

from bridgehead.core import link, record, registry, study
from bridgehead.core.match import Match
from bridgehead.players.advice import Assessment
from records import recorded
from server.live import Live

GAMES = ("burning_bridges", "forty_bridges", "front_lines", "barricade")


def text_of(game: str) -> str:
    return recorded(f"{game}-1")


def stroke(
    live: Live, of: str, /, at: str = "last", do: str = "", status: int = 200, way: str = "", **more: Any
) -> dict[str, Any]:
    return live.ask(f"/api/study{way}?lang=en", {"record": of, "at": at, "do": do, **more}, status)


@pytest.mark.parametrize("game", GAMES)
def test_every_place_of_a_record_is_shown_with_what_can_be_played(game: str, live: Live) -> None:
    text = text_of(game)
    match, names = record.load(text)
    first = stroke(live, text, "0", fresh=True)
    assert first["picture"]["fields"] and first["record"] == text and first["title"] == match.game.spec.title
    (line,) = first["tree"]
    assert [each["text"] for each in line["steps"][1:]] == [match.positions[i].name(e.action) for i, e in enumerate(match.log)]
    for at in sorted({0, 1, 2, 5, len(match.log) // 2, len(match.log) - 1}):
        shown, position = stroke(live, text, str(at)), match.positions[at]
        assert "picture" not in shown and "tree" not in shown and shown["next"] == [str(at + 1)]
        playable = {each["action"] for each in shown.get("faces", shown["choices"])}
        assert playable == set(position.legal) and shown["frame"]["actor"] == position.actor
    end = stroke(live, text)
    assert end["at"] == str(len(match.log)) and not end["choices"] and end["prompt"]


@pytest.mark.parametrize("game", GAMES)
def test_a_study_is_made_linked_and_opened_again(game: str, live: Live) -> None:
    match = Match(registry.game(game))
    text = record.dump(match, [""] * match.game.seats)
    shown = stroke(live, text, "0", fresh=True)
    for _ in range(4):
        options = shown.get("faces", shown["choices"])
        shown = stroke(live, shown.get("record", text), shown["at"], "play", action=options[0]["action"])
    text = shown["record"]
    other = next(each for at in ("3", "2", "1", "0") for each in _others(live, text, at))
    at, action = other
    shown = stroke(live, text, at, "play", action=action)
    place = shown["at"]
    assert place == f"{at}.0.1" and len(shown["tree"]) == 2 and shown["tree"][1]["start"] == at
    shown = stroke(live, shown["record"], place, "comment", text="A try.\nOr not.")
    fields = [each["id"] for each in stroke(live, text, "0", fresh=True)["picture"]["fields"]][:2]
    shown = stroke(live, shown["record"], place, "draw", touch=fields)
    shown = stroke(live, shown["record"], place, "draw", touch=fields[:1], colour="blue")
    assert shown["comment"] == "A try.\nOr not." and shown["shapes"] == [[*fields, ""], [fields[0], fields[0], "blue"]]
    whole = stroke(live, shown["record"], place, way="/links")
    again = stroke(live, f"http://here/study#g={whole['link']}", place, fresh=True)
    assert again["record"] == shown["record"] and again["comment"] == shown["comment"]
    way, _ = link.read(whole["way"])
    assert len(way.log) == whole["actions"] == int(at) + 1 and not way.remarks
    shown = stroke(live, shown["record"], place, "promote")
    assert shown["at"] == str(int(at) + 1) and shown["comment"] == "A try.\nOr not."
    shown = stroke(live, shown["record"], shown["at"], "clear")
    assert not shown["shapes"]
    shown = stroke(live, shown["record"], shown["at"], "delete")
    assert shown["at"] == at and shown["tree"][0]["steps"][-1]["path"] == at


def _others(live: Live, text: str, at: str) -> list[tuple[str, int]]:
    """Actions at a place that were not played there."""
    shown = stroke(live, text, at)
    played = record.load(text)[0].log[int(at)].action
    return [(at, each["action"]) for each in shown.get("faces", shown["choices"]) if each["action"] != played]


def test_what_is_refused_is_refused_in_words_and_changes_nothing(live: Live) -> None:
    text = text_of("forty_bridges")
    action = record.load(text)[0].log[0].action
    for at, do, more, what in (
        ("3", "play", {"action": 10**6}, "no action"),
        ("0.0.1", "", {}, "no place 0.0.1"),
        ("x", "", {}, "no place"),
        ("0", "delete", {}, "no place"),
        ("2", "draw", {"touch": ["f:a1", "f:zz"]}, "no field"),
        ("2", "draw", {"touch": []}, "one field for a circle"),
        ("2", "comment", {"text": "x" * 5000}, "4000 characters"),
        ("2", "jump", {}, "jump"),
    ):
        assert what in stroke(live, text, at, do, 400, **more)["error"], (at, do)
    refused = stroke(live, text, "2", "play", 400, action=action)
    assert refused["error"]
    for bad in ("nonsense", text.replace("\n2. ", "\n2. (", 1), text + "(\n" * 5000):
        assert stroke(live, bad, "0", "", 400)["where"].startswith("line ")
    assert stroke(live, text, "2", fresh=True)["record"] == text
    reason = stroke(live, text, "0", way="/why", touch=["f:c3"])
    assert reason["text"]


def what_it_knows(*request: Any) -> Assessment:
    """In place of a search: what it was asked."""
    return Assessment(0, 0.5, "even", [], json.dumps(request), "", "", "", 1)


def test_the_engine_is_asked_about_the_place_in_a_variation(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.jobs.computer_players.advise", what_it_knows)
    monkeypatch.setattr("bridgehead.server.jobs.computer_players.prepare", what_it_knows)
    text = text_of("forty_bridges")
    shown = stroke(live, text, "2")
    played = record.load(text)[0].log[2].action
    other = next(each["action"] for each in shown["choices"] if each["action"] != played)
    shown = stroke(live, text, "2", "play", action=other)
    told = stroke(live, shown["record"], shown["at"], way="/lines")
    match, names = record.load(shown["record"])
    game, _, position, called, language, _ = json.loads(told["why"])
    assert (game, called, language) == ("forty_bridges", names, "en")
    assert position == study.position_at(match, (2, 0, 1)).text == match.positions[2].after(other).text
    assert "no seat" in stroke(live, text, "last", way="/lines", status=400)["error"]


def test_a_record_of_nearly_a_megabyte_is_taken_and_a_longer_one_refused(live: Live) -> None:
    text = text_of("forty_bridges") + "# note\n" * 120_000
    assert stroke(live, text, "1")["at"] == "1"
    assert live.http.post("/api/study", json={"record": "x" * 1_100_000}).status_code in (400, 413)
    assert "bytes" in stroke(live, text + "# note\n" * 10_000, "1", "comment", 400, text="x")["error"]
