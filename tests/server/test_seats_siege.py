"""People at a table under siege: random wishes of many pages against an account kept by the rules in words, and kill -9."""

from __future__ import annotations

import json
import random
import secrets
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.live import PATIENCE, PEOPLE, Live, Page
from server.test_seats import OPEN, come, decide, until
from server.test_storage import Process

pytestmark = pytest.mark.wide
DOS = ("claim", "computer", "back", "substitute", "open", "leave", "revoke", "name")
OFTEN = (6, 3, 6, 6, 4, 0, 1, 2)  # leaving lets the others vote: that has tests of its own


class Account:
    """Who may do what, written down apart from the server: seats with their secrets, in plain words."""

    def __init__(self, tokens: list[str | None], free: set[int]) -> None:
        self.token = list(tokens)
        self.past: list[set[str]] = [set() for _ in tokens]
        self.offer: list[str | None] = [None] * len(tokens)
        self.keeps = [False] * len(tokens)
        self.computer = [False] * len(tokens)
        self.taken: set[int] = set()  # seats at which a person has been
        self.free = [seat in free for seat in range(len(tokens))]

    def plays(self, mine: set[str]) -> set[int]:
        return {s for s, token in enumerate(self.token) if token in mine and not self.computer[s]}

    def may_return(self, mine: set[str]) -> set[int]:
        found = {s for s, token in enumerate(self.token) if token in mine and self.computer[s]}
        return (found | {s for s, past in enumerate(self.past) if past & mine}) - self.plays(mine)

    def allows(self, who: Guest, seat: int, do: str, attended: set[int]) -> bool:
        if seat in self.plays(who.mine):
            return do in ("computer", "substitute", "open", "leave", "name")
        if seat in self.may_return(who.mine):
            return do == "back"
        if do == "claim":
            return self.free[seat] and not self.plays(who.mine) and not self.may_return(who.mine)
        if not who.host or seat in attended:
            return False
        if seat in self.taken:  # nobody waits long enough here for anything else
            return do == "computer" and self.computer[seat]
        return do in ("computer", "substitute", "open") or (do == "revoke" and not self.computer[seat])

    def arrive(self, token: str) -> None:
        """Somebody comes by the link for a substitute."""
        for seat, offer in enumerate(self.offer):
            if offer == token:
                self._change(seat, token)

    def _change(self, seat: int, token: str | None) -> None:
        old = self.token[seat]
        self.past[seat] = self.past[seat] | {old} if self.keeps[seat] and old else set()
        self.token[seat], self.offer[seat] = token, None
        self.computer[seat] = self.free[seat] = self.keeps[seat] = False

    def done(self, who: Guest, seat: int, do: str, token: str) -> None:
        own = seat in self.plays(who.mine) | self.may_return(who.mine)
        if do in ("substitute", "open"):
            self.keeps[seat] = not own
            self.offer[seat] = token if do == "substitute" else self.offer[seat]
            self.free[seat] = self.free[seat] or do == "open"
        elif do == "computer":
            self.computer[seat], self.free[seat] = True, False
        elif do in ("claim", "back", "leave", "revoke"):
            old, self.keeps[seat] = self.token[seat], self.keeps[seat] and do == "claim"
            given = next(t for t in who.mine if t == old or t in self.past[seat]) if do == "back" else token or None
            self._change(seat, given)
            if do == "claim":
                who.mine.add(token)


class Guest:
    """A page with what it has been given."""

    def __init__(self, live: Live, table: str, mine: set[str], host: str = "") -> None:
        self.mine, self.host = set(mine), bool(host)
        self.page = come(live, table, *mine, **({"host": host} if host else {}))


@pytest.mark.parametrize("seed", range(4))
def test_random_wishes_do_what_an_independent_account_of_the_rules_says(seed: int, live: Live) -> None:
    lot = random.Random(seed)
    table = live.table("burning_bridges", [*PEOPLE, {"kind": "person", "open": True}, {"kind": "computer", "level": "random"}])
    account = Account(table["tokens"], {2})
    account.computer[3] = True
    live.app.state.manager.seats.claims._size = 10_000
    guests = [Guest(live, table["table"], {table["tokens"][0]}, table["host"]), Guest(live, table["table"], {table["tokens"][1]})]
    guests += [Guest(live, table["table"], set()), Guest(live, table["table"], set())]
    agreed = 0
    for _ in range(300):
        offers = [offer for offer in account.offer if offer]
        if offers and lot.random() < 0.3:
            account.arrive(offer := lot.choice(offers))
            guests.append(Guest(live, table["table"], {offer}))
        busy = [each for each in guests if each.host or account.plays(each.mine) or account.may_return(each.mine)]
        who = lot.choice(busy if lot.random() < 0.7 else guests)
        seat, do = lot.randrange(4), lot.choices(DOS, OFTEN)[0]
        attended = {s for guest in guests for s in account.plays(guest.mine) | account.may_return(guest.mine)}
        account.taken |= attended
        wanted = account.allows(who, seat, do, attended)
        key = secrets.token_hex(16)
        who.page.say(t="seat", k=key, seat=seat, do=do, level="greedy", name="Somebody")
        before = len(who.page.heard)
        while (told := who.page.hear_any()).get("k") != key or told["t"] == "link":
            pass
        assert (told["t"] == "ack") == wanted, (seat, do, told)
        if wanted:
            agreed += 1
            link = [each["token"] for each in who.page.heard[before:] if each["t"] == "link"]
            account.done(who, seat, do, link[0] if link else "")
        for guest in guests:  # whoever has lost everything stays, and looks on
            held = sorted(account.plays(guest.mine)), sorted(account.may_return(guest.mine))
            until(guest.page, lambda it, held=held: (it.people["you"], it.people["back"]) == held)  # type: ignore[misc]
    assert agreed > 20
    stored = live.app.state.tables._open[table["table"]].result()
    seats, notes, version = stored.seats, stored.people.notes, stored.version
    stored.reload()
    assert (stored.seats, stored.people.notes, stored.version) == (seats, notes, version), "the log says the same"


def test_a_server_killed_after_a_change_of_people_has_it_and_its_secrets_still_open(tmp_path: Path) -> None:
    server = Process(tmp_path)
    body = {"game": "barricade", "options": {"board": "mini"}, "seats": OPEN}
    table: dict[str, Any] = json.loads(httpx.post(f"{server.url}/api/tables", json=body, timeout=PATIENCE).text)
    for cycle in range(2):
        guest = Page(server.url)
        guest.say(t="hello", p=1, table=table["table"], tokens=[])
        until(guest, lambda it: True)
        token = decide(guest, 1, "claim", name=f"Guest {cycle}")
        guest.say(t="say", k=secrets.token_hex(16), text=f"here {cycle}")
        guest.hear("ack")
        host = Page(server.url)
        host.say(t="hello", p=1, table=table["table"], tokens=table["tokens"][:1], host=table["host"])
        until(host, lambda it: True)
        link = decide(host, 0, "substitute")
        server.end(signal.SIGKILL)
        server = Process(tmp_path)
        again = Page(server.url)
        again.say(t="hello", p=1, table=table["table"], tokens=[token, link])
        assert until(again, lambda it: it.view["names"][1] != "B").view["you"] == [0, 1]
        assert [line["text"] for line in again.hear("said")["lines"]] == [f"here {each}" for each in range(cycle + 1)]
        assert again.view["names"][1] == f"Guest {cycle}"
        table["tokens"][0] = link
        decide(again, 1, "open")
    server.end(signal.SIGKILL)
