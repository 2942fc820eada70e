"""Tests that every game must pass. `subject` is the game under test; conftest.py takes it from `--game`."""

from __future__ import annotations

import dis
import random
import sys
from types import FunctionType

import numpy as np
import pytest

from bridgehead.conformance.subject import Subject, play_random_action, sample, walk
from bridgehead.core import options as house
from bridgehead.core import record
from bridgehead.core.chance import SeededDealer
from bridgehead.core.descriptions import about
from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.core.glance import glance
from bridgehead.core.jit import COMPILED
from bridgehead.core.match import Match
from bridgehead.core.parts import gives
from bridgehead.core.phrases import ENGLISH, languages, translations
from bridgehead.core.spec import CHANCE

FEW, MANY = (3, 60), (40, 5000)  # games, and the most actions of each


@pytest.mark.skipif(not COMPILED, reason="plain rules call any function")
def test_all_functions_that_a_rule_calls_are_rules(subject: Subject) -> None:
    """Without `@rule` they cannot be compiled, and Numba reports that in many lines."""
    bare = {f"{each.__module__}.{each.__name__}" for each in vars(subject.spec.rules).values() if isinstance(each, FunctionType)}
    for name, module in list(sys.modules.items()):
        if f"{name}.".startswith(f"{subject.spec.package}."):
            for each in vars(module).values():
                if callable(each) and hasattr(each, "py_func") and each.py_func.__module__ == name:
                    used = (one.argval for one in dis.get_instructions(each.py_func) if one.opname == "LOAD_GLOBAL")
                    bare |= {f"{name}.{one}" for one in used if isinstance(vars(module).get(one), FunctionType)}
    assert not bare, f"put @rule before {', '.join(sorted(bare))}"


def test_all_reasons_have_a_clause_and_a_sentence(subject: Subject) -> None:
    game = subject.standard
    refusals = list(subject.spec.rules.REFUSALS)
    assert refusals[0].clause == refusals[0].key == "", "the first member of REFUSALS has to be OK = '', ''"
    assert subject.spec.rules.REASONS[0] == ("", ""), "the first of REASONS has to be ('', '')"
    for clause in game.rulebook.clauses:
        assert clause.text, f"no sentence clause.{clause.id} in languages/en.toml"
    for each in refusals[1:]:
        assert each.clause in game.rulebook, f"{each.name} of REFUSALS: no clause {each.clause} in rulebook.toml"
        assert game.words.has(each.key), f"{each.name} of REFUSALS: no sentence {each.key} in languages/en.toml"
    for word, clause_id in subject.spec.rules.REASONS[1:]:
        assert clause_id in game.rulebook, f"{word} of REASONS: no clause {clause_id} in rulebook.toml"


def test_the_game_at_a_glance_is_as_the_rules_allow_and_has_its_sentences_in_all_languages(subject: Subject) -> None:
    """Without `glance.toml` the rules begin with the clauses."""
    for number, _ in enumerate(glance(subject.spec), start=1):
        for language in (ENGLISH, *translations(subject.spec.folder)):
            words = about(subject.spec, language)
            assert words.glance_title(number) and words.glance_text(number), f"glance.{number} has no sentences in {language}"


def test_every_action_has_a_text_of_its_own(subject: Subject) -> None:
    words = subject.spec.words
    if gives(words, "names") or not gives(words, "name"):
        for game in subject.make_games(2):
            texts = list(words.names(game))
            assert len(texts) == game.action_count, f"`names` gives {len(texts)} texts, `action_count` says {game.action_count}"
            twice = sorted({text for text in texts if texts.count(text) > 1})
            assert not twice, f"`names` gives several actions the text {', '.join(twice)}"


def test_setup_writes_every_field(subject: Subject) -> None:
    """The record may hold an old game."""
    for game in subject.make_games(2):
        fresh = game.new_states(1)
        subject.spec.rules.setup(fresh[0], game.quick_law)
        for position in sample(walk(game, 18, 200), 20):
            old = position.copy_states()
            subject.spec.rules.setup(old[0], game.quick_law)
            left = [field.name for field in game.layout.fields if np.any(old[field.name] != fresh[field.name])]
            assert not left, f"`setup` leaves fields as an old game left them: {', '.join(left)}"


