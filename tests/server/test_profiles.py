"""Profiles: a key is enough, goes to another device, cannot be guessed or stolen by its results, and ends when it shall."""

from __future__ import annotations

import asyncio
import secrets
import time
from pathlib import Path
from typing import Any

import apsw
import pytest

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.server.people.profiles import PLAYED, RUNNING, Profiles, seat_token
from bridgehead.server.people.ratings import Rating
from bridgehead.server.people.result_store import recount
from bridgehead.server.storage.backup import put_back, save
from bridgehead.server.storage.sqlite import FILE, Store
from bridgehead.server.tables.repository import GameCache, Repository
from bridgehead.server.tables.table import Refused
from server.clubs import Person, finished, new_table, one_move
from server.live import Live, Page, Serve
from server.test_stores import opened
from waiting import apart, wait_for


def ratings(person: Person) -> list[int]:
    return [each["rating"] for each in person.ask()["ratings"]]


def test_a_profile_is_made_by_its_key_changed_and_seen_by_others_without_it(live: Live) -> None:
    ada = Person(live, "Ada")
    assert ada.ask("save", name="  Ada\u202e  L. ", colour="d", picture=7)["name"] == "Ada L."
    public = live.http.get(f"/api/profiles/{ada.id}").json()
    assert public == {"id": ada.id, "name": "Ada L.", "colour": "d", "picture": 7, "ratings": []}
    stored = str(live.store.read("select * from profile where id = ?", ada.id))
    assert ada.key not in stored, "the server keeps only the hash of a key"


def test_a_wrong_key_a_short_key_and_an_empty_name_get_a_sentence_each(live: Live) -> None:
    ada = Person(live, "Ada")
    wrong = live.http.post("/api/profile", json={"key": secrets.token_urlsafe(32)})
    assert wrong.status_code == 400 and "no profile with this key" in wrong.json()["error"]
    assert live.http.post("/api/profile", json={"key": ada.id}).status_code == 400, "an id is no key"
    assert ada.ask("save", 400, name=" \u200d ")["error"] == "A profile needs a name."
    assert live.http.get("/api/profiles/" + "A" * 22).status_code == 404


def test_pictures_are_made_of_shapes_and_differ(live: Live) -> None:
    ada, ben = Person(live, "Ada"), Person(live, "Ben")
    drawn = {
        live.http.get(f"/api/profiles/{who.id}/picture{ask}").text for who in (ada, ben) for ask in ("", "?number=1", "?colour=d")
    }
    assert len(drawn) == 6 and all(text.startswith("<svg") and "script" not in text for text in drawn)
    assert live.http.get(f"/api/profiles/{ada.id}/picture?colour=%22%3E").status_code == 404


def test_another_device_with_the_key_goes_on_with_the_same_game(live: Live) -> None:
    ada, table = Person(live, "Ada"), new_table(live)
    given = ada.sit(table, 0)
    [game] = ada.ask()["games"]
    assert given["seats"] == [0] and game["table"] == table["table"] and game["turn"] and game["result"] == ""
    phone = Page(live.url)
    phone.say(t="hello", p=1, table=table["table"], tokens=[game["token"]], lang="en")
    phone.hear("view")
    assert phone.view["you"] == [0]
    one_move(phone)
    assert not ada.ask()["games"][0]["turn"]
    first = live.page(table, 0)
    assert first.view["you"] == [0], "the first device plays on too"


def test_a_seat_can_be_taken_back_from_a_computer_by_another_device(live: Live) -> None:
    ada, table = Person(live, "Ada"), new_table(live)
    ada.sit(table, 0)
    first = live.page(table, 0)
    first.say(t="seat", k=secrets.token_hex(16), seat=0, do="computer", level="greedy")
    first.hear("ack")
    phone = Page(live.url)
    phone.say(t="hello", p=1, table=table["table"], tokens=[seat_token(ada.key, table["table"])], lang="en")
    phone.hear("view")
    phone.say(t="seat", k=secrets.token_hex(16), seat=0, do="back")
    phone.hear("ack")
    phone.until(lambda view: view["you"] == [0])


def test_a_seat_belongs_only_to_whoever_holds_its_link(live: Live) -> None:
    ada, eve, table = Person(live, "Ada"), Person(live, "Eve"), new_table(live)
    ada.sit(table, 0)
    for tokens in (["x" * 32], [table["host"]], [seat_token(eve.key, table["table"])]):
        answer = eve.ask("seats", 400, table=table["table"], tokens=tokens)
        assert answer["error"] == "These links give no seat at this table."
    assert eve.ask()["games"] == [] and [game["table"] for game in ada.ask()["games"]] == [table["table"]]


