"""Tutorials are played by the rules, in every language; a file that is wrong is refused with the step."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import LANGUAGES
from bridgehead.core.tutorial import TutorialError, has_tutorial, read, tutorial

GAMES = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]
SOUND = """
options = {{ setup = "block" }}
[[step]]
en = "Look."
de = "Schau."
[[step]]
en = "Step."
de = "Zieh."
do = ["b2-c2"]
hint = {{ en = "There.", de = "Dort." }}
{more}
[[step]]
{then}
en = "Well done."
de = "Gut."
"""


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_learnt_in_both_languages_by_legal_actions_up_to_a_victory(game: str) -> None:
    told, scenes = tutorial(registry.spec(game))
    assert 10 <= len(scenes) <= 16
    done = [scene for scene in scenes if scene.answers]
    assert len(done) >= 6 and all(scene.position.actor == told.seat for scene in done)
    for scene in scenes:
        said = [scene.step, *scene.wrong.values()] + [each for each in (scene.step.hint, scene.step.after) if each]
        for each in said:
            texts = [each.tell(language).strip() for language in LANGUAGES]
            assert len(set(texts)) == len(LANGUAGES) and all(len(text) <= 330 for text in texts), texts
        assert set(scene.answers) | set(scene.wrong) <= set(scene.position.legal)
    end = scenes[-1].position.outcome
    assert end is not None and told.seat in end.winners


@pytest.mark.parametrize("game", GAMES)
def test_what_a_tutorial_says_of_its_special_actions_is_so(game: str) -> None:
    """Where the text promises that something is taken, burns, is freed or won, the rules do it."""
    _, scenes = tutorial(registry.spec(game))
    said = " ".join(scene.position.sentence(action) for scene in scenes for action in scene.answers)
    watched = " ".join(
        scene.match.positions[i].sentence(scene.match.log[i].action)
        for scene in scenes
        for i in range(scene.since, len(scene.match.log))
    )
    promised = {
        "barricade": ("sending a pawn of C home", "taking the barricade", "put the barricade on e2", "passed", "final square!"),
        "burning_bridges": (
            "builds a bridge",
            "crosses the bridge of A",
            "torches the bridge of B",
            "hostage",
            "demands",
            "destroys",
        ),
        "forty_bridges": ("steps from b2", "jumps from a1 to b2", "d3 and takes c3", "c3 and takes C3", "wins"),
        "front_lines": ("chooses row 1, column b", "Spades, safe", "across"),
    }[game]
    for word in promised:
        assert word in said, (word, said)
    seen = {
        "burning_bridges": "gives up the bridge",
        "front_lines": "a mine! Diamonds loses a life on row 3, column c. It waits there, and Hearts",
    }
    assert seen.get(game, "") in watched


def test_a_game_without_one_has_none(tmp_path: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
    from connect_four import SPEC

    assert not has_tutorial(SPEC)
    with pytest.raises(BridgeheadError, match="has no tutorial"):
        tutorial(SPEC)
    assert not has_tutorial(replace(registry.spec("barricade"), folder=tmp_path))


def test_a_sound_file_is_read_and_played() -> None:
    told, scenes = read(registry.spec("forty_bridges"), SOUND.format(more="", then=""))
    assert [scene.position.turn for scene in scenes] == [0, 0, 1] and told.seat == 0


@pytest.mark.parametrize(
    ("more", "then", "told"),
    [
        ('wrong = [{ actions = ["a1-e5"], en = "x", de = "y" }]', "", "step 2.*too far"),
        ('wrong = [{ actions = ["b2-c2"], en = "x", de = "y" }]', "", "step 2.*called wrong"),
        ('wrong = [{ actions = ["b2-b3"], en = "x" }]', "", "missing required field `de`"),
        ('show = ["f:z9"]', "", "step 2.*nothing called f:z9"),
        ("", 'watch = ["e4-e3"]', None),
        ("", 'watch = ["a1-a1"]', "step 3"),
        ("", 'watch = ["e4-e3"]\ndo = ["a1-b2"]', "step 3.*a hint belongs"),
        ("", 'watch = ["e4-e3"]\ndo = ["a1-b2"]\nhint = { en = "x", de = "y" }', "step 3.*last step"),
        ("", 'do = ["e4-e3"]\nhint = { en = "x", de = "y" }', "step 3.*seat 0, but 1"),
        ("", 'after = { en = "x", de = "y" }', "step 3.*nothing is to be done"),
        ("", 'position = "nonsense"', "step 3.*expected 8 parts"),
        ("", "typo = 1", "unknown field `typo`"),
        ("", "[", "tutorial.toml"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_step(more: str, then: str, told: str | None) -> None:
    text = SOUND.format(more=more, then=then)
    if told is None:
        read(registry.spec("forty_bridges"), text)
        return
    with pytest.raises(TutorialError, match=told):
        read(registry.spec("forty_bridges"), text)


def test_after_a_choice_of_several_the_board_is_set_up_anew() -> None:
    several = SOUND.format(more="", then="").replace('do = ["b2-c2"]', 'do = ["b2-c2", "b2-b3"]')
    with pytest.raises(TutorialError, match="step 3.*set up"):
        read(registry.spec("forty_bridges"), several)
    read(registry.spec("forty_bridges"), several.replace('\nen = "Well', '\nposition = "a1,b1 e4,e5 a 2 0 - - -"\nen = "Well'))
