"""The short study of the browser, on games whose answers are known: which games its lights come from, and what it leaves open."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.workshop.lab import quick
from bridgehead.workshop.lab.answers.answer import Answer
from bridgehead.workshop.lab.plan import Duel, Plan
from bridgehead.workshop.lab.running import Results, finish
from bridgehead.workshop.lab.words import tell


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain rules play few games of a player that searches little."""
    monkeypatch.setattr(quick, "STRENGTHS", (("random", 5), ("greedy", 1200), (quick.STRONG, 25)))
    monkeypatch.setattr(quick, "find_strong_player", lambda game: "search:2")
    monkeypatch.setattr(quick, "DUEL", Duel(quick.STRONG, "greedy", 1))
    monkeypatch.setattr(quick, "LOOKS", 0)
    monkeypatch.setattr(quick, "READINGS", 0)


def played(change: Callable[[Any], None] = lambda rows: None, **rules: Any) -> list[Answer]:
    """The answers of a study of the coin; change: of the strongest player's rows."""
    results = finish(Results(quick.plan_short_study(registry.game("known", **{"kind": "coin", "plies": 6, **rules}))))
    for part, rows in results._rows.items():
        if (part.kind, part.which) == ("games", 2):
            change(rows)
    return quick.answers(quick.shorten_run(results))


def even(rows: Any) -> None:
    rows["result"][:, 0] = np.where(rows["number"] % 2, 1, -1)
    rows["result"][:, 1] = -rows["result"][:, 0]


def test_the_strongest_players_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "STRENGTHS", (("random", 5), ("greedy", 250), (quick.STRONG, 400)))
    found = played(even)
    assert [each.light for each in found[:2]] == ["good", "good"], "it ends, and each side wins half"
    assert {each.player for each in found[0].measures} == {"random", "greedy", "search:2"}, "the numbers of all players stay"
    for language in languages():
        assert "{" not in tell(found[1].text, language)


def test_greedy_games_make_no_light_fine_where_the_strongest_have_few() -> None:
    """1,200 even greedy games and 25 of the strongest said "fine" whatever the strongest would do in more games."""
    found = played()
    assert [each.light for each in found[:2]] == ["unknown"] * 2
    assert all("would tell" in each.sentence for each in found[:2])


def test_a_biased_coin_is_seen_at_once() -> None:
    assert played(edge=95)[1].light == "bad"
    warned = played(edge=85)[1]  # 25 games of the strongest do not tell, but those of greedy players warn
    assert warned.light == "watch" and "they warn" in warned.sentence
    assert re.search(r"About [34]0 games would tell", warned.sentence), warned.sentence


def one_side(rows: Any) -> None:
    rows["result"][:, 0], rows["result"][:, 1] = 1, -1


def nobody(rows: Any) -> None:
    rows["result"] = 0


def longer(rows: Any) -> None:
    rows["decisions"] = rows["decisions"] * 400 + np.arange(len(rows))[:, None] * 30


@pytest.mark.parametrize(("change", "number"), [(one_side, 2), (nobody, 1), (longer, 3)])
def test_games_of_the_strongest_that_differ_are_not_outvoted(change: Callable[[Any], None], number: int) -> None:
    assert played(change)[number - 1].light != "good"


def test_what_is_left_open_says_how_many_games_would_tell_or_are_needed() -> None:
    found = played()
    is_open = [each for each in found if each.light == "unknown"]
    assert {4, 9, 11, 12} <= {each.number for each in is_open}
    assert all(re.search(r"would tell|At least \d+ games are needed", each.sentence) for each in is_open), is_open


def test_some_games_of_each_player_come_first_and_the_rest_when_all_else_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "STRENGTHS", (("random", 20), ("greedy", 2000), (quick.STRONG, 1000)))
    planned = quick.plan_short_study(registry.game("known"))
    order = sorted(Results(planned).parts, key=lambda part: quick._order(planned, part))
    kinds = [(part.kind, part.which) for part in order]
    assert kinds[:3] == [("games", 0), ("games", 1), ("games", 2)]
    assert kinds.index(("duels", 0)) == 1 + 4 + quick.SOME // 5 and kinds[-1] == ("games", 1) and kinds[-5] == ("games", 2)


def test_two_processes_play_the_games_of_one(tmp_path: Path) -> None:
    """Each starts with its own empty memory, as a process does; games count only up to the first that is missing."""
    text = quick.plan_short_study(registry.game("known", kind="coin", plies=6)).text

    def hand(which: int) -> quick.QuickProgress:
        quick._results.cache_clear()
        return quick.continue_study(text, str(tmp_path), 3600.0, which, 2)

    half = hand(1)
    assert half.lights == [] and 0 < half.done < half.of and not half.some
    results = quick._results(text, str(tmp_path))
    assert quick.count_games(results) == [0, 250, 0], "the second part of the greedy games belongs to the other process"
    for which, parts in ((0, 1), (1, 5), (2, 5)):
        mine = [part for part in results._rows if (part.kind, part.which) == ("games", which)]
        assert abs(2 * len(mine) - parts) <= 1, "each process plays half of the games of each strength"
    hand(0)
    whole = hand(1)
    assert whole.done == whole.of and whole.some
    together, alone = (
        Results(msgspec.json.decode(text, type=Plan), tmp_path),
        finish(Results(msgspec.json.decode(text, type=Plan))),
    )
    for which in range(3):
        assert together.rows("games", which).tobytes() == alone.rows("games", which).tobytes()


def test_the_side_that_the_seats_favour_is_named_in_its_colour() -> None:
    from bridgehead.workshop.lab.answers.answer import Run

    def favoured(rules: dict[str, object]) -> quick.FavouredSide | None:
        results = finish(Results(quick.plan_short_study(registry.game("known", **{"plies": 6, **rules}))))
        return quick.find_favoured(Run(results, results.plan.make_game(0), quick.LIMITS), quick.answers(results))

    found = favoured({"kind": "coin", "edge": 85})
    assert found is not None and found.seat == registry.spec("known").seat_letter(0)
    assert set(found.names) == set(languages()) and all(found.names.values())
    assert favoured({"kind": "coin"}) is None
