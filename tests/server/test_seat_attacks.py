"""Attacks on seats: by those whose secret was revoked, by the host, by the only opponent, by readers of the log, by guessing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.interleaving import EASY, Page, World, driven

RULES = {"firstPlayer": "seat0"}
NAMES = ("Ada", "Ben", "Cleo", "Dan")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with driven(tmp_path / "log") as made:
        yield made


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[World]:
    """Two workers over one log."""
    with driven(tmp_path / "log", workers=2) as made:
        yield made


def people(number: int, **more: Any) -> dict[str, Any]:
    seats = [{"kind": "person", "name": name} for name in NAMES[:number]]
    return {"game": "burning_bridges", "seed": 1, "options": RULES, "seats": seats, **more}


def all_here(world: World, number: int = 2, **more: Any) -> tuple[Any, list[str], list[Page]]:
    """A table at which everybody is, the tokens of the seats and the host's, and the pages; the host plays the first seat."""
    table, tokens, host = world.table(**people(number, **more))
    secrets = [str(token) for token in tokens]
    pages = [world.come(table.id, token, host="" if seat else host) for seat, token in enumerate(secrets)]
    world.quiet()
    return table, [*secrets, host], pages


def answer(world: World, page: Page, seat: int, do: str, **more: Any) -> str:
    """Ask for a change of a seat: "ack", or the code of the refusal."""
    call = page.seat(seat, do, **more)
    world.quiet()
    assert call.answer is not None
    return str(call.answer.get("code", "ack"))


def may(page: Page, seat: int) -> tuple[list[str], list[str]]:
    """What a page may do with a seat: alone, and with the others."""
    shown = page.people["seats"][seat]
    return shown["may"], shown["ask"]


def marks(page: Page) -> list[str]:
    return [mark["text"] for mark in page.people["marks"]]


# A revoked secret


def test_a_secret_that_is_revoked_while_its_holder_comes_in_does_not_act(world: World) -> None:
    table, (token, *_), (ada, _) = all_here(world)
    ada.seat(0, "leave")
    world.until("commit")
    intruder = world.come(table.id, token)
    world.open(f"message of {intruder.number}")  # it is let in as far as the lock, which the change of the seat holds
    acted = intruder.act(table.match.position.legal[0], version=table.version + 1)
    world.quiet()
    assert intruder.bye.get("code") == "token" and intruder.bye["stray"] == [0]
    assert acted.answer is None and [event.kind for event in world.store.events(table.id)] == ["seat"]


def test_a_secret_that_is_revoked_while_its_actions_wait_does_not_act(world: World) -> None:
    table, (token, *_), (ada, _) = all_here(world)
    again = world.come(table.id, token)
    world.quiet()
    ada.seat(0, "leave")
    world.until("commit")
    calls = [again.act(action, version) for version in (0, 1) for action in table.match.position.legal[:2]]
    world.quiet()
    assert {call.answer["code"] for call in calls if call.answer} == {"turn"} and again.people["stray"] == [0]
    assert again.people["you"] == [] and table.version == 1


def test_a_change_that_one_page_brings_to_a_worker_ends_the_rights_of_all(workers: World) -> None:
    """A page that has seen a newer version makes its worker read the log: pages that were there before must learn of it too."""
    table, tokens, _ = workers.table(**people(2))
    secret = str(tokens[0])
    ada, twin = workers.come(table.id, secret), workers.come(table.id, secret, worker=1)
    workers.quiet(6)
    ada.seat(0, "leave")
    while ada.view["v"] == 0:
        workers.step(next(i for i, (label, _) in enumerate(workers.moves) if label != "word"))
    watcher = workers.come(table.id, worker=1, last=ada.view["v"], mark=ada.view["mark"])
    while not watcher.view:
        workers.step(next(i for i, (label, _) in enumerate(workers.moves) if label != "word"))
    assert twin.view["v"] == 1 and twin.people["you"] == [], "it is shown without a word on the bus"
    acted = twin.act(table.match.position.legal[0], version=1)
    workers.quiet(6)
    assert acted.answer is not None and acted.answer["t"] == "rej"
    assert [event.kind for event in workers.store.events(table.id)] == ["seat"]


