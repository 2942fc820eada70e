"""Puzzles over the line: one step with the action that is right, and why other things cannot be touched."""

import itertools

import pytest

from bridgehead.core import registry
from bridgehead.core.match import Match
from bridgehead.core.phrases import languages
from bridgehead.players.puzzles import NUMBERED, Puzzle, pose_puzzle, puzzles, unfold_line
from bridgehead.server.http.tutorials import after
from server.live import Live

GAMES = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", languages())
def test_a_puzzle_comes_with_its_answer_and_no_sentence_gives_it_away(game: str, lang: str, live: Live) -> None:
    spec = registry.spec(game)
    puzzle, position, action = pose_puzzle(spec, next(each for each in puzzles(spec) if each.rival and not each.line))
    told = live.http.get(f"/api/games/{game}/puzzle", params={"lang": lang, "name": puzzle.name}).json()
    step = told["step"]
    place = puzzles(spec).index(puzzle) + 1
    assert (told["number"], told["of"], told["seat"], told["name"]) == (place, len(puzzles(spec)), position.actor, puzzle.name)
    assert {choice["action"] for choice in step["choices"]} == set(position.legal) and [*step["right"]] == [str(action)]
    assert step["frames"][0]["items"] and told["picture"]["fields"] and step["after"]
    name = position.name(action)
    assert name not in step["text"] and name not in step["hint"]
    names = [plate["name"] for plate in step["frames"][0]["plates"]]
    assert names[position.actor].lower() in step["text"].lower()


@pytest.mark.parametrize("game", GAMES)
def test_the_answer_says_why_the_second_best_fails(game: str, live: Live) -> None:
    spec = registry.spec(game)
    for length in (1, 2):
        puzzle = next((each for each in puzzles(spec) if len(each.rival) == length and not each.line), None)
        if puzzle is None:
            continue
        _, position, _ = pose_puzzle(spec, puzzle)
        told = live.http.get(f"/api/games/{game}/puzzle", params={"name": puzzle.name}).json()["step"]["after"]
        rival = position.read(puzzle.rival[0])
        second = position.sentence(rival, "en")
        assert "Second best: " in told and second[-8:] in told, (told, second)
        if length == 2:
            after = position.play(rival)
            assert f"The answer: {after.sentence(after.read(puzzle.rival[1]), 'en')[:5]}" in told


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", languages())
def test_a_line_asks_for_one_action_after_another_and_shows_the_reply_between(game: str, lang: str, live: Live) -> None:
    spec = registry.spec(game)
    lines = [each for each in puzzles(spec) if each.line]
    for puzzle in lines[0], max(lines, key=count_replies):
        stages = unfold_line(pose_puzzle(spec, puzzle))
        told = live.http.get(f"/api/games/{game}/puzzle", params={"lang": lang, "name": puzzle.name}).json()
        steps = [told["step"], *told["more"]]
        assert str(len(stages)) in steps[0]["text"] and len(steps) == len(stages)
        for stage, step in zip(stages, steps, strict=True):
            assert [*step["right"]] == [str(stage.action)]
            assert {choice["action"] for choice in step["choices"]} == set(stage.position.legal)
            assert stage.position.name(stage.action) not in step["text"] + step["hint"]
            assert ("after" in step) == (stage is stages[-1])
            assert len(step["frames"]) == 1 + len(stage.replies.log)
        for before, step in itertools.pairwise(steps):  # each begins where the action before led to
            (right,) = before["right"].values()
            assert right["items"] == step["frames"][0]["items"] and all(each["sentence"] for each in step["frames"][1:])
        sentences = [after(Match(each.position.game, start=each.position), each.action, lang) for each in stages]
        assert steps[-1]["after"].startswith(sentences[-1].sentence)
        for stage, told_in in zip(stages, [*(each["text"] for each in steps[1:]), steps[-1]["after"]], strict=True):
            if stage.asked.rival:
                second = stage.position.sentence(stage.position.read(stage.asked.rival[0]), lang)
                assert second[-8:] in told_in


def count_replies(puzzle: Puzzle) -> int:
    return sum(len(each.replies) for each in puzzle.line)


def test_a_refusal_at_a_later_action_of_a_line_is_about_that_action(live: Live) -> None:
    spec = registry.spec("forty_bridges")
    puzzle = next(each for each in puzzles(spec) if each.line)
    told = live.http.get("/api/games/forty_bridges/puzzle", params={"name": puzzle.name}).json()

    def ask(stage: object, touch: str) -> tuple[int, dict[str, str]]:
        params = {"name": puzzle.name, "stage": stage, "touch": touch}
        answer = live.http.get("/api/games/forty_bridges/puzzle/why", params=params)
        return answer.status_code, answer.json()

    (path,) = (each["path"] for each in told["step"]["choices"] if str(each["action"]) in told["step"]["right"])
    assert ask(0, path[0])[0] == 200
    other = next(each["id"] for each in told["more"][0]["frames"][-1]["items"] if each["id"].startswith(f"p:{1 - told['seat']}:"))
    assert ask(1, other)[1]["clause"].startswith("FB")
    for stage in (len(told["more"]) + 1, -1, "x", ""):
        assert ask(stage, other)[0] == 404


@pytest.mark.parametrize("game", GAMES)
def test_the_list_names_every_puzzle_and_an_old_number_leads_to_one_of_them(game: str, live: Live) -> None:
    known = puzzles(registry.spec(game))
    told = live.http.get(f"/api/games/{game}/puzzles").json()["puzzles"]
    assert [(each["name"], each["number"], each["level"], each["ideas"], each["rules"], each["actions"]) for each in told] == [
        (each.name, each.number, each.level, each.ideas, each.rules, 1 + len(each.line)) for each in known
    ]
    place, kept = next((place, each) for place, each in enumerate(known, 1) if each.number > 1)
    gone = next(n for n in range(1, NUMBERED) if all(each.number != n for each in known))
    for number, is_next in ((kept.number, False), (gone, True)):
        view = live.http.get(f"/api/games/{game}/puzzle", params={"number": number}).json()
        assert view["is_next"] is is_next and known[view["number"] - 1].name == view["name"]
        assert is_next or (view["number"], view["name"]) == (place, kept.name)


def test_a_touch_that_is_refused_names_its_clause_and_unknown_puzzles_are_not_found(live: Live) -> None:
    def why(number: object, *touch: str) -> tuple[int, dict[str, str]]:
        answer = live.http.get("/api/games/forty_bridges/puzzle/why", params={"number": number, "touch": touch})
        return answer.status_code, answer.json()

    told = live.http.get("/api/games/forty_bridges/puzzle", params={"number": 1}).json()
    other = next(item["id"] for item in told["step"]["frames"][0]["items"] if item["id"].startswith(f"p:{1 - told['seat']}:"))
    status, reason = why(1, other)
    assert status == 200 and reason["clause"].startswith("FB")
    of = told["of"]
    for number in (0, NUMBERED + 1, "x", "", -1):
        assert why(number, other)[0] == 404
        assert live.http.get("/api/games/forty_bridges/puzzle", params={"number": number}).status_code == 404
    assert why(1)[0] == 404
    assert f"there are {of}" in live.http.get("/api/games/forty_bridges/puzzle", params={"number": NUMBERED + 1}).json()["error"]
