"""The model of sealed chance: BGF2 keeps its invariants in every order of messages, and each attack on BGF1 is found."""

import pytest

from fairness.model import EVENTS, Model, Rules, broken

BGF2 = [Rules(1), Rules(2)]
WEAKER = {
    "a beacon's signature is ground": ({"bound": False}, {"chosen"}, {"chosen"}),
    "a decoy era": ({"compared": False}, {"chosen"}, {"chosen"}),
    "a contributor is left out": ({"contributors": False}, set(), {"chosen"}),
    "a late link is asked for first": ({"due": False}, set(), {"foreseen"}),
    "seats open before the freeze": ({"frozen": False}, {"chosen"}, {"chosen"}),
}


@pytest.mark.parametrize("rules", BGF2, ids=lambda rules: f"level {rules.level}")
@pytest.mark.parametrize("server_colludes", [True, False])
def test_nobody_who_can_still_choose_knows_the_outcome(rules: Rules, server_colludes: bool) -> None:
    assert broken(rules, server_colludes) == set()


@pytest.mark.parametrize("attack", WEAKER)
def test_the_model_finds_the_attack_when_its_check_is_dropped(attack: str) -> None:
    change, at_level_1, at_level_2 = WEAKER[attack]
    assert broken(Rules(1)._replace(**change)) == at_level_1
    assert broken(Rules(2)._replace(**change)) == at_level_2


def test_bgf1_had_all_of_them() -> None:
    for level in (1, 2):
        old = Rules(level, bound=False, compared=False, contributors=False, due=False)
        assert broken(old) == ({"chosen"} if level == 1 else {"chosen", "foreseen"})


@pytest.mark.parametrize("rules", BGF2, ids=lambda rules: f"level {rules.level}")
def test_games_are_played_to_their_end_in_the_model(rules: Rules) -> None:
    states = Model(rules, (1,) * EVENTS).states()
    ends = {state.dealt for state in states if len(state.dealt) == EVENTS}
    assert len(ends) == 4 and len(states) > 100, "every outcome is reached, and both draws are dealt"