def test_a_secret_that_one_worker_revokes_does_not_act_at_another_that_does_not_know(workers: World) -> None:
    table, tokens, _ = workers.table(**people(2))
    secret = str(tokens[0])
    ada, twin = workers.come(table.id, secret), workers.come(table.id, secret, worker=1)
    workers.quiet(6)
    ada.seat(0, "leave")
    acted = twin.act(table.match.position.legal[0])
    while not (ada.view["v"] and acted.answer):
        workers.step(next(i for i, (label, _) in enumerate(workers.moves) if label != "word"))
    assert acted.answer["t"] == "rej" and [event.kind for event in workers.store.events(table.id)] == ["seat"]


# The host, and the only opponent


def test_a_host_gets_no_link_to_the_seat_of_a_person_who_is_there_or_was(world: World) -> None:
    table, (_, ben_token, host), (ada, ben) = all_here(world)
    other = world.come(table.id, host=host)  # a host who shows no seat
    world.quiet()
    for _ in range(2):
        for page in (ada, other):
            assert may(page, 1) == ([], [])
            assert [answer(world, page, 1, do, level="greedy") for do in ("computer", "substitute", "open", "revoke")] == [
                "illegal"
            ] * 4
        ben.cut()
        world.quiet(30)
    assert world.store.events(table.id) == []
    assert world.come(table.id, ben_token) and not world.quiet() and world.pages[-1].view["you"] == [1]


def test_the_only_opponent_gets_the_computer_for_somebody_away_and_nothing_else(world: World) -> None:
    table, (_, ben_token, host), (ada, ben) = all_here(world)
    other = world.come(table.id, host=host)
    ben.cut()
    world.quiet(61)
    assert may(ada, 1) == (["computer"], []) and may(other, 1) == (["computer"], [])
    for page in (ada, other):
        assert [answer(world, page, 1, do) for do in ("substitute", "open", "revoke", "claim")] == ["illegal"] * 4
    assert answer(world, ada, 1, "computer", level="greedy") == "ack"
    assert marks(other)[-1].endswith("plays from here (the host decided).")
    assert [answer(world, ada, 1, do) for do in ("substitute", "open", "revoke")] == ["illegal"] * 3
    ben = world.come(table.id, ben_token)
    world.quiet()
    assert ben.people["back"] == [1] and answer(world, ben, 1, "back") == "ack"


def test_an_opponent_who_is_no_host_gets_the_computer_only(world: World) -> None:
    _, _, (ada, ben) = all_here(world)
    ada.cut()
    world.quiet(61)
    assert may(ben, 0) == ([], ["computer"])
    assert [answer(world, ben, 0, do) for do in ("substitute", "open", "revoke", "claim")] == ["illegal"] * 4
    assert answer(world, ben, 0, "computer", level="greedy") == "ack"
    assert marks(ben)[-1].endswith("(the others decided).")


def test_a_seat_that_was_left_for_good_is_the_computers_and_stays_so_if_only_one_opponent_is_there(world: World) -> None:
    _, _, (ada, ben) = all_here(world)
    for page, do in ((ben, "leave"), (ada, "computer")):
        assert answer(world, page, 1, do, level="random") == "ack"
        assert may(ada, 1) == (["computer"], [])
        assert [answer(world, ada, 1, do) for do in ("substitute", "open", "revoke")] == ["illegal"] * 3


def test_a_page_with_several_seats_is_one_opponent(world: World) -> None:
    table, tokens, _ = world.table(**people(3))
    ada, ben = world.come(table.id, str(tokens[0]), str(tokens[2])), world.come(table.id, str(tokens[1]))
    world.quiet()
    ben.cut()
    world.quiet(61)
    assert may(ada, 1) == ([], ["computer"])
    assert [answer(world, ada, 1, do) for do in ("substitute", "open")] == ["illegal"] * 2


def test_two_persons_at_two_pages_may_invite_a_substitute_and_who_was_away_comes_back(world: World) -> None:
    table, tokens, (ada, ben, cleo) = all_here(world, 3)
    cleo.cut()
    world.quiet(61)
    assert may(ben, 2) == ([], ["computer", "open", "substitute"])
    assert answer(world, ben, 2, "substitute") == "ack" and table.seats[2].offer == ""
    (vote,) = ada.people["seats"][2]["votes"]
    assert vote["by"] == [1] and vote["of"] == 2
    assert answer(world, ada, 2, "substitute") == "ack" and table.seats[2].offer
    offered = ada.tokens[-1]
    dan = world.come(table.id, offered)
    world.quiet()
    assert dan.view["you"] == [2] and marks(ben)[-1] == "Seat Yellow: a substitute plays for Cleo from here."
    cleo = world.come(table.id, tokens[2])
    world.quiet()
    assert cleo.view["you"] == [] and cleo.people["back"] == [2]
    assert answer(world, cleo, 2, "back") == "ack" and cleo.view["you"] == [2] and dan.people["you"] == []
    again = world.come(table.id, offered)
    world.quiet()
    assert dan.people["back"] == [] and again.bye["code"] == "token"