@pytest.mark.timeout(2000)  # compiling a large game on a busy machine takes minutes
def test_rules_write_only_where_they_may_compiled_and_plain_and_both_play_the_same_games(subject: Subject) -> None:
    sets = [{}, subject.mix_house_rules(random.Random(2))]
    (plain, compiled) = (subject.run_guards(sets, pairs, way) for pairs, way in (([FEW], False), ([FEW, MANY], True)))
    assert [each["problem"] for each in (*compiled, *plain)] == [""] * 4
    assert [each | {"games": each["games"][:1]} for each in compiled] == plain


def test_a_refusal_is_given_exactly_when_an_action_is_not_legal(subject: Subject) -> None:
    for game in subject.make_games(3):
        match = walk(game, 5, 250)
        for position in [match.positions[0], *sample(match, 5), match.position]:
            legal = set(position.legal)
            for action in range(game.action_count):
                refusal = position.explain(action)
                assert (refusal is None) == (action in legal), (position.text, action, refusal)
                if refusal is not None and action % 37 == 0:
                    assert refusal.clause in game.rulebook, refusal
                    for language in ("en", "de"):
                        assert game.words.tell(refusal.phrase, language)


def test_a_refused_action_changes_nothing_and_names_its_clause(subject: Subject) -> None:
    match = walk(subject.standard, 6, 60)
    position = match.position
    illegal = next(a for a in range(position.game.action_count) if a not in position.legal)
    text, log = position.text, list(match.log)
    with pytest.raises(IllegalAction) as refused:
        match.play(illegal)
    assert refused.value.refusal.clause in position.game.rulebook
    assert (match.position.text, match.log) == (text, log)


def test_legal_actions_are_ascending_and_their_texts_are_unique_and_read_back(subject: Subject) -> None:
    for game in subject.make_games(6):
        for position in sample(walk(game, 7, 200), 12):
            assert list(position.legal) == sorted(set(position.legal))
            names = [position.name(action) for action in position.legal]
            twice = sorted({name for name in names if names.count(name) > 1})
            assert not twice, f"several legal actions have the text {', '.join(twice)}"
            assert [position.read(text) for text in names] == list(position.legal)


def test_position_texts_load_back_to_equal_positions(subject: Subject) -> None:
    for game in subject.make_games(8):
        match = walk(game, 8, 300)
        for position in [*sample(match, 15), match.position]:
            again = game.load(position.text)
            assert again == position, position.text
            assert hash(again) == hash(position)
            assert again.legal == position.legal


def test_a_position_never_changes_when_it_is_played_on(subject: Subject) -> None:
    match = walk(subject.standard, 9, 40)
    texts = [position.text for position in match.positions]
    legal = [position.legal for position in match.positions]
    for position in match.positions[:-1]:
        for action in position.legal[:5]:
            position.play(action)
    assert [position.text for position in match.positions] == texts
    assert [game.load(t).legal for game, t in ((match.game, t) for t in texts)] == legal


def test_every_house_rule_alone_plays_without_error(subject: Subject) -> None:
    for options in subject.list_single_changes():
        match = walk(subject.game(**options), 10, 120)
        assert match.log, options
        assert match.game.load(match.position.text) == match.position, options


def test_every_position_has_a_prompt_and_every_action_a_sentence_in_both_languages(subject: Subject) -> None:
    for game in subject.make_games(4):
        match = walk(game, 11, 150)
        for index in range(0, len(match.log), 3):
            position = match.positions[index]
            for language in ("en", "de"):
                assert position.tell_prompt(language).strip()
                assert position.sentence(match.log[index].action, language).strip()


def test_every_language_of_the_game_has_the_same_sentences(subject: Subject) -> None:
    words, given = subject.standard.words, translations(subject.spec.folder)
    assert given, "the game has no languages/en.toml"
    for language in given & {*languages()}:
        assert words.keys(language) == words.keys("en"), language


