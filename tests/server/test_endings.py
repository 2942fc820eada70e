"""The end from each viewer's point of view: the headline, the ranking, a rematch with other levels, another table like this."""

import itertools
import json
import re
import secrets

import msgspec
import pytest

from bridgehead.core import record
from bridgehead.core.ending import DRAW, RESIGNED, Ending
from bridgehead.core.match import Match
from bridgehead.core.phrases import languages
from bridgehead.core.scene import MovementTrace
from bridgehead.server.messages.server import EndView
from bridgehead.server.rooms import endings, views
from records import recorded
from server.live import Live

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve"]


def ended(name: str, *you: int, language: str = "en") -> EndView:
    match, _ = record.load(recorded(name))
    return of(match, *you, language=language)


def of(match: Match, *you: int, language: str = "en") -> EndView:
    narrator = views.TableText(match, NAMES[: match.game.seats], language)
    found = endings.describe_end(match, narrator.called, frozenset(you), narrator.own, narrator.say)
    assert found is not None
    return found


def test_the_headline_speaks_to_the_winner_and_to_each_of_the_others() -> None:
    assert (ended("barricade-1", 0).headline, ended("barricade-1", 0).tone) == ("You won.", "won")
    second = ended("barricade-1", 1)
    assert (second.headline, second.tone) == ("You came second, 2 steps from the top.", "lost")
    assert ended("barricade-1", 2).headline == "You came fourth, 27 steps from the top."
    assert ended("forty_bridges-2", 1).headline == "You lost, 4 steps from the corner, 2 pieces left."
    assert ended("burning_bridges-1", 3).headline == "You came second, the child home, the parents 1 line away."
    assert ended("forty_bridges-5", 0).headline == "Nobody won. You: 1 step from the corner, 7 pieces left."
    assert ended("forty_bridges-5", 0).tone == "drawn"


def test_the_ranking_has_every_seat_by_how_near_it_was() -> None:
    ranks = ended("barricade-1").ranks
    assert [(rank.seat, rank.place) for rank in ranks] == [(0, 1), (1, 2), (3, 3), (2, 4)]
    assert [rank.text for rank in ranks[:2]] == ["won in turn 219", "2 steps from the top"]
    assert [(rank.seat, rank.place) for rank in ended("barricade-4").ranks] == [(0, 1), (2, 1), (1, 2), (3, 2)], "sides share"
    assert {rank.place for rank in ended("burning_bridges-4").ranks} == {0}, "where nobody won there is no place"


def test_the_winning_way_goes_without_detours_from_where_the_piece_began_to_where_it_won() -> None:
    for name, piece, first, last in (
        ("barricade-2", "p:b:e10", "f:home1", "f:e10"), ("burning_bridges-1", "p:aL", "f:R0", "f:R11"),
        ("forty_bridges-2", "p:0:e5", "f:b2", "f:e5"), ("front_lines-3", "p:D", "f:start", "f:across"),
        ("forty_bridges-1", "p:1:b3", "f:e4", "f:b3"),
    ):  # fmt: skip
        match, _ = record.load(recorded(name))
        found = of(match)
        assert (found.piece, found.way[0], found.way[-1]) == (piece, first, last)
        assert len({*found.way}) == len(found.way)
        moved = {(a, b) for trace in traces(match) for a, b in itertools.pairwise(trace.via)}
        assert all(step in moved for step in itertools.pairwise(found.way)), "each step was made"
        assert {item.id: item.at for item in match.game.spec.scene.items(match.position, "en")}[piece] == last


def traces(match: Match) -> list[MovementTrace]:
    scene, steps = match.game.spec.scene, itertools.pairwise(match.positions)
    return [each for entry, (one, other) in zip(match.log, steps, strict=True) for each in scene.traces(one, entry.action, other)]


def test_a_game_that_ended_otherwise_has_no_winning_way() -> None:
    for name in ("barricade-4", "burning_bridges-4", "forty_bridges-5", "front_lines-1"):
        assert (ended(name).way, ended(name).piece) == ([], "")
    match = record.load(recorded("forty_bridges-2"))[0].fork(34)
    match.end(Ending(RESIGNED, 1))
    assert of(match).way == [] and "way" not in msgspec.to_builtins(of(match))


def test_those_who_share_a_screen_and_spectators_get_sentences_of_their_own() -> None:
    assert ended("barricade-1").headline == "Ada wins. Ben: 2 steps from the top."
    assert ended("barricade-1", 2, 3).headline == "Ada wins. Dan: 24 steps from the top."
    assert ended("forty_bridges-5").headline == "Nobody won." and ended("forty_bridges-5").tone == "seen"
    resigned = Match(record.load(recorded("forty_bridges-1"))[0].game)
    resigned.end(Ending(RESIGNED, 0))
    assert of(resigned, 1).headline == "You won." and of(resigned, 0).headline.startswith("You lost, ")
    agreed = resigned.fork()
    agreed.end(Ending(DRAW))
    assert of(agreed, 0).headline.startswith("Nobody won. You: ")


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_headline(language: str) -> None:
    for name in ("barricade-1", "burning_bridges-1", "burning_bridges-4", "forty_bridges-5", "front_lines-3", "front_lines-1"):
        for you in ((), (0,), (1,), (0, 1)):
            found = ended(name, *you, language=language)
            assert found.headline and all(rank.text for rank in found.ranks) and "{" not in str(found)


def test_a_rematch_with_weaker_or_stronger_computers_and_a_new_table_like_this(live: Live) -> None:
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "computer", "level": "ranger"}]
    record_text = recorded("forty_bridges-2")
    match, _ = record.load(record_text)
    me = match.log[-1].actor
    body = {"game": "forty_bridges", "seats": seats[::-1] if me else seats, "record": record_text, "at": len(match.log) - 1}
    table = live.http.post("/api/tables", json=body).json()
    page = live.page(table, me)
    page.act(match.positions[-2].name(match.log[-1].action))
    page.until(lambda view: view["outcome"])
    assert page.view["ending"]["tone"] == "won" and page.view["may"] == []
    shown = live.http.get(f"/new/forty_bridges?like={table['table']}").text
    like = json.loads(re.search(r"data-like='([^']+)'", shown)[1])  # type: ignore[index]
    seated = ["person", "ranger"] if me == 0 else ["ranger", "person"]
    assert like == {"rules": {}, "seats": seated, "again": "Again, without going back"}
    page.say(t="rematch", k=secrets.token_hex(16), step=-1)
    while not page.people.get("rematch"):
        page.hear("people")
    levels = page.people["levels"]
    again = live.page({**table, "table": page.people["rematch"]}, me)
    weaker = next(seat for seat in again.view["seats"] if seat["kind"] == "computer")
    assert levels.index(weaker["level"]) == levels.index("ranger") - 1
