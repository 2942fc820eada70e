"""What the host does with the seats of a class: people change places, tables become one or are closed; never in a begun game."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from bridgehead.core import record
from bridgehead.core.ending import CLOSED, Ending
from bridgehead.server.storage.audit import Audit
from server.cluster import Cluster
from server.live import PEOPLE, Live, Page, Serve
from server.test_classroom import KEY, do, look
from server.test_proposals import first
from server.test_siege import HELLO
from server.test_tournaments import Cup
from waiting import wait_for

FREE = PEOPLE[0] | {"open": True}


@pytest.fixture
def own(serve: Serve) -> Live:
    return serve(host_key=KEY)


def person(name: str) -> dict[str, Any]:
    return PEOPLE[0] | {"name": name}


def rearrange(live: Live, what: str, table: dict[str, Any], status: int = 200, **more: Any) -> dict[str, Any]:
    return do(live, what, status, table=table["table"], **{"k": secrets.token_hex(16)} | more)


def swap(live: Live, table: dict[str, Any], seat: int, to: dict[str, Any], to_seat: int, status: int = 200, **more: Any) -> Any:
    return rearrange(live, "swap", table, status, seat=seat, to=to["table"], to_seat=to_seat, **more)


def follow(live: Live, page: Page, table: dict[str, Any], token: str) -> Page:
    """What a page does whose token no longer counts: it asks where its person is now, and goes there with the same token."""
    while not page.people.get("stray"):
        page.hear("people")
    page.socket.close()
    return arrive(live, table, token)


def arrive(live: Live, table: dict[str, Any], token: str) -> Page:
    """A page that comes to its old table later, and is sent on."""
    target = live.ask(f"/api/tables/{table['table']}/moved", {"token": token})["table"]
    assert target
    page = Page(live.url)
    page.say(**HELLO | {"table": target, "tokens": [token]})
    page.hear("view")
    return page


def names(live: Live, table: dict[str, Any]) -> list[str]:
    return next([seat["name"] for seat in each["seats"]] for each in look(live)["news"] if each["table"] == table["table"])


def both_play(pages: list[Page]) -> None:
    """Two pages of one table make a move each."""
    moved = 0
    while moved < len(pages):
        page = next((each for each in pages if each.view.get("choices")), None)
        if page is None:
            for each in pages:
                each.say(t="ping", n=1)
                each.hear("pong")
            continue
        page.act(first(page))
        moved += 1


def whole(live: Live) -> None:
    """The logs of a stopped server follow from their rules."""
    live.stop()
    with Audit(live.file) as audit:
        assert list(audit.damages()) == []


def test_two_who_wait_alone_become_one_table_and_their_pages_follow(own: Live) -> None:
    one, other = (own.table(seats=[person(name), FREE]) for name in ("Ada", "Ben"))
    ada, ben = own.page(one, 0), own.page(other, 0)
    assert rearrange(own, "merge", one, to=other["table"]) == {"tables": 1, "failed": 0}
    again = follow(own, ada, one, one["tokens"][0])
    assert again.view["you"] == [1] and names(own, other) == ["Ben", "Ada"]
    wait_for(lambda: look(own)["order"] == [other["table"]])  # the empty table is closed
    gone = Page(own.url)
    gone.say(**HELLO | {"table": one["table"], "tokens": []})
    assert "The host has closed this table." in gone.hear("view")["outcome"]["text"]
    both_play([again, ben])
    own.restart()
    assert names(own, other) == ["Ben", "Ada"] and arrive(own, one, one["tokens"][0]).view["you"] == [1]
    whole(own)


def test_two_pupils_change_places_between_tables_and_at_one(own: Live) -> None:
    one, other = (own.table(seats=[person(a), person(b)]) for a, b in (("Ada", "Ben"), ("Cleo", "Dan")))
    pages = {
        name: own.page(table, seat)
        for table, seat, name in ((one, 0, "Ada"), (one, 1, "Ben"), (other, 0, "Cleo"), (other, 1, "Dan"))
    }
    key = secrets.token_hex(16)
    for _ in range(2):  # the answer was lost, so the page sends it again
        swap(own, one, 0, other, 1, k=key)
    assert names(own, one) == ["Dan", "Ben"] and names(own, other) == ["Cleo", "Ada"]
    ada = follow(own, pages["Ada"], one, one["tokens"][0])
    dan = follow(own, pages["Dan"], other, other["tokens"][1])
    assert (ada.view["you"], dan.view["you"]) == ([1], [0])
    swap(own, one, 0, one, 1)
    dan.until(lambda view: view["you"] == [1])
    assert names(own, one) == ["Ben", "Dan"]
    both_play([dan, pages["Ben"]])
    both_play([pages["Cleo"], ada])
    whole(own)


def test_a_pupil_moves_to_a_free_seat_and_a_computer_takes_the_place_of_a_pupil(own: Live) -> None:
    one = own.table(seats=[person("Ada"), {"kind": "computer", "level": "greedy"}])
    other = own.table(seats=[FREE, person("Ben")])
    own.page(other, 1)
    page = own.page(one, 0)
    if page.until(lambda view: view["actor"] == 0):
        swap(own, one, 0, other, 0)
    assert names(own, other) == ["Ada", "Ben"]
    seats = next(each["seats"] for each in look(own)["news"] if each["table"] == one["table"])
    assert [(each["taken"], each["level"]) for each in seats] == [(False, ""), (False, "greedy")]
    third = own.table(seats=[{"kind": "computer", "level": "greedy"}, person("Cleo")])
    own.page(third, 1).until(lambda view: view["actor"] == 1)
    swap(own, other, 0, third, 0)
    assert names(own, third)[0] == "Ada"
    assert next(each["seats"][0]["level"] for each in look(own)["news"] if each["table"] == other["table"]) == "greedy"
    whole(own)


def test_what_cannot_be_is_refused_in_words_and_changes_nothing(own: Live) -> None:
    one, other, third = (own.table(seats=[person(name), person(f"{name} 2")]) for name in ("Ada", "Ben", "Cleo"))
    pages = [own.page(each, 0, 1) for each in (one, other, third)]
    pages[0].act(first(pages[0]))
    assert "the game of Ada, Ada 2 has begun" in swap(own, one, 0, other, 0, 400)["error"]
    assert "the game of Ada, Ada 2 has begun" in rearrange(own, "merge", other, 400, to=one["table"])["error"]
    assert "2 would move, and only 0 seats are free" in rearrange(own, "merge", other, 400, to=third["table"])["error"]
    assert "two different places" in swap(own, other, 1, other, 1, 400)["error"]
    assert "two different places" in swap(own, other, 7, third, 0, 400)["error"]
    assert "no such table" in swap(own, other, 0, {"table": "Z" * 22}, 0, 400)["error"]
    empty = own.table(seats=[FREE, FREE])
    assert "nobody sits there" in swap(own, empty, 0, empty, 1, 400)["error"]
    cup = Cup(own)
    for name in ("Eva", "Finn"):
        cup.enter(name)
    [game] = cup.do("start")["games"]
    assert "of the same tournament" in swap(own, other, 0, game, 0, 400)["error"]
    rearrange(own, "close", third)
    pages[2].until(lambda view: view["outcome"])
    assert "is over" in swap(own, third, 0, other, 0, 400)["error"] and "is over" in rearrange(own, "close", third, 400)["error"]
    assert names(own, other) == ["Ben", "Ben 2"] and pages[1].act(first(pages[1]))["v"] > 0


def test_tables_of_different_games_are_not_merged_but_a_person_may_change_games(own: Live) -> None:
    one, computer = own.table(seats=[person("Ada"), FREE]), {"kind": "computer", "level": "greedy"}
    other = own.table("barricade", seats=[person("Ben"), computer, FREE, FREE])
    own.page(other, 0)
    page = own.page(one, 0)
    assert "40 Bridges, the other Barricade" in rearrange(own, "merge", one, 400, to=other["table"])["error"]
    assert "40 Bridges, the other Barricade" in swap(own, one, 0, other, 1, 400)["error"]
    assert (names(own, one)[0], names(own, other)[0]) == ("Ada", "Ben")
    swap(own, one, 0, other, 2)
    assert follow(own, page, one, one["tokens"][0]).view["you"] == [2]
    assert (names(own, one)[0], names(own, other)[2]) == ("A", "Ada")


def test_a_begun_and_paused_table_is_closed_with_a_line_in_its_log(own: Live) -> None:
    table = own.table()
    page = own.page(table, 0, 1)
    page.act(first(page))
    do(own, "pause")
    page.until(lambda view: view.get("paused"))
    rearrange(own, "close", table)
    assert page.until(lambda view: view["outcome"])["outcome"]["text"] == "The host has closed this table. Nobody wins."
    own.restart()
    assert own.page(table, 0).view["outcome"]["winners"] == []
    text = own.http.get(f"/api/tables/{table['table']}/record").text
    match, _ = record.load(text)
    assert "closed by the host" in text and match.ended == Ending(CLOSED) and match.outcome and not match.outcome.winners
    kinds = [(event.kind, event.by) for event in own.store.events(table["table"])][-2:]
    assert kinds == [("release", "host"), ("end", "host")]


def test_a_closed_table_at_which_nobody_ever_sat_is_deleted_at_once_and_no_other(own: Live) -> None:
    unused, named, watched, sat = (
        own.table(seats=seats) for seats in ([FREE, FREE], [person("Ada"), FREE], [FREE, FREE], [FREE, FREE])
    )
    watcher = own.page(watched)
    own.page(sat, 0).socket.close()
    for table in (unused, named, watched, sat):
        wait_for(lambda: not own.app.state.manager.rooms.get(sat["table"]))
        rearrange(own, "close", table)
    assert "nobody had played" in watcher.hear("bye")["text"]
    left = [str(name) for (name,) in own.store.read("select id from game")]
    assert sorted(left) == sorted(each["table"] for each in (named, sat))
    assert "no such table" in rearrange(own, "close", unused, 400)["error"]
    assert own.http.get(f"/api/tables/{named['table']}/record").status_code == 200


def test_whoever_is_moved_to_a_seat_has_yet_to_come(own: Live) -> None:
    cup = Cup(own, kind="swiss", rounds=1)
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        cup.enter(name)
    one, other = cup.do("start")["games"]
    a, b = one["seats"][0], other["seats"][1]
    page = own.page({"table": one["table"], "tokens": [cup.tokens[a]]}, 0)
    came = lambda: {event.kind for event in own.store.events(one["table"])}  # noqa: E731
    wait_for(lambda: "came" in came())
    swap(own, one, 0, other, 1)
    own.restart()
    assert page.socket and own.app.state.people.tournaments
    late = arrive(own, other, cup.tokens[b])
    wait_for(lambda: [event.kind for event in own.store.events(one["table"])].count("came") == 2)
    assert late.view["you"] == [0], "the new person of the seat comes for the first time"


def test_a_game_that_somebody_began_and_then_left_to_a_computer_has_begun(own: Live) -> None:
    one, other = (own.table(seats=[person(a), person(b)]) for a, b in (("Ada", "Ben"), ("Cleo", "Dan")))
    ada = own.page(one, 0)
    ada.act(first(ada))
    ada.say(t="seat", k=secrets.token_hex(16), seat=0, do="computer", level="random")
    wait_for(lambda: any(event.kind == "seat" for event in own.store.events(one["table"])))
    assert "has begun" in swap(own, one, 0, other, 0, 400)["error"]


def test_nobody_who_was_moved_agrees_to_what_was_proposed_before(own: Live) -> None:
    one, other = (own.table(seats=[person(a), person(b)]) for a, b in (("Ada", "Ben"), ("Cleo", "Dan")))
    ada, ben = own.page(one, 0), own.page(one, 1)
    ada.say(t="ask", k=secrets.token_hex(16), v=ada.view["v"], what="draw")
    about = ben.until(lambda view: view.get("ask"))["ask"]["v"]
    swap(own, one, 0, other, 0)
    ben.say(t="answer", k=secrets.token_hex(16), about=about, yes=True)
    ben.hear("rej")
    assert not ben.view["outcome"]
    whole(own)


def test_a_game_by_days_keeps_its_people(own: Live) -> None:
    seats = [person("Ada"), person("Ben")]
    one = own.ask("/api/tables", {"game": "forty_bridges", "seats": seats, "clock": {"days": 1}}, 201)
    assert "by days" in swap(own, one, 0, own.table(), 0, 400)["error"]


def test_after_a_merge_no_two_at_a_table_have_one_name(own: Live) -> None:
    one = own.table("barricade", seats=[person("Ada"), person("Ada"), FREE, FREE])
    other = own.table("barricade", seats=[FREE, FREE, person("Ada"), FREE])
    for table, seats in ((one, (0, 1)), (other, (2,))):
        own.page(table, *seats)
    rearrange(own, "merge", one, to=other["table"])
    assert len(set(names(own, other))) == 4 and sum("Ada" in name for name in names(own, other)) == 3


def test_places_change_in_a_tournament_and_its_results_go_to_whoever_plays(own: Live) -> None:
    cup = Cup(own, kind="swiss", rounds=1)
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        cup.enter(name)
    one, other = cup.do("start")["games"]
    a, b = one["seats"][0], other["seats"][1]
    page = own.page({"table": one["table"], "tokens": [cup.tokens[a]]}, 0)
    swap(own, one, 0, other, 1)
    own.restart()
    games = {game["table"]: game for game in cup.view["games"]}
    assert games[one["table"]]["seats"] == [b, one["seats"][1]] and games[other["table"]]["seats"] == [other["seats"][0], a]
    assert page.socket and arrive(own, one, cup.tokens[a]).view["you"] == [1]
    for game in cup.open_games():
        cup.lose(game, game["seats"][0])
    view = cup.view
    assert view["state"] == "over" and {line["entrant"] for line in view["lines"] if line["points"]} == {one["seats"][1], a}
    assert [each["who"] for each in view["log"] if each["do"] == "swap"] == [[a, b]]


def test_nobody_changes_tables_where_everybody_meets_everybody(own: Live) -> None:
    cup = Cup(own, kind="round_robin")
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        cup.enter(name)
    one, other = cup.do("start")["games"]
    assert "everybody meets everybody" in swap(own, one, 0, other, 0, 400)["error"]


def test_places_change_between_tables_whose_pages_are_at_another_worker(cluster: Cluster) -> None:
    with cluster.workers(2, host_key=KEY) as (desk, far):
        one, other = (far.table(seats=[person(name), FREE]) for name in ("Ada", "Ben"))
        ada, ben = far.page(one, 0), far.page(other, 0)
        swap(desk, one, 0, other, 1)
        again = follow(far, ada, one, one["tokens"][0])
        assert again.view["you"] == [1]
        both_play([again, ben])