def test_undo_never_crosses_chance_or_another_seat(subject: Subject) -> None:
    for seed in range(4):
        rng, match = random.Random(seed), Match(subject.standard)
        for _ in range(150):
            if match.position.is_over:
                break
            play_random_action(match, rng)
            last = match.log[-1]
            if last.actor == CHANCE or match.position.actor != last.actor:
                assert match.undo_point() is None
                with pytest.raises(BridgeheadError):
                    match.undo()
            elif rng.random() < 0.3:
                before = match.positions[-2]
                assert match.undo() == last.action
                assert match.position == before


def test_records_replay_to_the_same_match(subject: Subject) -> None:
    for game in subject.make_games(4):
        match = walk(game, 12, 400)
        text = record.dump(match, ["Ada", 'B"o;b: x'])
        again, names = record.load(text)
        assert again.actions == match.actions
        assert again.position == match.position
        assert names[:2] == ["Ada", 'B"o;b: x'][: game.seats]


def test_house_rules_that_do_not_exist_are_refused_by_name(subject: Subject) -> None:
    spec = subject.spec
    with pytest.raises(BridgeheadError, match="noSuchRule"):
        house.build(spec, "", {"noSuchRule": 1})
    with pytest.raises(BridgeheadError, match="noSuchPreset"):
        house.build(spec, "noSuchPreset")
    for info in house.describe(spec):
        for wrong in ({"a": 1}, 3.7, "no such value", -1):
            try:
                subject.game(**{info.name: wrong})
            except BridgeheadError as error:
                assert error.what
                assert info.name in error.where, (info.name, wrong, error)


def test_options_are_documented_with_a_clause_of_the_rulebook(subject: Subject) -> None:
    game = subject.standard
    for info in house.describe(game.spec):
        assert info.description, info.name
        assert info.clause in game.rulebook, info


def test_chance_weights_are_whole_and_the_seeded_dealer_repeats_itself(subject: Subject) -> None:
    for position in sample(walk(subject.standard, 15, 300), 60):
        if position.is_chance:
            assert len(position.weights) == len(position.legal)
            light = [position.name(action) for action, weight in zip(position.legal, position.weights, strict=True) if weight < 1]
            assert not light, f"`weight` of {', '.join(light)} is below 1: leave out of `legal` what cannot happen"
            dealt = {SeededDealer(seed).deal(position, 4) for seed in range(300)}
            assert dealt <= set(position.legal)
            assert SeededDealer(7).deal(position, 4) == SeededDealer(7).deal(position, 4)


def test_the_scene_names_everything_that_a_choice_touches(subject: Subject) -> None:
    for game in subject.make_games(3):
        match = walk(game, 16, 200)
        for language in ("en", "de"):
            picture = game.spec.scene.picture(game, language)
            fields = {field.id for field in picture.fields}
            assert len(fields) == len(picture.fields)
            for position in sample(match, 8):
                items = game.spec.scene.items(position, language)
                ids = [item.id for item in items]
                assert len(set(ids)) == len(ids)
                assert all(item.at == "" or item.at in fields for item in items)
                assert len(game.spec.scene.plates(position, language)) == game.seats
                if not position.is_over and not position.is_chance:
                    choices = game.spec.scene.choices(position, language)
                    assert sorted(choice.action for choice in choices) == list(position.legal)
                    for choice in choices:
                        assert choice.label and choice.path
                        assert all(touched.startswith("!") or touched in fields or touched in ids for touched in choice.path), (
                            choice
                        )


def test_the_last_action_is_traced_to_things_on_the_board(subject: Subject) -> None:
    game = subject.standard
    match = walk(game, 17, 200)
    scene = game.spec.scene
    fields = {field.id for field in scene.picture(game, "en").fields}
    for index, entry in enumerate(match.log):
        before, after = match.positions[index], match.positions[index + 1]
        ids = {item.id for item in scene.items(after, "en")}
        for trace in scene.traces(before, entry.action, after):
            assert trace.item in ids
            assert set(trace.via) <= fields | ids
        assert all(mark == "" or mark in fields or mark in ids for mark in scene.last(before, entry.action))
