"""Puzzles over the line: one step with the action that is right, and why other things cannot be touched."""

import pytest

from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.players.puzzles import pose_puzzle, puzzles
from server.live import Live

GAMES = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", languages())
def test_a_puzzle_comes_with_its_answer_and_no_sentence_gives_it_away(game: str, lang: str, live: Live) -> None:
    spec = registry.spec(game)
    _, position, action = pose_puzzle(spec, puzzles(spec)[0])
    told = live.http.get(f"/api/games/{game}/puzzle", params={"lang": lang, "number": 1}).json()
    step = told["step"]
    assert (told["number"], told["of"], told["seat"]) == (1, len(puzzles(spec)), position.actor)
    assert {choice["action"] for choice in step["choices"]} == set(position.legal) and [*step["right"]] == [str(action)]
    assert step["frames"][0]["items"] and told["picture"]["fields"] and step["after"]
    name = position.name(action)
    assert name not in step["text"] and name not in step["hint"]
    names = [plate["name"] for plate in step["frames"][0]["plates"]]
    assert names[position.actor].lower() in step["text"].lower()


def test_a_touch_that_is_refused_names_its_clause_and_unknown_puzzles_are_not_found(live: Live) -> None:
    def why(number: object, *touch: str) -> tuple[int, dict[str, str]]:
        answer = live.http.get("/api/games/forty_bridges/puzzle/why", params={"number": number, "touch": touch})
        return answer.status_code, answer.json()

    told = live.http.get("/api/games/forty_bridges/puzzle", params={"number": 1}).json()
    other = next(item["id"] for item in told["step"]["frames"][0]["items"] if item["id"].startswith(f"p:{1 - told['seat']}:"))
    status, reason = why(1, other)
    assert status == 200 and reason["clause"].startswith("FB")
    of = told["of"]
    for number in (0, of + 1, "x", "", -1):
        assert why(number, other)[0] == 404
        assert live.http.get("/api/games/forty_bridges/puzzle", params={"number": number}).status_code == 404
    assert why(1)[0] == 404
    assert f"there are {of}" in live.http.get("/api/games/forty_bridges/puzzle", params={"number": of + 1}).json()["error"]
