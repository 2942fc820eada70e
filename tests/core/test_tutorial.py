"""Tutorials are played by the rules, in every language; a file that is wrong is refused with the step."""

from dataclasses import replace
from pathlib import Path

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import Catalogue, languages, phrase
from bridgehead.core.tutorial import TutorialError, has_tutorial, read, tutorial

GAMES = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]
SOUND = """
options = {{ setup = "block" }}
[[step]]
[[step]]
do = ["b2-c2"]
{more}
[[step]]
{then}
"""
SENTENCES = ("1.text", "2.text", "2.hint", "2.wrong.1", "3.text")


def words(folder: Path, *more: str) -> Catalogue:
    """A catalogue with sentences for `SOUND`, and for these keys."""
    (folder / "languages").mkdir(exist_ok=True)
    text = "".join(f'"tutorial.{key}" = "Look."\n' for key in (*SENTENCES, *more))
    (folder / "languages" / "en.toml").write_text(text, "utf-8")
    return Catalogue(folder)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_learnt_in_every_language_by_legal_actions_up_to_a_victory(game: str) -> None:
    told, scenes = tutorial(registry.spec(game))
    assert 10 <= len(scenes) <= 16
    done = [scene for scene in scenes if scene.answers]
    assert len(done) >= 6 and all(scene.position.actor == told.seat for scene in done)
    for scene in scenes:
        for key in filter(None, (scene.text, scene.hint, scene.after, *scene.wrong.values())):
            texts = [scene.match.game.words.tell(phrase(key), language).strip() for language in languages()]
            assert len(set(texts)) == len(texts) and all(len(text) <= 330 for text in texts), texts
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
        "barricade": ("a pawn of Yellow home", "taking the barricade", "put the barricade on e2", "passed", "final square!"),
        "burning_bridges": (
            "builds a bridge", "crosses the bridge of Black", "torches the bridge of Blue", "hostage", "demands", "destroys",
        ),
        "forty_bridges": ("steps from b2", "jumps from a1 to b2", "d3 and takes c3", "c3 and takes C3", "wins"),
        "front_lines": ("chooses b1", "Spades, safe", "across"),
    }[game]  # fmt: skip
    for word in promised:
        assert word in said, (word, said)
    seen = {
        "burning_bridges": "gives up the bridge",
        "front_lines": "a mine! Diamonds loses a life on c3. It waits there, and Hearts",
    }
    assert seen.get(game, "") in watched


def test_a_game_without_one_has_none(tmp_path: Path) -> None:
    from connect_four import SPEC

    assert not has_tutorial(SPEC)
    with pytest.raises(BridgeheadError, match="has no tutorial"):
        tutorial(SPEC)
    assert not has_tutorial(replace(registry.spec("barricade"), folder=tmp_path))


def test_a_sound_file_is_read_and_played(tmp_path: Path) -> None:
    told, scenes = read(registry.spec("forty_bridges"), SOUND.format(more="", then=""), words(tmp_path))
    assert [scene.position.turn for scene in scenes] == [0, 0, 1] and told.seat == 0


@pytest.mark.parametrize(
    ("more", "then", "told"),
    [
        ('wrong = [{ actions = ["a1-e5"] }]', "", "step 2.*too far"),
        ('wrong = [{ actions = ["b2-c2"] }]', "", "step 2.*both `do` and `wrong`"),
        ('wrong = [{ actions = ["b2-b3"] }, { actions = ["b2-c3"] }]', "", "step 2.*no tutorial.2.wrong.2"),
        ('show = ["f:z9"]', "", "step 2.*unknown things: f:z9"),
        ("", 'watch = ["e4-e3"]', None),
        ("", 'watch = ["a1-a1"]', "step 3"),
        ("", 'watch = ["e4-e3"]\ndo = ["a1-b2"]', "step 3.*needs a hint"),
        ("3.hint", 'watch = ["e4-e3"]\ndo = ["a1-b2"]', "step 3.*last step"),
        ("3.hint", 'do = ["e4-e3"]', "step 3.*seat 0, but the actor is 1"),
        ("3.after", "", "step 3.*without `do`"),
        ("", "[[step]]", "step 4.*no tutorial.4.text"),
        ("", 'position = "nonsense"', "step 3.*expected 8 parts"),
        ("", "typo = 1", "unknown field `typo`"),
        ("", "[", "tutorial.toml"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_step(more: str, then: str, told: str | None, tmp_path: Path) -> None:
    keys = [more] if more[:1].isdigit() else []
    text, found = SOUND.format(more="" if keys else more, then=then), words(tmp_path, *keys)
    if told is None:
        read(registry.spec("forty_bridges"), text, found)
        return
    with pytest.raises(TutorialError, match=told):
        read(registry.spec("forty_bridges"), text, found)


def test_after_a_choice_of_several_the_board_is_set_up_again(tmp_path: Path) -> None:
    several = SOUND.format(more="", then="").replace('do = ["b2-c2"]', 'do = ["b2-c2", "b2-b3"]')
    with pytest.raises(TutorialError, match="step 3.*needs a `position`"):
        read(registry.spec("forty_bridges"), several, words(tmp_path))
    read(registry.spec("forty_bridges"), several + 'position = "a1,b1 e4,e5 a 2 0 - - -"', words(tmp_path))
