"""Any mixture of playing, taking back, saving, forking and refusing leaves a match sound, under any house rules."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test
from pair import GAMES

from bridgehead.core import record
from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from variants import make, mixture

SHORT = settings(
    max_examples=6,
    stateful_step_count=40,
    deadline=None,
    phases=(Phase.generate,),
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(
    max_examples=120, stateful_step_count=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


class AtTheTable(RuleBasedStateMachine):
    """A match and what was seen of it: the text of every position at the time it was made."""

    name = ""

    @initialize(seed=st.integers(0, 10**6))
    def sit_down(self, seed: int) -> None:
        options = mixture(self.name, random.Random(seed)) if seed % 4 else {}
        self.match = Match(make(self.name, options))
        self.seen = [self.match.position.text]
        self.frozen = [self.match.position.copy_states().tobytes()]

    def remember(self) -> None:
        position = self.match.position
        self.seen.append(position.text)
        self.frozen.append(position.copy_states().tobytes())

    @precondition(lambda self: not self.match.position.is_over)
    @rule(lots=st.lists(st.integers(0, 10**6), min_size=1, max_size=25))
    def play(self, lots: list[int]) -> None:
        for lot in lots:
            if not self.match.position.is_over:
                legal = self.match.position.legal
                self.match.play(legal[lot % len(legal)])
                self.remember()

    @rule()
    def take_back(self) -> None:
        before, log = self.match.position.actor, list(self.match.log)
        if self.match.undo_point() is None:
            with pytest.raises(BridgeheadError):
                self.match.undo()
            assert self.match.log == log
            return
        assert log[-1].actor == before != CHANCE
        assert self.match.undo() == log[-1].action
        self.seen.pop()
        self.frozen.pop()

    @rule()
    def an_undo_never_crosses_chance_or_another_seat(self) -> None:
        if self.match.log and (self.match.log[-1].actor == CHANCE or self.match.log[-1].actor != self.match.position.actor):
            assert self.match.undo_point() is None

    @rule()
    def save_and_load_the_position(self) -> None:
        position = self.match.position
        loaded = position.game.load(position.text)
        assert loaded == position
        assert loaded.facts() == position.facts()
        assert (loaded.legal, loaded.weights) == (position.legal, position.weights)

    @rule()
    def save_and_load_the_record(self) -> None:
        loaded, _ = record.load(record.dump(self.match))
        assert loaded.actions == self.match.actions
        assert loaded.position == self.match.position

    @rule(lot=st.integers(0, 10**9))
    def an_illegal_action_is_refused_with_a_clause(self, lot: int) -> None:
        position, log = self.match.position, list(self.match.log)
        action = lot % position.game.action_count
        if action in position.legal:
            return
        with pytest.raises(IllegalAction) as refused:
            self.match.play(action)
        assert refused.value.refusal.clause in position.game.rulebook
        assert self.match.log == log
        assert self.match.position is position

    @rule(lot=st.integers(0, 10**6))
    def fork(self, lot: int) -> None:
        length = lot % (len(self.match.log) + 1)
        other = self.match.fork(length)
        assert other.position == self.match.positions[length]
        if not other.position.is_over:
            other.play(other.position.legal[lot % len(other.position.legal)])
        assert len(self.match.log) + 1 == len(self.match.positions) == len(self.seen)

    @rule(language=st.sampled_from(["en", "de"]))
    def look(self, language: str) -> None:
        position = self.match.position
        scene = position.game.spec.scene
        items = list(scene.items(position, language))
        assert len({item.id for item in items}) == len(items)
        if not position.is_over:
            assert position.tell_prompt(language)

    @invariant()
    def older_positions_never_change(self) -> None:
        if hasattr(self, "match"):
            assert [position.copy_states().tobytes() for position in self.match.positions] == self.frozen

    def teardown(self) -> None:
        assert [position.text for position in self.match.positions] == self.seen


def machine(name: str) -> Any:
    return type(f"AtTheTable_{name}", (AtTheTable,), {"name": name})


@pytest.mark.parametrize("name", GAMES)
def test_a_match_stays_sound_whatever_is_done_to_it(name: str, counted: Any) -> None:
    counted(name, SHORT.max_examples * SHORT.stateful_step_count, "steps at most")
    run_state_machine_as_test(machine(name), settings=SHORT)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_match_stays_sound_for_long(name: str, counted: Any) -> None:
    counted(name, LONG.max_examples * LONG.stateful_step_count, "steps at most")
    run_state_machine_as_test(machine(name), settings=LONG)
