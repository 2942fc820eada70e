"""Names: what shows nothing is no name, invisible signs make no difference, and names that look the same are the same."""

from __future__ import annotations

import secrets
import subprocess
import sys
import unicodedata
from pathlib import Path

import apsw
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridgehead.server.people.profiles import Profile
from bridgehead.server.storage.sqlite import FILE
from bridgehead.server.tables.names import LONGEST, clean_name, distinct_name, find_twin, name_keys
from server.clubs import Person
from server.live import Live, Serve
from server.test_seats import OPEN, come, until

FILLERS = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0\ufe00\ufe0f\U000e0100\U000e0041\u2064\U0001d173"
NO_INK = "\u2800\U00013441\U00013442\U0001d159"  # signs and letters by their kind, which show nothing
INVISIBLE = st.one_of(
    st.characters(categories=["Cc", "Cf", "Cn", "Co"]), st.sampled_from(FILLERS + "\u200b\u200c\u200d\u2060\ufeff")
)
BLANK = st.one_of(INVISIBLE, st.characters(categories=["Zs", "Zl", "Zp"]), st.sampled_from(NO_INK))
HONEST = [
    "Anna",
    "anna O'Neil",
    "Zo\u00eb",
    "\u0410\u043d\u043d\u0430",
    "\u674e\u96f7",
    "\u05e9\u05dc\u05d5\u05dd",
    "\u2728 Zed",
    "J\u00fcrgen 2",
]
TWINS = {
    "Anna": ["\u0410nna", "Ann\u0430", "\uff21nna", "\U0001d400nna", "anna", "ANNA", " A\u200bn\u2060na\ufe0f", "An\u3164na"],
    "Iana": ["lana", "iana", "\u0406ana"],
    "O0": ["OO", "o0", "\u041e0"],
}  # fmt: skip


@given(st.text(BLANK, max_size=40))
def test_a_name_that_shows_nothing_is_none_in_any_spelling(blank: str) -> None:
    assert clean_name(blank) == ""


@given(st.sampled_from(HONEST), st.lists(st.tuples(st.integers(0, 20), INVISIBLE), max_size=12))
def test_invisible_signs_make_no_difference(name: str, signs: list[tuple[int, str]]) -> None:
    marked = name
    for place, sign in signs:
        marked = marked[:place] + ("" if sign.isspace() else sign) + marked[place:]
    assert clean_name(marked) == name


