"""Who sits where: claiming, handing over, coming back, deciding for somebody who is away, the host, the rematch."""

import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bridgehead.core import record
from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.rooms import replays
from server.live import PATIENCE, PEOPLE, Live, Page, Serve

OPEN = [{"kind": "person", "name": "Ada"}, {"kind": "person", "open": True}]
FOUR = [{"kind": "person", "name": name} for name in ("Ada", "Ben", "Cleo", "Dan")]
SOON = Limits(seat=100_000, watcher=100_000, tables=10_000, films=10_000, boards=10_000, effort=10_000_000, away=0.3, claims=1000)


@pytest.fixture(scope="module")
def soon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server at which nobody waits long for those who are away."""
    running = Live(tmp_path_factory.mktemp("soon"), SOON)
    yield running
    running.stop()


def decide(page: Page, seat: int, do: str, key: str = "", **more: Any) -> str:
    """Ask for a change of a seat and hear that it was done (or counted); the secret that came with it, or ""."""
    told = {} if key else {"k": secrets.token_hex(16)}
    page.say(t="seat", seat=seat, do=do, **{"k": key, **told}, **more)
    before = len(page.heard)
    page.hear("ack")
    return next((str(each["token"]) for each in page.heard[before:] if each["t"] == "link"), "")


def refused(page: Page, seat: int, do: str, code: str = "illegal", **more: Any) -> None:
    """Ask for a change of a seat that may not be."""
    page.say(t="seat", k=secrets.token_hex(16), seat=seat, do=do, **more)
    page.refused(code)


def until(page: Page, true: Callable[[Page], Any]) -> Page:
    """Listen until something is true of a page, which has heard of the people by then."""
    begun = time.monotonic()
    while not (page.people and true(page)):
        assert time.monotonic() - begun < PATIENCE, page.people
        page.hear_any()
    return page


def come(live: Live, table: str, *tokens: str, **more: Any) -> Page:
    """Somebody who comes with these tokens, after view and people."""
    page = Page(live.url)
    page.say(t="hello", p=1, table=table, tokens=list(tokens), **more)
    while page.hear_any()["t"] not in ("people", "bye"):
        pass
    return page


def state(page: Page, seat: int) -> str:
    return str(page.people["seats"][seat]["state"])


def test_whoever_comes_by_the_code_sits_down_on_a_free_seat_and_plays(live: Live) -> None:
    table = live.table(seats=OPEN)
    host, guest, late = live.page(table, 0, host=True), come(live, table["table"]), come(live, table["table"])
    assert state(guest, 1) == "free" and guest.people["seats"][1]["may"] == ["claim"] and guest.people["seats"][0]["may"] == []
    token = decide(guest, 1, "claim", name=" Ben\u202e ")
    assert len(token) >= 32 and token != table["tokens"][1]
    until(guest, lambda it: it.view["you"] == [1] and it.people["you"] == [1])
    until(host, lambda it: state(it, 1) == "here")
    assert host.view["seats"][1]["name"] == "Ben" and host.view["names"][1] == "Ben"
    assert host.people["marks"] == [{"at": 0, "n": 1, "text": "Seat Blue: Ben sits down and plays from here."}]
    refused(late, 1, "claim")
    host.act("a2-a3")
    until(guest, lambda it: it.view["v"] == 2 and "choices" in it.view)
    guest.act(guest.view["choices"][0]["text"])
    page = come(live, table["table"], table["tokens"][1])
    assert page.heard[-1]["code"] == "token", "the link that was not used before is none any more"
    assert come(live, table["table"], token).view["you"] == [1]
    for each in (host, late):
        assert token not in str(each.heard)


def test_a_seat_is_claimed_once_by_two_who_try_at_once(live: Live) -> None:
    table = live.table(seats=OPEN)
    guests = [come(live, table["table"]) for _ in range(4)]
    for guest in guests:
        guest.say(t="seat", k=secrets.token_hex(16), seat=1, do="claim")
    told = [until(guest, lambda it: it.heard[-1]["t"] in ("ack", "rej")).heard[-1]["t"] for guest in guests]
    assert sorted(told) == ["ack", "rej", "rej", "rej"]


def test_whoever_has_a_seat_claims_no_other_and_a_closed_seat_is_not_claimed(live: Live) -> None:
    table = live.table(seats=OPEN)
    refused(live.page(table, 0), 1, "claim")
    closed = live.table()
    for seat in (0, 1):
        refused(live.page(closed), seat, "claim")
    refused(live.page(closed), 7, "claim", code="bad")


def test_a_link_that_is_used_makes_a_seat_no_longer_free(live: Live) -> None:
    table = live.table(seats=OPEN)
    watcher = come(live, table["table"])
    assert state(watcher, 1) == "free"
    friend = live.page(table, 1)
    assert friend.view["you"] == [1]
    until(watcher, lambda it: state(it, 1) == "here")
    refused(watcher, 1, "claim")
    friend.socket.close()
    until(watcher, lambda it: state(it, 1) == "away")
    assert live.page(table, 1).view["you"] == [1]
    assert watcher.people["marks"] == [], "the first to come by a seat's own link is no news"


def test_a_seat_is_handed_to_the_computer_and_taken_back(live: Live) -> None:
    table = live.table()
    ada, ben = live.page(table, 0), live.page(table, 1)
    decide(ada, 0, "computer", level="greedy")
    until(ben, lambda it: it.view["seats"][0]["kind"] == "computer" and it.view["actor"] == 1)
    assert "choices" not in until(ada, lambda it: it.view["you"] == []).view
    until(ada, lambda it: it.people["back"] == [0] and it.view["actor"] == 1)
    ada.send_act(0)
    ada.refused("turn")
    ben.act(ben.view["choices"][0]["text"])
    until(ben, lambda it: it.view["actor"] == 1)
    decide(ada, 0, "back")
    until(ada, lambda it: it.view["you"] == [0])
    ben.act(ben.view["choices"][0]["text"])
    until(ada, lambda it: "choices" in it.view)
    ada.act(ada.view["choices"][0]["text"])
    marks = [mark["text"] for mark in until(ben, lambda it: len(it.people["marks"]) == 2).people["marks"]]
    assert (
        marks[0].startswith("Seat Black: the computer, harder (greedy), plays")
        and marks[1] == "Seat Black: Black is back and plays from here."
    )
    german = come(live, table["table"], lang="de")
    assert german.people["marks"][0]["text"].startswith("Platz Schwarz: Ab hier spielt der Computer")
    for language, page in (("en", ben), ("de", german)):
        film = live.http.get(f"/api/tables/{table['table']}/frames?lang={language}").json()
        assert film["notes"] == [{"at": mark["at"], "text": mark["text"]} for mark in page.people["marks"]]
        assert [note["at"] for note in film["notes"]] == [0, 3]


def test_changes_of_seats_stand_in_the_record_which_loads_to_the_letter(live: Live) -> None:
    table = live.table("burning_bridges", firstPlayer="seat0")
    page = live.page(table, 0, 1)
    page.act(page.view["choices"][0]["text"])
    decide(page, 1, "name", name="Ben # 1. a2-a3\u2028")
    until(page, lambda it: it.view["v"] == 2)
    page.act(next(c["text"] for c in page.view["choices"]))
    text = live.http.get(f"/api/tables/{table['table']}/record").text
    assert "\n# Seat B: B is now called Ben # 1. a2-a3.\n" in text
    match, names = record.load(text)
    assert match.notes == [(1, "Seat B: B is now called Ben # 1. a2-a3.")] and len(match.log) == 2
    assert record.dump(match, names) == text
    film = live.http.post("/api/records?lang=de", content=text).json()
    assert film["notes"] == [{"at": 1, "text": "Platz Blau: Blau heißt jetzt Ben # 1. a2-a3."}]
    old = "".join(line for line in text.splitlines(keepends=True) if not line.startswith('# ["mark.'))
    for changed in (old, text.replace("mark.name", "error.file_damaged"), text.replace('"old": ', '"other": ')):
        ((_, note),) = record.load(changed)[0].notes
        told = replays.translate_note(match.game, note, "de")
        assert told == "Seat B: B is now called Ben # 1. a2-a3.", "as an older release wrote it"
    strange = live.http.post("/api/records?lang=de", content=text.replace("# Seat B:", "# Somebody wrote:")).json()
    assert strange["notes"][0]["text"].startswith("Somebody wrote:")


def test_a_substitute_comes_by_a_link_that_only_the_asker_hears_of(live: Live) -> None:
    table = live.table()
    ada, ben = live.page(table, 0), live.page(table, 1)
    token = decide(ada, 0, "substitute")
    assert until(ben, lambda it: it.people["seats"][0]["offer"])
    ada.act("a2-a3")  # until the other one comes, the seat is Ada's
    eve = come(live, table["table"], token)
    assert eve.view["you"] == [0]
    until(ada, lambda it: it.view["you"] == [] and it.people["back"] == [])
    refused(ada, 0, "back")
    bye = come(live, table["table"], table["tokens"][1], table["tokens"][0]).heard[-1]
    assert bye["code"] == "token" and bye["stray"] == [1], "given away by own wish"
    until(ben, lambda it: it.people["marks"][-1]["text"] == "Seat Black: a substitute plays for Black from here.")
    assert token not in str(ben.heard)


def test_who_leaves_for_good_does_not_come_back_and_the_others_need_not_wait(live: Live) -> None:
    table = live.table("burning_bridges", FOUR[:3])
    ada, ben, cleo = (live.page(table, seat) for seat in range(3))
    decide(ada, 0, "leave")
    until(ben, lambda it: state(it, 0) == "left")
    assert come(live, table["table"], table["tokens"][0]).heard[-1]["code"] == "token"
    refused(ada, 0, "back")
    refused(ada, 0, "computer", level="random")
    decide(ben, 0, "computer", level="random")
    until(cleo, lambda it: it.people["seats"][0]["votes"])
    assert cleo.people["seats"][0]["votes"] == [{"do": "computer", "level": "random", "by": [1], "of": 2}]
    assert state(cleo, 0) == "left"
    decide(cleo, 0, "computer", level="random")
    until(ben, lambda it: state(it, 0) == "computer")
    assert "the others decided" in ben.people["marks"][-1]["text"]


def test_the_others_decide_for_somebody_who_is_away_and_who_may_come_back(soon: Live) -> None:
    table = soon.table("burning_bridges", FOUR)
    ada, ben, cleo, dan = (soon.page(table, seat) for seat in range(4))
    watcher = soon.page(table)
    refused(ben, 0, "computer", level="greedy")
    ada.socket.close()
    until(ben, lambda it: state(it, 0) == "away")
    until(ben, lambda it: "computer" in it.people["seats"][0]["ask"])
    refused(watcher, 0, "computer", level="greedy")
    decide(ben, 0, "computer", level="greedy")
    decide(ben, 0, "computer", level="greedy")  # twice is once
    until(dan, lambda it: it.people["seats"][0]["votes"])
    assert state(dan, 0) == "away" and dan.people["seats"][0]["votes"][0]["of"] == 2
    decide(cleo, 0, "computer", level="random")  # another wish
    until(dan, lambda it: len(it.people["seats"][0]["votes"]) == 2)
    assert state(dan, 0) == "away"
    decide(cleo, 0, "computer", level="greedy")
    until(dan, lambda it: state(it, 0) == "computer")
    ada = soon.page(table, 0)
    until(ada, lambda it: it.people.get("back") == [0])
    refused(ben, 0, "open")
    decide(ada, 0, "back")
    until(ada, lambda it: it.view["you"] == [0])
    until(dan, lambda it: state(it, 0) == "here")


def test_the_host_decides_where_nobody_is_and_for_nobody_who_is_there(live: Live) -> None:
    table = live.table(seats=[*PEOPLE[:1], {"kind": "computer", "level": "random"}])
    host = live.page(table, host=True)
    ada = live.page(table, 0)
    until(host, lambda it: it.people["seats"][0]["state"] == "here")
    assert host.people["host"] and not until(ada, lambda it: True).people["host"] and host.people["seats"][0]["may"] == []
    for do in ("computer", "substitute", "open", "leave", "name", "back", "revoke"):
        refused(host, 0, do, level="greedy", name="x")
    decide(host, 1, "computer", level="greedy")
    until(ada, lambda it: it.view["seats"][1]["level"] == "greedy")
    token = decide(host, 1, "substitute")
    assert come(live, table["table"], token).view["you"] == [1]
    refused(ada, 1, "revoke")
    other = live.table()
    host = live.page(other, 0, host=True)
    new = decide(host, 1, "revoke")
    assert come(live, other["table"], other["tokens"][1]).heard[-1]["code"] == "token"
    assert come(live, other["table"], new).view["you"] == [1]


def test_a_hosts_token_is_not_guessed_and_is_no_seats(live: Live) -> None:
    table, other = live.table(), live.table()
    for wrong in ("x", table["tokens"][0], other["host"]):
        assert come(live, table["table"], host=wrong).heard[-1]["code"] == "token"
    assert come(live, table["table"], table["host"]).heard[-1]["code"] == "token"
    page = live.page(table, 0)
    for wish in ({"listed": True}, {"chat": False}, {"watchers": True}, {"webhook": ""}):
        page.say(t="house", k=secrets.token_hex(16), **wish)
        page.refused("illegal")
    assert live.page(table).view["v"] == 0


def test_everything_about_people_survives_the_server(serve: Serve) -> None:
    own = serve(SOON)
    table = own.table("burning_bridges", [*FOUR[:2], {"kind": "person", "open": True}])
    ada, guest = own.page(table, 0, host=True), come(own, table["table"])
    claimed = decide(guest, 2, "claim", name="Cleo")
    offered = decide(ada, 0, "substitute")
    ada.say(t="house", k=secrets.token_hex(16), listed=True, watchers=True)
    ada.hear("ack")
    decide(guest, 2, "computer", level="random")
    before = until(ada, lambda it: state(it, 2) == "computer").people
    own.stop()
    own = serve(SOON)
    again = come(own, table["table"], table["tokens"][0], host=table["host"])
    same = {"listed": True, "watchers": True, "chat": True, "marks": before["marks"], "sides": before["sides"]}
    assert len(before["marks"]) == 3 and {name: again.people[name] for name in same} == same
    assert [seat["state"] for seat in again.people["seats"]] == ["here", "away", "computer"]
    guest = come(own, table["table"], claimed)
    assert guest.people["back"] == [2]
    assert come(own, table["table"], offered).view["you"] == [0]


def test_a_claim_whose_answer_was_lost_is_answered_again_even_after_a_restart(own: Live) -> None:
    table = own.table(seats=OPEN)
    guest, key = come(own, table["table"]), secrets.token_hex(16)
    first = decide(guest, 1, "claim", key=key)
    ada, again = come(own, table["table"], table["tokens"][0]), come(own, table["table"])
    guest.socket.close()
    until(ada, lambda it: state(it, 1) == "away")
    assert decide(again, 1, "claim", key=key) == first
    until(again, lambda it: it.people["you"] == it.view["you"] == [1])
    until(ada, lambda it: state(it, 1) == "here")
    own.restart()
    second = decide(come(own, table["table"]), 1, "claim", key=key)
    assert second and second != first
    assert come(own, table["table"], second).view["you"] == [1]
    assert come(own, table["table"], first).heard[-1]["code"] == "token"
    page = come(own, table["table"], table["tokens"][0])
    page.say(t="seat", k=key, seat=0, do="leave")
    page.refused("bad")


def test_two_servers_on_one_store_agree_about_a_seat(serve: Serve) -> None:
    one, two = serve(), serve()
    table = one.table(seats=OPEN)
    left, right = come(one, table["table"]), come(two, table["table"])
    token = decide(left, 1, "claim", name="Left")
    right.say(t="seat", k=secrets.token_hex(16), seat=1, do="claim", name="Right")
    right.refused("illegal")
    until(right, lambda it: it.view["names"][1] == "Left" and state(it, 1) != "free")
    assert come(two, table["table"], token).view["you"] == [1]
    one.stop()


def test_a_change_of_people_makes_no_click_old(live: Live) -> None:
    table = live.table()
    ada, ben = live.page(table, 0), live.page(table, 1)
    decide(ben, 1, "name", name="Benjamin")
    key = ada.send_act(ada.action("a2-a3"), version=0)
    assert ada.hear("ack") == {"t": "ack", "k": key, "v": 2}
    ben.send_act(0, version=1)
    ben.refused("stale")


def test_people_may_not_change_for_ever_and_a_seat_is_always_taken_back(live: Live) -> None:
    page = live.page(live.table(), 0)
    for number in range(299):
        page.say(t="seat", k=secrets.token_hex(16), seat=0, do="name", name=f"N{number}")
        page.hear("ack")
    decide(page, 0, "computer", level="random")
    decide(page, 0, "back")
    refused(page, 0, "name", code="closed", name="once more")


def finished(live: Live, table: dict[str, Any]) -> Page:
    """Both seats of a table whose game is over."""
    page = live.page(table, 0, 1)
    page.act("a2-a3")
    assert page.act(page.view["choices"][0]["text"])["outcome"]
    return page


def test_a_rematch_turns_the_seats_and_takes_everybody_by_their_own_link(own: Live) -> None:
    table = own.table(seats=[{"kind": "person", "name": "Ada"}, {"kind": "person"}], quietLimit=2)
    early = own.page(table, 0)
    early.say(t="rematch", k=secrets.token_hex(16))
    early.refused("illegal")
    finished(own, table)
    ada, ben, watcher = own.page(table, 0, host=True), own.page(table, 1), own.page(table)
    watcher.say(t="rematch", k=secrets.token_hex(16))
    watcher.refused("illegal")
    for page in (ada, ada, ben):
        page.say(t="rematch", k=secrets.token_hex(16))
        page.hear("ack")
    new = until(ben, lambda it: it.people.get("rematch")).people
    assert new["carry"] == [0] and until(watcher, lambda it: it.people["rematch"]).people["carry"] == []
    assert new["rematch"] == until(ada, lambda it: it.people["rematch"]).people["rematch"] != table["table"]
    refused(ada, 0, "computer", code="closed", level="random")
    own.restart()
    again = come(own, table["table"], table["tokens"][1])
    assert again.people["rematch"] == new["rematch"]
    ada = come(own, new["rematch"], table["tokens"][0], host=table["host"])
    ben = come(own, new["rematch"], table["tokens"][1])
    assert ada.view["you"] == [1] and ben.view["you"] == [0] and ada.people["host"]
    assert ada.view["names"] == ["A", "Ada"] and "Quiet limit: 2" in ada.view["rules"] and "choices" in ben.view
    secret = [table["host"], *table["tokens"]]
    assert all(each not in str([ben.heard, again.heard, watcher.heard]) for each in secret)


def test_a_key_stands_for_one_wish_about_people(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    table = live.table(quietLimit=2)
    ada, keys = live.page(table, 0, host=True), [secrets.token_hex(16) for _ in range(3)]
    for _ in range(2):
        decide(ada, 0, "name", key=keys[0], name="Ada")
        ada.say(t="house", k=keys[1], chat=False)
        assert ada.hear("ack")["k"] == keys[1]
    ada.say(t="house", k=keys[1], chat=True)
    ada.refused("bad")
    ada.say(t="seat", k=keys[0], seat=0, do="leave")
    ada.refused("bad")
    both = finished(live, table)
    for key, code in ((keys[0], "bad"), (keys[1], "bad"), (keys[2], ""), (keys[2], "")):
        both.say(t="rematch", k=key)
        assert both.refused(code)["k"] == key if code else both.hear("ack")["k"] == key
    assert not [line for line in caplog.records if line.levelname == "ERROR"], "that is no trouble of the server's"


def test_no_token_is_ever_told_to_somebody_else_or_kept(soon: Live) -> None:
    table = soon.table("burning_bridges", [*FOUR[:2], {"kind": "person", "open": True}, FOUR[3]])
    ada, ben, guest = soon.page(table, 0, host=True), soon.page(table, 1), come(soon, table["table"])
    tokens = [decide(guest, 2, "claim"), decide(guest, 2, "substitute"), decide(ada, 0, "substitute"), decide(ada, 3, "revoke")]
    watcher = soon.page(table)
    heard = {"ada": tokens[:2], "ben": tokens, "guest": tokens[2:], "watcher": tokens}
    pages = {"ada": ada, "ben": ben, "guest": guest, "watcher": watcher}
    for page in pages.values():
        until(page, lambda it: len(it.people["marks"]) == 4)
    kept = b"".join(file.read_bytes() for file in soon.file.parent.glob("bridgehead.sqlite*"))
    for name, secret in ((name, secret) for name, all_ in heard.items() for secret in [*all_, *table["tokens"], table["host"]]):
        assert secret not in str(pages[name].heard), name
        assert secret.encode() not in kept
