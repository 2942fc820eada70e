"""The master among five families watches the others: who always looks one action ahead is expected to go on so."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Position
from bridgehead.core.match import Match
from bridgehead.players import engine, player, subprocess_player
from bridgehead.players.levels import LevelPlayer, levels_at, watches
from bridgehead.players.thoughts import REPLY, Budget, Candidate, SearchResult
from bridgehead.players.watching import LATEST, LEAST, Seen, latest, looking_back, others_look_one_ahead
from bridgehead.workshop.arena.contest import ContestSetting, decisions, play

FIVE = registry.game("burning_bridges")


def played(levels_: tuple[str, ...], actions: int) -> Match:
    """A match of five families by these levels, of so many actions."""
    match, seated = Match(FIVE), [player(level, seat) for seat, level in enumerate(levels_)]
    for position in decisions(match, SeededDealer(1)):
        if len(match.log) == actions:
            break
        match.play(seated[position.actor].choose(position))
    return match


@pytest.fixture(scope="module")
def greedy() -> Match:
    return played(("greedy",) * 5, 40)


def test_who_always_takes_the_best_one_ahead_is_recognised(greedy: Match) -> None:
    play = latest(greedy)
    assert len(play.actions) == LATEST and play.position == greedy.positions[len(greedy.log) - LATEST]
    assert others_look_one_ahead(play, greedy.position.actor)


def test_one_decision_of_another_is_enough_to_doubt(greedy: Match) -> None:
    play, seat = latest(greedy), greedy.position.actor
    position, others, doubted = play.position, 0, 0
    for index, action in enumerate(play.actions):
        worth = engine.engine(position.game).score_actions(position)
        worse = min(position.legal, key=worth.__getitem__)
        if others >= LEAST and worth[worse] < worth[action]:
            strange = Seen(play.position, [*play.actions[:index], worse])
            assert others_look_one_ahead(strange, seat) == (position.actor == seat), "what a seat itself does says nothing"
            doubted += position.actor != seat
        others += position.actor != seat
        position = position.after(action)
    assert doubted > 0


def test_nothing_is_concluded_from_a_few_decisions(greedy: Match) -> None:
    begun = Match(FIVE, [entry.action for entry in greedy.log[: LEAST - 1]])
    assert not others_look_one_ahead(latest(begun), begun.position.actor)
    assert not others_look_one_ahead(latest(Match(FIVE)), 0)


class Engine:
    """Stands in for the search; notes how it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Budget, dict[str, Any]]] = []
        self.real = engine.engine(FIVE)

    def search_tree(self, position: Position, budget: Budget, seed: str, stop: Any, **settings: Any) -> SearchResult:
        self.asked.append((budget, settings))
        found = [Candidate(action, 1, (0.0,) * position.game.seats, False) for action in position.legal]
        return SearchResult(found[0].action, found, found[0].expected, 1)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@pytest.fixture
def thinking() -> Iterator[Engine]:
    made = Engine()
    engine.use(made)  # type: ignore[arg-type]
    yield made
    engine._Used.engine = None


def how(made: Engine) -> tuple[int | None, bool]:
    """The simulations of the last search, and whether it expects others to look one ahead."""
    budget, settings = made.asked[-1]
    return budget.simulations, settings["expects"]


def test_the_master_replies_to_what_it_has_seen_and_only_to_that(greedy: Match, thinking: Engine) -> None:
    master = levels_at(FIVE)["master"]
    seated = LevelPlayer("master", 1)
    seated.choose(greedy.position, looking_back(greedy))
    assert how(thinking) == (master.reply, True)
    assert {name: thinking.asked[-1][1][name] for name in REPLY} == REPLY
    seated.choose(greedy.position)
    assert how(thinking) == (master.budget, False), "nothing was seen"
    others = played(("wanderer",) * 5, 40)
    seated.choose(others.position, looking_back(others))
    assert how(thinking) == (master.budget, False)


def test_only_the_master_among_five_wants_to_see_the_latest_play() -> None:
    games = [registry.game("burning_bridges", seats=seats) for seats in (2, 3, 4)] + [registry.game("barricade")]
    assert watches(FIVE, "master") and not any(watches(FIVE, level) for level in ("greedy", "captain", "strategist"))
    assert not any(watches(game, "master") for game in games)


def test_another_process_sees_the_same_latest_play(greedy: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    look_back = looking_back(greedy)
    usual = subprocess_player.prepare_request(greedy.position, "strategist", "s", look_back)
    assert usual == (*subprocess_player.describe_position(greedy.position), "strategist", "s"), "it is sent where it is wanted"
    request = subprocess_player.prepare_request(greedy.position, "master", "s", look_back)
    assert request[:5] == (*usual[:3], "master", "s")
    got: list[Seen] = []

    class Choosing:
        def choose(self, position: Position, look_back: Any) -> int:
            got.append(look_back())
            return position.legal[0]

    monkeypatch.setattr(subprocess_player, "player", lambda *given: Choosing())
    assert subprocess_player.decide(*request) == greedy.position.legal[0]
    assert got[0].position.text == look_back().position.text and list(got[0].actions) == list(look_back().actions)


def alone_against_greedy(name: str, number: int) -> int:
    """Runs compiled: the number of games of one set that the master wins alone among four greedy players, each seat in turn."""
    setting = ContestSetting(name, "{}", 51, ("master", "greedy"))
    seatings = [tuple("master" if seat == mine else "greedy" for seat in range(5)) for mine in range(5)]
    return sum(play(setting, number, seats).returns[seats.index("master")] > 0 for seats in seatings)


@pytest.mark.wide
@pytest.mark.parametrize("game", ["burning_bridges"])
def test_alone_among_four_who_look_one_ahead_the_master_wins(compiled: Callable[[str], Any], game: str) -> None:
    assert compiled(game)("test_watching", "alone_against_greedy", game, 2) >= 4, "2 of these 5 without watching"