def test_a_host_decides_alone_about_a_seat_that_nobody_has_taken(world: World) -> None:
    table, tokens, host = world.table(**people(3))
    ada = world.come(table.id, str(tokens[0]), host=host)
    world.quiet()
    assert may(ada, 1) == (["computer", "open", "revoke", "substitute"], [])
    assert answer(world, ada, 1, "revoke") == "ack"
    ben = world.come(table.id, ada.tokens[-1])
    world.quiet()
    assert ben.view["you"] == [1] and may(ada, 1) == ([], [])
    ben.cut()
    world.quiet()
    assert may(ada, 1) == ([], []), "somebody has been there"


@pytest.mark.parametrize("clock", [{"nudge": 3600}, {"bank": 3600}])
def test_in_a_game_with_long_clocks_the_others_wait_for_the_time_agreed(world: World, clock: dict[str, int]) -> None:
    table, _, (ada, ben) = all_here(world, clock=clock)
    ben.cut()
    world.quiet(300)
    assert may(ada, 1) == ([], []), "it is not even his turn"
    while table.actor == 0:
        ada.act(table.match.position.legal[0])
        world.quiet()
    world.quiet(3500)
    assert may(ada, 1) == ([], []) and answer(world, ada, 1, "computer", level="greedy") == "illegal"
    world.quiet(200)
    if "nudge" in clock:
        assert may(ada, 1) == (["computer"], []) and answer(world, ada, 1, "computer", level="greedy") == "ack"
    else:
        assert ada.view["outcome"]["reason"], "his clock has run out, and decides by itself"


def test_a_restart_of_the_server_does_not_forget_how_long_a_turn_has_lasted(world: World) -> None:
    table, (token, *_, host), pages = all_here(world, clock={"nudge": 3600})
    for _ in range(20):
        pages[table.actor].act(table.match.position.legal[0])
        world.quiet()
    while table.actor == 0:
        pages[0].act(table.match.position.legal[0])
        world.quiet()
    world.quiet(3500)
    world.kill(0)
    world.start(0)
    ada = world.come(table.id, token, host=host)
    world.quiet(50)
    assert may(ada, 1) == ([], [])
    world.quiet(60)
    assert may(ada, 1) == (["computer"], [])


def test_a_person_out_of_time_who_is_there_is_replaced_by_nobody_but_the_computer(world: World) -> None:
    table, _, (ada, ben, cleo) = all_here(world, 3, clock={"bank": 60})
    while table.actor == 0:
        ada.act(table.match.position.legal[0])
        world.quiet()
    world.quiet(100)
    assert 1 in table.late
    assert may(ada, 1) == (["computer"], []) and may(cleo, 1) == ([], ["computer"])
    assert ben.people["you"] == [1]


# The seat for oneself alone


def test_a_person_who_makes_a_new_link_and_uses_it_ends_the_one_that_the_host_knows(world: World) -> None:
    table, (_, known, host), (_, ben) = all_here(world)
    assert answer(world, ben, 1, "substitute") == "ack"
    own = ben.tokens[-1]
    ben.cut()
    again = world.come(table.id, known, own)
    world.quiet()
    assert again.view["you"] == [1] and again.people["stray"] == [0]
    robber = world.come(table.id, known, host=host)
    world.quiet()
    assert robber.bye["code"] == "token"


# The log


def test_the_log_of_a_claim_gives_its_reader_nothing(world: World) -> None:
    seats = [{"kind": "person"}, {"kind": "person", "open": True}]
    table, _, host = world.table(**people(0) | {"seats": seats})
    guest = world.come(table.id)
    world.quiet()
    claim = guest.seat(1, "claim")
    world.quiet()
    key = claim.message["k"]
    (event,) = world.store.events(table.id)
    assert key not in str(event) and len(event.key) == 32
    for life in range(2):
        reader = world.come(table.id, host=host)
        world.quiet()
        for stolen in (event.key, json.loads(event.body)["token"][:32]):
            reader.say(stolen, t="seat", seat=1, do="claim")
            world.quiet()
        assert reader.tokens == []
        honest = world.come(table.id)
        repeated = honest.say(key, t="seat", seat=1, do="claim")
        world.quiet()
        assert repeated.answer is not None and repeated.answer["t"] == "ack" and len(honest.tokens) == 1, (
            "only the claimer knows it"
        )
        if life == 0:
            world.kill(0)
            world.start(0)
    seen = world.come(table.id, honest.tokens[0])
    world.quiet()
    assert seen.view["you"] == [1]


