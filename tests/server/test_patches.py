"""Views that tell only what has changed: a screen that stays shows what one that comes anew is told."""

import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridgehead.client import Host, patch_items
from bridgehead.core.scene import Item
from bridgehead.server.rooms.views import patch
from server.live import PATIENCE, Live, Page

GAMES = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]


def fresh_items(live: Live, table: dict[str, Any]) -> list[dict[str, Any]]:
    page = live.page(table)
    items: list[dict[str, Any]] = page.view["items"]
    page.socket.close()
    return items


@pytest.mark.parametrize("game", GAMES)
def test_a_screen_that_stays_shows_what_one_that_comes_is_told(live: Live, game: str) -> None:
    table, lot = live.table(game), random.Random(7)
    page, german = live.page(table, 0, 1), live.page(table, lang="de")
    sizes: list[tuple[int, int]] = []
    with Host(live.url).join(table["table"]) as client:
        for _ in range(12):
            if page.view["outcome"]:
                break
            page.send_act(lot.choice(page.view["choices"])["action"])
            sizes.append(raw_sizes(page))
            items = fresh_items(live, table)
            assert page.view["items"] == items
            for watcher in (german, client):
                assert [each["id"] for each in until(watcher, page.view["v"])["items"]] == [each["id"] for each in items]
    assert sum(size for size, _ in sizes) < sum(whole for _, whole in sizes) / 2, "less than half of it is told"


def raw_sizes(page: Page) -> tuple[int, int]:
    """What the next view tells of the things on the board, in bytes, and what all of them would be."""
    while True:
        raw = json.loads(page.socket.recv(PATIENCE))
        if raw["t"] == "view":
            told = {name: raw[name] for name in ("items", "patch") if name in raw}
            page.view = {**raw, "items": patch_items(page.view["items"], raw)}
            return len(json.dumps(told)), len(json.dumps(page.view["items"]))


def until(watcher: Any, version: int) -> dict[str, Any]:
    if isinstance(watcher, Page):
        watcher.until(lambda view: view["v"] >= version)
        return watcher.view
    return watcher.wait_until(lambda view: bool(view["v"] >= version), PATIENCE)


def test_who_changes_the_language_is_told_all_things_anew(live: Live) -> None:
    table = live.table("forty_bridges")
    page, other = live.page(table, 0, 1), live.page(table)
    english = page.view["items"]
    other.say(t="hello", p=1, table=table["table"], lang="de")
    german = other.hear("view")["items"]
    assert [each["id"] for each in german] == [each["id"] for each in english] and german != english
    page.act(page.view["choices"][0]["text"])
    until(other, page.view["v"])
    assert [each["label"] for each in other.view["items"] if each["label"] not in {was["label"] for was in german}]
    assert fresh_items(live, table) == page.view["items"]


things = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 3)), unique_by=lambda each: each[0])


@given(things, things, st.booleans())
def test_a_patch_makes_one_list_of_the_other_or_there_is_none(
    before: list[tuple[str, int]], after: list[tuple[str, int]], kept: bool
) -> None:
    made = {each: Item(*each, 0) for each in before}
    old = list(made.values())
    new = [made[each] if kept and each in made else Item(*each, 0) for each in after]  # games keep items, or make equal ones
    change = patch(old, new)
    if change is not None:
        told = msgspec.json.decode(msgspec.json.encode({"patch": change}))
        assert patch_items(msgspec.to_builtins(old), told) == msgspec.to_builtins(new)
        assert 2 * len(change.put) <= len(new)
