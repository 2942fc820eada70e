"""The part of a view about sealed chance: its state, the seats that it waits for, and its guarantee."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import UNSET

from bridgehead.core import options as house
from bridgehead.core.phrases import Catalogue, Phrase
from bridgehead.core.spec import CHANCE
from bridgehead.fairness import bgf2
from bridgehead.fairness.bgf2 import SERVER
from bridgehead.fairness.seals import SealedEra, Seals
from bridgehead.server.messages.sealing import DrawView, EraView, LinksWanted, SealedView
from bridgehead.server.tables.table import Table

RECENT = 8  # draws in a first view


def view(table: Table, words: Catalogue, language: str) -> SealedView:
    """The state of sealed chance and its guarantee; the same for every viewer."""
    text = words.tell(guarantee(table), language)
    seals = table.dealer
    if not isinstance(seals, Seals):
        return SealedView(level=0, practice=is_practice(table), text=text, waiting=[], eras=[])
    shown = [era for era in (seals.running_era, seals.pending) if era is not None and era.number]
    newest, game, first = seals.eras[-1], table.game, table.match.positions[0]
    gid = newest.game_id.hex() if newest.number else UNSET  # an era of BGF1 has another game id
    is_open = bool(newest.number) and not (house.find_hidden_options(game.options) & game.differences.keys())
    return SealedView(
        level=table.body.level, practice=False, text=text, gid=gid, server=table.store.shown,
        rules=seals.find_rules_terms(newest) if is_open else UNSET, start="" if first == game.start() else first.text,
        waiting=list(_missing(seals)), eras=[_era(table, seals, era) for era in shown],
    )  # fmt: skip


def waits(table: Table, words: Catalogue, language: str, you: frozenset[int], here: frozenset[int]) -> str:
    """The sentence that names the seats that chance waits for; "" if it waits for this page alone, or for none."""
    seals = table.dealer
    if not isinstance(seals, Seals) or not table.match.position.is_chance or table.damage is not None:
        return ""
    missing = [seat for seat in _missing(seals) if seat not in you]
    away = [seat for seat in missing if seat not in here]
    if not missing:
        return ""
    rolls = seals.running_era is not None and seals.running_era.asked is not None
    key = "seal.roll" if rolls else "seal.away" if away else "seal.here"
    return words.tell(Phrase(key, {"names": _names(table, away if away and not rolls else missing)}), language)


def draws(table: Table, since: int | None) -> list[DrawView]:
    """The chance events in the log's lines from `since` on, with their proof; of the whole log, the newest `RECENT`."""
    seals, log = table.dealer, table.match.log
    if not isinstance(seals, Seals):
        return []
    found: list[DrawView] = []
    index = table.match.chances
    for at in range(len(log) - 1, (since or 0) - 1, -1):
        if log[at].actor != CHANCE:
            continue
        index -= 1
        sealed = seals.show_draw(index)
        if sealed is None or (since is None and len(found) == RECENT):
            break
        position, action = table.match.positions[at], log[at].action
        found.append(DrawView(at, index, *sealed, list(position.weights), position.legal.index(action), position.name(action)))
    return found[::-1]


def is_practice(table: Table) -> bool:
    """Could somebody know the chance of this table beforehand?"""
    return bool(table.answered_by) and not table.body.typed and (table.body.known or not table.store.alone)


def guarantee(table: Table) -> Phrase:
    """The sentence on the guarantee of sealed chance at this table, and on its limits."""
    seals = table.dealer
    if not isinstance(seals, Seals):
        if not table.answered_by:
            return Phrase("chance.none")
        if table.body.typed:
            return Phrase("chance.typed")
        if table.body.known:
            return Phrase("chance.known")
        return Phrase("chance.browser" if table.store.alone else "chance.seeded")
    complete = [era for era in seals.eras if era.is_complete]
    if not complete:
        return Phrase("chance.waiting")
    era = complete[-1]
    if not era.number:
        return Phrase("chance.bgf1")
    own = [seat for seat in sorted(era.own) if era.holders[seat] == table.seats[seat].token[:16]]
    if not own:
        return Phrase("chance.server")
    others = [seat for seat in range(len(era.heads)) if seat not in own]
    full = Phrase(f"chance.level{era.level}", {"names": _names(table, own)})
    return Phrase("chance.partly", {"said": full, "others": _names(table, others)}) if others else full


def _missing(seals: Seals) -> tuple[int, ...]:
    """Seats that chance waits for."""
    era = seals.running_era or seals.pending
    if era is None:
        return ()
    return era.unsealed or era.unopened or (era.asked.missing if era.asked else ())


def _names(table: Table, seats: Iterable[int]) -> Callable[[str], str]:
    """What the seats are called, in any language."""
    shown = list(seats)
    return lambda language: ", ".join(table.game.name_seats(table.names, language)[seat] for seat in shown)


def _era(table: Table, seals: Seals, era: SealedEra) -> EraView:
    asked = era.asked and LinksWanted(era.asked.event, list(era.asked.seats), list(era.asked.missing))
    opening = [link.value.hex() for link in seals.first_links(era)] if era.is_complete else []
    return EraView(
        era.number, max(0, era.first), era.depth, era.level, bgf2.RULES[era.level],
        seals.find_rules_terms(era).hash.hex(), era.root.hex(),
        [(head.source, head.head.hex()) if head else None for head in era.heads],
        era.transcript.hex(), era.signature, table.listed.get(era.id), list(era.unopened), opening, asked,
    )  # fmt: skip


def is_own(table: Table, era: SealedEra, seat: int) -> bool:
    """Was the era sealed for this seat by its present person, or, for a computer's seat, by the server?"""
    head, sits = era.heads[seat], table.seats[seat]
    if head is None:
        return False
    if sits.kind != "person":
        return head.source == SERVER
    return head.source != SERVER and era.holders[seat] == sits.token[:16]
