"""Tutorials over the line: every step comes with all that the page needs, and the answers are those of the rules."""

import pytest

from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.core.tutorial import tutorial
from server.live import Live

GAMES = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", languages())
def test_a_tutorial_is_told_whole(game: str, lang: str, live: Live) -> None:
    told = live.http.get(f"/api/games/{game}/tutorial", params={"lang": lang}).json()
    _, scenes = tutorial(registry.spec(game))
    assert len(told["steps"]) == len(scenes) and told["seat"] == 0 and told["picture"]["fields"]
    for step, scene in zip(told["steps"], scenes, strict=True):
        assert step["text"] == scene.match.game.words.text(scene.text, lang)
        assert len(step["frames"]) == len(scene.match.log) + 1 - scene.since and step["frames"][0]["traces"] == []
        assert all(frame["items"] and frame["plates"] for frame in step["frames"])
        assert all(frame["sentence"] for frame in step["frames"][1:])
        if not scene.answers:
            assert "choices" not in step
            continue
        assert {choice["action"] for choice in step["choices"]} == set(scene.position.legal)
        assert {int(action) for action in step["right"]} == set(scene.answers) and step["hint"]
        assert {int(action): text for action, text in step["wrong"].items()} == {
            action: scene.match.game.words.text(key, lang) for action, key in scene.wrong.items()
        }
        drawn = {item["id"] for item in step["frames"][-1]["items"]} | {field["id"] for field in told["picture"]["fields"]}
        assert all(id in drawn or id in step["buttons"] for id in step["show"])


def test_a_thing_that_may_not_be_touched_says_why_by_its_clause(live: Live) -> None:
    def why(game: str, step: int, *touch: str, lang: str = "en") -> dict[str, str]:
        answer = live.http.get(f"/api/games/{game}/tutorial/why", params={"step": step, "touch": touch, "lang": lang})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    assert why("barricade", 2, "p:b:home1.0", "f:e10")["clause"] == "BA-R.1"
    assert why("barricade", 4, "p:b:f1", "f:e5")["clause"] == "BA-R.1"
    assert why("burning_bridges", 1, "p:aS", "f:B0")["clause"] == "BB-1.c"
    assert "keine Brücke von dir" in why("burning_bridges", 1, "p:aS", "f:B0", lang="de")["text"]
    assert why("forty_bridges", 1, "p:0:b2", "f:c4")["clause"] == "FB-4.b"
    assert why("front_lines", 2, "f:a4")["clause"] == "FLQ-8"
    for query in (
        "",
        "?step=99&touch=f:a1",
        "?step=x&touch=f:a1",
        "?step=1",
        "?step=-1&touch=f:a1",
        "?step=1" + "&touch=f:a1" * 9,
    ):
        assert live.http.get(f"/api/games/barricade/tutorial/why{query}").status_code == 404


def test_the_first_game_after_a_lesson_has_the_rules_as_written(live: Live) -> None:
    first = {game: live.http.get(f"/api/games/{game}/tutorial").json()["first"] for game in GAMES}
    assert {each["preset"] for each in first.values()} == {""}
    recommended = {game for game, each in first.items() if each["recommended"]}
    assert recommended == set(GAMES) - {"barricade"}, "for whoever has chosen it; a small board was not measured"
    assert first["front_lines"]["options"] == {"seats": 2}


def test_only_games_with_a_tutorial_link_to_one(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in GAMES:
        assert (
            f'href="/learn/{game}"' in live.http.get("/").text and f'href="/learn/{game}"' in live.http.get(f"/rules/{game}").text
        )
        page = live.http.get(f"/learn/{game}")
        assert page.status_code == 200 and "learn.js" in page.text
    for module in ("http.rendering", "http.tutorials.tutorial"):
        monkeypatch.setattr(f"bridgehead.server.{module}.has_tutorial", lambda spec: spec.id != "barricade")
    for path in ("/", "/rules/barricade"):
        assert "/learn/barricade" not in live.http.get(path).text
    for path in (
        "/learn/barricade",
        "/api/games/barricade/tutorial",
        "/api/games/barricade/tutorial/why?step=1&touch=f:a1",
        "/learn/chess",
    ):
        assert live.http.get(path).status_code == 404
