"""Makes a golden store: a small file of tables in which people do what people do, and what it says of them.

`tools/keep.py` makes one for each release.
"""

from __future__ import annotations

import contextlib
import json
import lzma
import tempfile
from pathlib import Path
from typing import Any

from bridgehead.client import Host, Seated
from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.server.storage.event_log import FORMAT
from bridgehead.server.storage.sqlite import Store
from bridgehead.server.tables.repository import GameCache, Repository
from server.live import PATIENCE, Live
from waiting import apart

STORES = [
    *sorted((Path(__file__).parent / "golden_stores").iterdir()),  # of formats before the first release that kept its files
    *sorted(Path(__file__).parents[1].glob("kept/*/store")),
]
MINI = {"board": "mini", "seats": 2, "turnLimit": 6}
PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]
ROBOT = {"kind": "computer", "level": "random"}
TURNS = 8


def play(seats: list[Seated], turns: int = TURNS) -> None:
    """Those who hold the seats play the last legal action for some turns, or until the game is over."""
    for _ in range(turns):
        for each in seats:
            with contextlib.suppress(TimeoutError):
                each.wait_until(lambda view: bool(view.get("choices")), 0.5)
            if each.choices:
                each.play(each.choices[-1]["action"])


def catch_up(*seats: Seated) -> None:
    """All see the newest view."""
    newest = max(each.view["v"] for each in seats)
    for each in seats:
        each.wait_until(lambda view: bool(view["v"] >= newest))


def agree(asker: Seated, other: Seated, what: str) -> None:
    """One proposes something, and the other agrees."""
    catch_up(asker, other)
    asker.ask(what)
    other.wait_until(lambda view: (view.get("ask") or {}).get("what") == what and view["ask"]["open"])
    other.answer(True)


def fill(live: Live) -> None:
    """Tables of every kind: by a seed, sealed at both levels, typed, continued; corrected, paused, resigned, with a rematch."""
    host = Host(live.url)
    table = live.table(seats=PEOPLE)
    ada, ben = (host.join(table["table"], [token]) for token in table["tokens"])
    ada.play("a2-a3")
    play([ada, ben], 3)
    agree(ada, ben, "takeback")
    agree(ben, ada, "pause")
    agree(ada, ben, "resume")
    ada.say("Well played")
    catch_up(ada, ben)
    ada.ask("resign")
    ada.leave()
    ben.leave()
    page = live.page(table, 0, 1)
    page.say(t="rematch", k="9" * 32)
    page.hear("ack")
    record = host.record(table["table"])
    live.ask("/api/tables", {"game": "forty_bridges", "seats": PEOPLE, "record": record, "at": 3}, 201)
    with host.create("forty_bridges", PEOPLE, clock={"bank": 600, "increment": 5}) as both:
        play([both], 3)
        both.ask("resign")
    for level, turns in ((1, 40), (1, 3), (2, 40), (2, 3)):
        with host.create("barricade", PEOPLE, options=MINI, level=level) as both:
            play([both], turns)
    with host.create("barricade", PEOPLE, typed=True, options={"board": "mini", "seats": 2}) as both:
        page = live.page({"table": both.table, "tokens": both.tokens}, 0, 1)
        for _ in range(2):
            page.send_act(page.view["faces"][0]["action"])
            version = page.hear("ack")["v"]
            page.until(lambda view, v=version: view["v"] >= v)  # type: ignore[misc]
        page.say(t="undo", k="8" * 32, v=page.view["v"])
        page.hear("ack")
    for game in ("burning_bridges", "front_lines"):
        with host.create(game, PEOPLE, options={"seats": 2}) as both:
            play([both], 2)
    made = live.ask("/api/tables", {"game": "barricade", "seats": [PEOPLE[0], ROBOT], "options": MINI}, 201)
    with host.join(made["table"], made["tokens"][:1]) as ada:
        play([ada], 2)


def says(file: Path) -> dict[str, Any]:
    """What a store says of each of its tables, in values that do not change with a release."""

    async def read() -> dict[str, Any]:
        with contextlib.closing(Store(file)) as store:
            found, repository = {}, Repository(store, GameCache(WorkerPool(1, PATIENCE)))
            for (name,) in store.read("select id from game order by id"):
                table = await repository.find(name)
                assert table is not None
                match, ended = table.match, table.match.outcome
                found[name] = {
                    "version": table.version, "head": table.head.hex(), "names": table.names, "actor": table.actor,
                    "winners": None if ended is None else list(ended.winners), "paused": table.paused,
                    "eras": len(getattr(table.dealer, "eras", ())), "left": [*table.clock.left],
                    "notes": [each.phrase.key for each in table.notes()],
                    "log": [[each.actor, each.action] for each in match.log],
                }  # fmt: skip
            return found

    return apart(read())


def main(folder: Path) -> None:
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        live = Live(Path(place))
        fill(live)
        live.stop()
        with contextlib.closing(Store(live.file)) as store:
            kinds = [kind for (kind,) in store.read("select distinct kind from event order by kind")]
        (folder / "bridgehead.sqlite.xz").write_bytes(lzma.compress(live.file.read_bytes(), preset=9))
        told = {
            "format": FORMAT,
            "key": live.file.with_suffix(".key").read_bytes().hex(),
            "kinds": kinds,
            "tables": says(live.file),
        }
    tables = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in told.pop("tables").items())  # type: ignore[attr-defined]
    (folder / "says.json").write_text(f'{json.dumps(told)[:-1]}, "tables": {{\n{tables}\n}}}}\n', "utf-8")