@given(st.text(max_size=60))
def test_a_cleaned_name_is_clean_short_and_shows_something(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name and len(name) <= LONGEST and name == " ".join(name.split())
    assert not name or unicodedata.category(name[0])[0] in "LNPS"
    assert not name or find_twin(name, [name]) == name


@given(st.text(min_size=1, max_size=40), st.lists(st.text(max_size=40), max_size=5))
def test_a_further_name_at_a_table_looks_like_no_other(text: str, texts: list[str]) -> None:
    name, others = clean_name(text), [clean_name(each) for each in texts]
    shown = distinct_name(name, [*others, name])
    assert (shown == name == "") or not find_twin(shown, [*others, name])
    assert len(shown) <= LONGEST and clean_name(shown) == shown


@pytest.mark.parametrize("name", HONEST)
def test_names_of_every_script_are_legal_and_no_twins(name: str) -> None:
    assert clean_name(name) == name
    assert [other for other in HONEST if name_keys(other) & name_keys(name)] == [name]


@pytest.mark.parametrize(("name", "twin"), [(name, twin) for name, twins in TWINS.items() for twin in twins])
def test_what_looks_the_same_is_a_twin(name: str, twin: str) -> None:
    assert find_twin(clean_name(twin), [name]) == name


def test_a_name_is_no_tower_over_the_seats() -> None:
    assert clean_name("a" + "\u0335" * 30 + " \u202eb") == "a" + "\u0335" * 3 + " b"
    assert clean_name("\N{FOX FACE}\u200d" * 40) == "\N{FOX FACE}" * LONGEST
    assert clean_name("\u0301\u0301a") == "a", "a mark needs a letter"


def test_two_seats_of_a_table_never_look_the_same(live: Live) -> None:
    wish = {"game": "forty_bridges", "seats": [{"kind": "person", "name": "Anna"}, {"kind": "person", "name": "\u0410nn\u0430"}]}
    made = live.ask("/api/tables", wish, 201)
    page = live.page(made, 0)
    assert page.view["names"] == ["Anna", "\u0410nn\u0430 (2)"]
    other = live.page(made, 1)
    for name, shown in (("Ann\u200ba", "Anna (2)"), ("Ben", "Ben"), ("\uff21NNA", "ANNA (2)")):
        other.say(t="seat", k=secrets.token_hex(16), seat=1, do="name", name=name)
        until(page, lambda it, shown=shown: it.view["names"][1] == shown)
    other.say(t="seat", k=secrets.token_hex(16), seat=1, do="name", name="\u3164 \u2800")
    other.refused("bad")


def test_whoever_sits_down_later_gets_a_number(live: Live) -> None:
    table = live.table(seats=OPEN)
    host = live.page(table, 0)
    guest = come(live, table["table"])
    guest.say(t="seat", k=secrets.token_hex(16), seat=1, do="claim", name="Ad\u0430\u2063")
    until(host, lambda it: it.view["names"][1] == "Ad\u0430 (2)")


def test_no_profile_looks_like_another_one(own: Live) -> None:
    ada, eve = Person(own, "Ada"), Person(own, "Eve")
    for twin in ("Ada", "\u0410da", "A\u200bda", "ADA"):
        assert "Another profile is called" in eve.ask("save", 400, name=twin)["error"]
    assert "Ein anderes Profil" in own.ask("/api/profile/save?lang=de", {"key": eve.key, "name": "Ada"}, 400)["error"]
    for blank in ("\u3164", "\u2800", "\ufe0f"):
        assert eve.ask("save", 400, name=blank)["error"] == "A profile needs a name."
    assert ada.ask("save", name="ada", colour="b")["name"] == "ada", "one may spell one's own name anew"
    ada.ask("save", name="Ben")
    assert eve.ask("save", name="Ada")["name"] == "Ada", "a name that nobody has any more is free"
    eve.ask("delete")
    assert ada.ask("save", name="Ada")["name"] == "Ada"


def test_profiles_of_an_older_release_keep_their_names_and_the_oldest_has_it(serve: Serve, tmp_path: Path) -> None:
    first = serve()
    ada, eve = Person(first, "Ada"), Person(first, "Eve")
    first.stop()
    with apsw.Connection(str(tmp_path / FILE)) as file:
        file.execute("update profile set body = ? where id = ?", (msgspec.json.encode(Profile("Ada")).decode(), eve.id))
        file.execute("drop table named")
    again = serve()
    ada.live = eve.live = again
    assert eve.ask("save", name="Ada", colour="c")["colour"] == "c", "it may keep the name that it has"
    assert "error" in Person(again, "Ben").ask("save", 400, name="Ad\u0430")
    eve.ask("save", name="Eve")
    assert "error" in eve.ask("save", 400, name="Ada")


def test_entrants_of_a_tournament_do_not_look_the_same(live: Live) -> None:
    cup = {"name": "Cup", "game": "forty_bridges", "size": 2, "kind": "swiss", "rounds": 2}
    assert "error" in live.ask("/api/tournaments", {**cup, "name": "\u3164\u2800"}, 400)
    made = live.ask("/api/tournaments", cup, 201)
    path = f"/api/tournaments/{made['id']}/entrants"
    live.ask(path, {"name": "Anna"}, 201)
    for twin in ("Anna", "\u0410nna", "An\u00adna", "\uff21nna"):
        assert live.ask(path, {"name": twin}, 400)["error"] == "Somebody is called Anna already."
    assert "error" in live.ask(path, {"name": "\u115f"}, 400)
    live.ask(path, {"name": "\u0410\u043d\u043d\u0430"}, 201)


def test_a_site_in_a_browser_needs_no_tables_of_look_alikes() -> None:
    program = """
import sys
sys.modules["confusable_homoglyphs"] = None
from bridgehead.server.tables import stored_seats
assert "precis_i18n" not in sys.modules, "nothing is loaded before a name comes"
from bridgehead.server.tables.names import clean_name, distinct_name
assert distinct_name(clean_name("\\uff21nna\\u200b"), ["anna"]) == "Anna (2)"
"""
    subprocess.run([sys.executable, "-c", program], check=True)