def test_a_key_that_an_older_release_stored_gives_nothing_and_its_log_goes_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = [{"kind": "person"}, {"kind": "person", "open": True}]
    table, _, _ = world.table(**people(0) | {"seats": seats})
    with monkeypatch.context() as older:
        older.setattr("bridgehead.server.rooms.permissions.seat_key", lambda key: key)
        guest = world.come(table.id)
        claim = guest.seat(1, "claim")
        world.quiet()
    (event,) = world.store.events(table.id)
    assert event.key == claim.message["k"]
    world.kill(0)
    world.start(0)
    reader = world.come(table.id)
    call = reader.say(event.key, t="seat", seat=1, do="claim")
    world.quiet()
    assert call.answer is not None and call.answer["t"] == "ack" and reader.tokens == []
    back = world.come(table.id, guest.tokens[0])
    world.quiet()
    assert back.view["you"] == [1]


# Codes


def test_a_code_ends_when_the_table_is_full_and_links_carry_a_hundred_bits(world: World) -> None:
    table, tokens, _ = world.table(**people(2))
    code = table.code
    assert len(code) == 6 and len(table.id) == 22 and 24**22 > 2**96
    ada, guest = world.come(code, str(tokens[0])), world.come(code)
    world.quiet()
    assert ada.view["table"] == guest.view["table"] == table.id and guest.people["code"] == code
    world.come(table.id, str(tokens[1]))
    world.quiet()
    assert ada.people["code"] == ""
    late, by_link = world.come(code), world.come(table.id)
    world.quiet()
    assert late.bye["code"] == "table" and by_link.view["v"] == 0
    world.kill(0)
    world.start(0)
    late = world.come(code)
    world.quiet()
    assert late.bye["code"] == "table"


def test_a_seat_that_is_opened_gives_the_table_a_code_again(world: World) -> None:
    table, _, (ada, _) = all_here(world)
    assert table.code == ""
    assert answer(world, ada, 0, "open") == "ack"
    assert len(ada.people["code"]) == 6
    guest = world.come(ada.people["code"])
    world.quiet()
    assert answer(world, guest, 0, "claim") == "ack" and guest.people["code"] == ""


def test_a_code_lasts_a_week(world: World) -> None:
    table, _, _ = world.table(**people(2))
    code = table.code
    world.loop.now += 8 * 86_400
    late = world.come(code)
    world.quiet()
    assert late.bye["code"] == "table"


def test_a_budget_for_all_wrong_codes_protects_all_tables_and_seats_and_links_come_in(tmp_path: Path) -> None:
    with driven(tmp_path / "log", limits=EASY._replace(guesses=50, misses=5)) as world:
        table, tokens, _ = world.table(**people(2))
        guesses = [world.come(f"QQQ{n:03d}") for n in range(60)]  # each from an address of its own
        world.quiet()
        assert [page.bye["code"] for page in guesses] == ["table"] * 50 + ["rate"] * 10
        right, link, seat = world.come(table.code), world.come(table.id), world.come(table.code, str(tokens[0]))
        world.quiet()
        assert right.bye["code"] == "rate" and "links still work" in right.bye["text"]
        assert link.view["v"] == 0 and seat.view["you"] == [0]
        world.wait(100)
        later = world.come(table.code)
        world.quiet()
        assert later.view["v"] == 0


def test_an_old_table_with_a_short_id_is_found_by_its_links(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.tables.repository.fresh_id", lambda: "ABCDE")
    table, tokens, _ = world.table(**people(2))
    assert table.id == "ABCDE"
    world.kill(0)
    world.start(0)
    pages = [world.come("ABCDE", str(token)) for token in tokens]
    world.quiet()
    watcher = world.come("ABCDE")
    world.quiet()
    assert [page.view["you"] for page in (*pages, watcher)] == [[0], [1], []] and watcher.people["code"] == "ABCDE"
