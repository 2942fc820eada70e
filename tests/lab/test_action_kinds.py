"""What players do, by kinds of actions: counted exactly, with who won, and what it costs to leave one out."""

from collections import Counter

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.workshop.lab import action_kinds, games
from bridgehead.workshop.lab.action_kinds import kinds
from bridgehead.workshop.lab.answers.action_kinds import left_out, lift, list_action_kinds, measures
from bridgehead.workshop.lab.answers.answer import Run, Thresholds
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish, open_plan


@pytest.mark.long
@pytest.mark.parametrize("name", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_actions_are_counted_by_the_words_of_their_notation(name: str) -> None:
    """Against the notation of every action of a whole game, which the replay says where it was played."""
    rules = {"forty_bridges": {}, "front_lines": {}}.get(name, {"seats": 2})
    plan = check_plan(
        Plan(name, "", (Arm("as written", rules),), (Strength("random", 1), Strength("greedy", 1)), weighed=1, longest=150)
    )
    _, tracer = open_plan(plan.text, 0)
    trace, row = games.play(plan, tracer, 1, 0), games.row(plan, tracer, 1, 0)
    position, expected = tracer.game.start(), Counter[tuple[str, int]]()
    for action in trace.actions.tolist():
        if position.actor >= 0:
            words = position.game.spec.words.name(position, action).split(" ")
            plain = [word for word in words if word.isalpha() and word.islower() and len(word) > 1]
            expected[" ".join(plain) or "move", position.actor] += 1
        position = position.play(action)
    found = kinds(tracer.game).names
    assert {(found[k], seat): int(row["did"][k, seat]) for k, seat in zip(*np.nonzero(row["did"]), strict=True)} == expected
    assert len({kind for kind, _ in expected}) > 1 or name in ("forty_bridges", "front_lines")
    assert (row["swung"] <= row["did"].sum(axis=1)).all()


def test_kinds_have_the_words_of_the_rules() -> None:
    assert {"walk", "cross", "build", "torch", "term destroy", "term none"} < set(kinds(registry.game("burning_bridges")).names)
    assert kinds(registry.game("forty_bridges")).names == ("move", "pass", "take", "first")


def test_who_did_right_most_wins_where_skill_decides_and_no_oftener_where_a_coin_does() -> None:
    def told(kind: str) -> dict[str, float]:
        plan = check_plan(Plan("known", "", (Arm("a", {"kind": kind}),), (Strength("random", 600),), weighed=600))
        run = Run(finish(Results(plan)), plan.make_game(0), Thresholds())
        found = {each.kind: each for each in list_action_kinds(run)}
        assert set(found) == {"do right", "do wrong"}, "the coin is nobody's"
        assert found["do right"].times.value + found["do wrong"].times.value == pytest.approx(20)
        assert found["do right"].games.value == 1.0 and sum(found["do right"].by) == pytest.approx(found["do right"].times.value)
        names = [each.name for each in measures(run, list(found.values()))]
        assert len(names) == len(set(names)) and "do right, times a game, Black" in names
        return {name: each.most.value for name, each in found.items()}

    assert told("skill") == {"do right": 0.5, "do wrong": -0.5}
    assert all(abs(each) < 0.07 for each in told("coin").values())


def test_the_lift_is_the_share_of_wins_above_the_usual() -> None:
    fired = np.array([[True, False], [True, True], [False, True], [True, False]])
    plan = check_plan(Plan("known", "", (Arm("a"),), (Strength("random", 2),)))
    found = lift(Run(Results(plan), plan.make_game(0), Thresholds()), fired, np.array([0, 1, 1, -1]))
    assert (found.value, found.games) == (3 / 4 - 1 / 2, 4), "a game that nobody won says nothing"


def test_who_leaves_out_what_wins_pays_for_it() -> None:
    """Where skill decides, who never does right loses; where a coin does, it costs nothing."""
    for kind, low, high in (("skill", 0.0, 0.02), ("coin", 0.4, 0.6)):
        duels = (Duel("greedy without do right", "greedy", 100),)
        plan = check_plan(Plan("known", "", (Arm("a", {"kind": kind}),), (Strength("random", 2),), duels, opening=0))
        run = Run(finish(Results(plan)), plan.make_game(0), Thresholds())
        ((name, value),) = left_out(run, run.results.rows("duels", 0))
        assert low <= value.value <= high and name.key == "measure.without", (kind, value)
        assert plan.ladder == [] and plan.abstaining == [(0, duels[0])]


def test_what_cannot_be_left_out_is_refused_and_what_must_be_done_is_done() -> None:
    game = registry.game("forty_bridges")
    for wrong, said in (
        ("greedy without luck", "no action"),
        ("random without move", "must compare"),
        ("nobody without move", "nobody"),
    ):
        with pytest.raises(OptionError, match=said):
            action_kinds.check_player_name(game, wrong)
    player = action_kinds.make_entrant("greedy without move", 1)
    assert player.choose(game.start()) in game.start().legal, "there is nothing else"
    family = registry.game("burning_bridges", seats=2, firstPlayer="seat0")
    position, never = family.start(), action_kinds.make_entrant("greedy without walk", 1)
    chosen = family.spec.words.name(position, never.choose(position))
    assert not chosen.startswith("walk") and any(
        family.spec.words.name(position, each).startswith("walk") for each in position.legal
    )