def test_a_new_key_ends_the_old_one_and_the_seats_that_it_gave(live: Live) -> None:
    ada, table = Person(live, "Ada"), new_table(live)
    ada.sit(table, 0)
    old, ada_old = seat_token(ada.key, table["table"]), ada.key
    fresh = secrets.token_urlsafe(32)
    assert ada.ask("key", fresh=fresh)["id"] == ada.id
    assert live.http.post("/api/profile", json={"key": ada_old}).status_code == 400
    thief = Page(live.url)
    thief.say(t="hello", p=1, table=table["table"], tokens=[old], lang="en")
    assert thief.closed() == 1008 and thief.heard[-1]["code"] == "token"
    ada.key = fresh
    assert ada.ask()["games"][0]["token"] == seat_token(fresh, table["table"])
    ben = Person(live, "Ben")
    assert ben.ask("key", 400, fresh=fresh)["error"].startswith("Another device"), "nobody takes a key that is in use"
    assert ben.ask("key", 400, fresh=ben.key)["error"] == "The new key must not be the old one."


def test_a_new_key_ends_the_old_one_at_every_running_table_also_after_a_crash_in_between(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, tables = Person(live, "Ada"), [new_table(live) for _ in range(3)]
    for table in tables:
        ada.sit(table, 0)
    others = [(PLAYED, (ada.id, f"{i:0>22}", time.time())) for i in range(RUNNING)]  # more games than its page looks up
    asyncio.run_coroutine_threadsafe(live.store.write(*others), live.loop).result()
    fresh = secrets.token_urlsafe(32)
    marked, mark = 0, Profiles._mark

    async def crashing(self: Profiles, *args: Any) -> None:
        nonlocal marked
        marked += 1
        if marked == 2:
            raise BridgeheadError("server:error.profile_busy", "a crash")
        await mark(self, *args)

    monkeypatch.setattr(Profiles, "_mark", crashing)
    ada.ask("key", 400, fresh=fresh)
    assert ada.ask("key", fresh=fresh)["id"] == ada.id, "the same request again does the rest"
    for table in tables:
        thief = Page(live.url)
        thief.say(t="hello", p=1, table=table["table"], tokens=[seat_token(ada.key, table["table"])], lang="en")
        assert thief.closed() == 1008, "the old key plays nowhere"


def test_a_deleted_profile_leaves_its_seats_and_nothing_of_its_name(own: Live) -> None:
    ada, ben, table = Person(own, "Ada Lovelace"), Person(own, "Ben"), new_table(own)
    over = new_table(own)
    ada.sit(over, 0), ben.sit(over, 1)
    finished(own, over, loser=1)
    ada.sit(table, 0)
    ada.ask("delete")
    assert ada.ask("", 400)["error"].startswith("There is no profile")
    assert own.http.get(f"/api/profiles/{ada.id}").status_code == 404
    tables = "profile", "played", "rating", "result", "event"
    assert "Lovelace" not in str([own.store.read(f"select * from {name}") for name in tables])
    assert own.page(table, 0).view["you"] == [0], "the link still plays the seat"
    assert ratings(ben) and "Ada" not in own.http.get("/api/games/forty_bridges/ratings").text
    stale = Page(own.url)
    stale.say(t="hello", p=1, table=table["table"], tokens=[seat_token(ada.key, table["table"])], lang="en")
    assert stale.closed() == 1008


def test_an_export_holds_everything_and_no_key(own: Live) -> None:
    ada, ben, table, running = Person(own, "Ada"), Person(own, "Ben"), new_table(own), new_table(own)
    ada.sit(table, 0), ben.sit(table, 1), ada.sit(running, 1)
    finished(own, table, loser=1)
    answer = own.http.post("/api/profile/export", json={"key": ada.key})
    whole = answer.json()
    assert "attachment" in answer.headers["content-disposition"]
    assert [(game["result"], game["record"][:19]) for game in whole["games"]] == [
        ("", "bridgehead record 1"), ("won", "bridgehead record 1"),
    ]  # fmt: skip
    assert whole["ratings"] and whole["tallies"] and ada.key not in answer.text and "token" not in answer.text


# Results and ratings


def test_a_game_between_two_profiles_is_rated_and_told_to_both(own: Live) -> None:
    ada, ben, table = Person(own, "Ada"), Person(own, "Ben"), new_table(own)
    ada.sit(table, 0), ben.sit(table, 1)
    finished(own, table, loser=1)
    won, lost = ada.ask(), ben.ask()
    assert [(game["result"], game["unrated"]) for game in won["games"] + lost["games"]] == [("won", ""), ("lost", "")]
    assert won["ratings"][0]["rating"] > 1500 > lost["ratings"][0]["rating"] and won["ratings"][0]["provisional"]
    against = {"game": "forty_bridges", "title": "40 Bridges", "against": "person"}
    assert won["tallies"] == [against | {"games": 1, "won": 1, "drawn": 0, "counted": 0, "luck": 0.0}]
    [shown] = own.http.get("/api/games/forty_bridges/ratings").json()["lists"]
    assert [player["name"] for player in shown["players"]] == ["Ada", "Ben"] and shown["seats"] == 2


def unrated(own: Live, table: dict[str, Any], person: Person, loser: int = 1, moves: int = 2) -> str:
    finished(own, table, loser, moves)
    found = person.ask()
    assert found["ratings"] == []
    return found["games"][0]["unrated"]


def test_games_against_oneself_strangers_or_known_dice_are_not_rated(own: Live) -> None:
    ada, ben = Person(own, "Ada"), Person(own, "Ben")
    table = new_table(own)
    ada.sit(table, 0, 1)
    assert unrated(own, table, ada) == "Not rated: one person had several seats."
    table = new_table(own)
    ada.sit(table, 0)
    assert unrated(own, table, ada) == "Not rated: somebody at the table had no profile."
    table = new_table(own, seed=1)
    ada.sit(table, 0), ben.sit(table, 1)
    assert unrated(own, table, ada).endswith("could know the dice.")
    table = new_table(own)
    ada.sit(table, 0), ben.sit(table, 1)
    assert unrated(own, table, ada, moves=0) == "Not rated: nobody made a move."
    record = own.http.get(f"/api/tables/{table['table']}/record").text
    assert "forty_bridges" in record


def test_two_seats_of_one_page_give_no_rated_game(own: Live) -> None:
    ada, ben, table = Person(own, "Ada"), Person(own, "Ben"), new_table(own)
    ada.sit(table, 0), ben.sit(table, 1)
    both = own.page(table, 0, 1)
    one_move(both)
    both.socket.close()
    assert unrated(own, table, ada, moves=1) == "Not rated: one page played several seats."
    assert ben.ask()["ratings"] == [] and recounted(own.store).differences == []
    assert '"several":true' in str(own.store.events(table["table"]))


def test_two_profiles_in_one_browser_give_no_rated_game(own: Live) -> None:
    ada, ben, table = Person(own, "Ada"), Person(own, "Ben"), new_table(own)
    browser = secrets.token_urlsafe(32)
    ada.sit(table, 0, browser=browser), ben.sit(table, 1, browser=browser)
    assert unrated(own, table, ada) == "Not rated: several seats were played from one browser."
    assert ben.ask()["ratings"] == [] and recounted(own.store).differences == []
    assert browser not in str(own.store.read("select body from event")), "no two tables can be compared by it"


def test_a_browser_that_shows_up_later_counts_too_and_one_after_the_end_changes_nothing(own: Live) -> None:
    ada, ben, table, other = Person(own, "Ada"), Person(own, "Ben"), new_table(own), new_table(own)
    one, two = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    ada.sit(table, 0, browser=one), ben.sit(table, 1, browser=two), ben.sit(table, 1, browser=one)
    assert unrated(own, table, ada) == "Not rated: several seats were played from one browser."
    ada.sit(other, 0, browser=one), ben.sit(other, 1, browser=two)
    finished(own, other, loser=1)
    ben.sit(other, 1, browser=one)
    assert ratings(ada) > [1500] > ratings(ben) and recounted(own.store).differences == []


def test_whoever_sits_down_when_the_game_is_won_wins_nothing(own: Live) -> None:
    ada, eve, table = Person(own, "Ada"), Person(own, "Eve"), new_table(own)
    ada.sit(table, 1)
    both = own.page(table, 0, 1)
    one_move(both)
    both.hear("view")
    one_move(both)
    eve.sit(table, 0)  # somebody has handed her the link of a won game
    finished(own, table, loser=1, moves=0)
    assert eve.ask()["ratings"] == [] == ada.ask()["ratings"]
    assert eve.ask()["games"][0]["unrated"] == "Not rated: a seat had different players."
    late, over = Person(own, "Late"), table
    late.sit(over, 0)
    assert own.store.read("select body from result where game = ?", over["table"])[0][0].count(late.id) == 0


def test_a_hint_is_noted_and_its_game_not_rated(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(*_: Any) -> None:
        raise Refused("closed", "hint.stopped")

    monkeypatch.setattr(ComputerPlayers, "advise", nothing)  # a search takes long, and says nothing about this
    ada, table = Person(own, "Ada"), new_table(own, seats=[{"kind": "person"}, {"kind": "computer", "level": "random"}])
    ada.sit(table, 0)
    page = own.page(table, 0)
    key = secrets.token_hex(16)
    page.say(t="hint", k=key, v=page.view["v"])
    wait_for(lambda: "advised" in str(own.store.events(table["table"])))
    page.until(lambda view: view["v"] > 1)
    before = page.view["v"]
    one_move(page)
    page.until(lambda view: view["v"] >= before + 2 and view.get("choices"))  # the computer has answered
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="resign")
    page.until(lambda view: view["outcome"])
    wait_for(lambda: own.store.read("select 1 from result"))
    assert ada.ask()["games"][0]["unrated"] == "Not rated: the computer gave a hint."


def recounted(store: Any, write: bool = False) -> Any:
    pool = WorkerPool(1, 30.0)
    try:
        return apart(recount(Repository(store, GameCache(pool)), write))
    finally:
        pool.stop()


def test_forged_results_and_ratings_are_found_and_put_right_from_the_records(own: Live) -> None:
    ada, ben = Person(own, "Ada"), Person(own, "Ben")
    for _ in range(2):
        table = new_table(own)
        ada.sit(table, 0), ben.sit(table, 1)
        finished(own, table, loser=1)
    before = ratings(ada), ratings(ben)
    assert recounted(own.store).differences == []
    connection = apsw.Connection(str(own.file))
    connection.execute("update rating set mu = 60 where who = ?", (f"p:{ben.id}",))
    connection.execute("update result set body = replace(body, '[1.0,-1.0]', '[-1.0,1.0]') where n = 2")
    connection.execute("delete from result where n = 1")
    found = recounted(own.store, write=True)
    assert {each.what for each in found.differences} >= {"result", "missing", "rating"}
    after = recounted(own.store)
    assert after.differences == [] and after.results == 2
    assert [abs(new - old) <= 1 for new, old in zip((*ratings(ada), *ratings(ben)), sum(before, []), strict=True)] == [True] * 2


@pytest.mark.parametrize("games", [3])
def test_results_of_several_processes_at_once_are_all_counted(own: Live, games: int) -> None:
    ada, ben = Person(own, "Ada"), Person(own, "Ben")
    tables = [new_table(own) for _ in range(games)]
    pages = []
    for table in tables:
        ada.sit(table, 0), ben.sit(table, 1)
        one_move(own.page(table, 0))
        pages.append(own.page(table, 0))
    for page in pages:  # all at the same moment
        page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="resign")
    wait_for(lambda: own.store.read("select count(*) from result")[0][0] == games)
    assert own.store.read("select games from rating") == [(games,), (games,)]
    assert recounted(own.store).differences == []


