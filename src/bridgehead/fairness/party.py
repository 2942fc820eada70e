"""A seat's side of sealed chance: its messages, checks and alarms (docs/lookup/protocol.md). The counterpart of `seal.js`."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bridgehead.fairness import bgf1
from bridgehead.fairness.bgf1 import SeatHead

Message = dict[str, Any]


class Party:
    """Seals chance for some seats. Their seeds never leave this object; `answers` returns the messages that a view calls for.

    source: 0 for a person's program, 2 for another. alarms: sentences about detected cheating by the server. A link counts as
    given in time if the server reports it missing at least one second later, because a late message may cross that report.
    clock: seconds.
    """

    def __init__(self, source: int = 2, clock: Callable[[], float] = time.monotonic) -> None:
        self.source, self.clock = source, clock
        self.alarms: list[str] = []
        self._seeds: dict[int, bytes] = {}
        self._chains: dict[tuple[str, int], list[bytes]] = {}
        self._agreed: dict[str, str] = {}  # the only transcript for which an era's links are revealed
        self._sent: set[tuple[str, int, int]] = set()  # sent on this connection: game id, seat, event (-1: the head)
        self._next: dict[tuple[str, int], int] = {}  # by era and seat: the next link
        self._given: dict[tuple[str, int, int], float] = {}  # time when a link was sent, by game id, seat, event

    def answers(self, sealed: Message, you: Iterable[int]) -> list[Message]:
        """The messages to send now, without their keys."""
        return [message for era in sealed.get("eras", ()) for message in self._answers(sealed, era, sorted(you))]

    def _answers(self, sealed: Message, era: Message, you: list[int]) -> Iterator[Message]:
        gid = era["gid"]
        if not era["transcript"]:
            missing = [seat for seat in you if era["seats"][seat] is None and self._is_new(gid, seat, -1)]
            if missing:
                heads = [{"seat": seat, "head": self._chain(gid, seat)[0].hex()} for seat in missing]
                yield {"t": "seal", "gid": gid, "heads": heads, "source": self.source}
            return
        mine = [seat for seat in you if (gid, seat) in self._chains]
        if not mine or not self._accepts(sealed, era, mine):
            return
        self._look_for_defaults(era, mine)
        if era["level"] == 1:
            wanted, event = {seat: 1 for seat in mine if seat not in [link[0] for link in era["links"]]}, 0
        elif era["asked"]:
            asked = dict(zip(era["asked"]["seats"], era["asked"]["n"], strict=True))
            wanted, event = {seat: asked[seat] for seat in mine if seat in asked}, era["asked"]["e"]
        else:
            return
        if era["level"] == 2:  # a link sent too late for one draw is public, so never use it for another
            wanted = {seat: max(n, self._next.get((gid, seat), 1)) for seat, n in wanted.items()}
        due = {seat: n for seat, n in wanted.items() if n <= bgf1.CHAIN and self._is_new(gid, seat, event)}
        links = [{"seat": seat, "n": n, "value": self._chain(gid, seat)[n].hex()} for seat, n in due.items()]
        self._next |= {(gid, seat): n + 1 for seat, n in due.items()}
        self._given |= {(gid, seat, event): self.clock() for seat in due}
        if links:
            yield {"t": "reveal", "gid": gid, "e": event, "links": links}

    def _accepts(self, sealed: Message, era: Message, mine: list[int]) -> bool:
        """Does the transcript contain the heads that these seats sealed, and is it the only one for this era?"""
        heads = [SeatHead(source, bytes.fromhex(head)) for source, head in era["seats"]]
        gid, root, rules = (bytes.fromhex(text) for text in (era["gid"], era["root"], sealed["rules"]))
        agreed = bgf1.transcript(gid, rules, root, era["depth"], era["level"], heads).hex()
        own = all(heads[seat] == (self.source, self._chain(era["gid"], seat)[0]) for seat in mine)
        if agreed == era["transcript"] == self._agreed.setdefault(era["gid"], agreed) and own:
            return True
        return self._alarm(f"{era['gid']}: the server froze something else than what was sealed")

    def _look_for_defaults(self, era: Message, mine: list[int]) -> None:
        for event, seat in era["defaults"]:
            given = self._given.pop((era["gid"], seat, event), math.inf)  # check only the first report
            if seat in mine and self.clock() > given + 1:
                self._alarm(f"{era['gid']}: the server says that seat {seat + 1} did not answer for draw {event}, and it did")

    def _alarm(self, sentence: str) -> bool:
        if sentence not in self.alarms:
            self.alarms.append(sentence)
        return False

    def again(self) -> None:
        """After a lost connection: forget the sent messages, because they may not have arrived."""
        self._sent.clear()

    def _is_new(self, gid: str, seat: int, event: int) -> bool:
        new = (gid, seat, event) not in self._sent
        self._sent.add((gid, seat, event))
        return new

    def _chain(self, gid: str, seat: int) -> list[bytes]:
        if (gid, seat) not in self._chains:
            seed = self._seeds.setdefault(seat, secrets.token_bytes(32))
            self._chains[gid, seat] = bgf1.chain(seed, bytes.fromhex(gid), seat)
        return self._chains[gid, seat]