def test_profiles_and_ratings_survive_a_backup_and_its_restore(tmp_path: Path) -> None:
    own = Live(tmp_path / "first")
    ada, ben, table = Person(own, "Ada"), Person(own, "Ben"), new_table(own)
    ada.sit(table, 0), ben.sit(table, 1)
    finished(own, table, loser=0)
    copy = tmp_path / "copy"
    save(copy, tmp_path / "first")
    known = ada.ask()
    own.stop()
    put_back(copy, tmp_path / "second")
    again = Live(tmp_path / "second")
    ada.live = again
    assert ada.ask() == known
    again.stop()


def test_a_file_of_the_release_before_gets_the_tables_for_people(tmp_path: Path, serve: Serve) -> None:
    Store(tmp_path / FILE).close()
    connection = apsw.Connection(str(tmp_path / FILE))
    for name in ("profile", "played", "result", "rating", "tournament"):
        connection.execute(f"drop table {name}")
    connection.close()
    own = serve()
    assert Person(own, "Ada").ask()["games"] == []


def test_both_databases_keep_profiles(place: str, serve: Serve) -> None:
    store = opened(place)
    own = serve(store=store)
    ada, ben, table = Person(own, "Ada"), Person(own, "Ben"), new_table(own)
    ada.sit(table, 0), ben.sit(table, 1)
    finished(own, table, loser=1)
    assert [row[2] for row in store.read("select * from rating")] == [1, 1]
    assert Rating(*store.read("select games, mu, sigma from rating where who = ?", f"p:{ada.id}")[0]).points > 1500
    ada.ask("delete")
