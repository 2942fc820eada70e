"""The part of a view about sealed chance: its state, the seats that it waits for, and its guarantee."""

from __future__ import annotations

from collections.abc import Iterable

from bridgehead.core.phrases import Catalogue, Phrase
from bridgehead.core.spec import CHANCE
from bridgehead.fairness import bgf1
from bridgehead.fairness.seals import SERVER, Era, Seals
from bridgehead.server.messages.sealing import EraView, LinksWanted, SealedView
from bridgehead.server.tables.table import Table

DEFAULTS = 20  # missing answers that a view shows, the newest


def view(table: Table, words: Catalogue, language: str) -> SealedView:
    """The state of sealed chance and its guarantee; the same for every viewer."""
    text = words.tell(guarantee(table), language)
    seals = table.dealer
    if not isinstance(seals, Seals):
        return SealedView(level=0, practice=bool(table.answered_by), text=text, waiting=[], eras=[])
    eras = [_era(seals, era) for era in (seals.running, seals.pending) if era is not None]
    return SealedView(
        level=table.body.level, practice=False, text=text, rules=seals.rules.hex(), server=table.store.shown,
        waiting=list(_missing(seals)), eras=eras,
    )  # fmt: skip


def waits(table: Table, words: Catalogue, language: str, you: frozenset[int], here: frozenset[int]) -> str:
    """The sentence that names the seats that chance waits for; "" if it waits for this page alone, or for none."""
    seals = table.dealer
    if not isinstance(seals, Seals) or not table.match.position.is_chance:
        return ""
    missing = [seat for seat in _missing(seals) if seat not in you]
    away = [seat for seat in missing if seat not in here]
    if not missing:
        return ""
    key = "seal.roll" if seals.running else "seal.away" if away else "seal.here"
    return words.tell(Phrase(key, {"names": _names(table, away if away and not seals.running else missing)}), language)


def opened(table: Table, since: int) -> list[tuple[str, int, str]]:
    """The keys of chance events that were dealt in the log's lines from `since` on: game id, event, key."""
    seals, log = table.dealer, table.match.log
    found: list[tuple[str, int, str]] = []
    if isinstance(seals, Seals):
        index = table.match.chances - sum(entry.actor == CHANCE for entry in log[since:])
        for entry in log[since:]:
            era = seals.era_of(index) if entry.actor == CHANCE else None
            if era is not None:
                event = index - era.first
                key = bgf1.event_key(seals.keeper.secret(era.game_id), era.game_id, event)
                found.append((era.game_id.hex(), event, key.hex()))
            index += entry.actor == CHANCE
    return found


def guarantee(table: Table) -> Phrase:
    """The sentence on the guarantee of sealed chance at this table, and on its limits."""
    seals = table.dealer
    if not isinstance(seals, Seals):
        if not table.answered_by:
            return Phrase("chance.none")
        return Phrase("chance.known" if table.body.known else "chance.seeded")
    complete = [era for era in seals.eras if era.is_complete]
    if not complete:
        return Phrase("chance.waiting")
    era = complete[-1]
    own = [seat for seat in sorted(era.own) if era.holders[seat] == table.seats[seat].token[:16]]
    if not own:
        return Phrase("chance.server")
    others = [seat for seat in range(len(era.heads)) if seat not in own]
    full = Phrase(f"chance.level{era.level}", {"names": _names(table, own)})
    return Phrase("chance.partly", {"said": full, "others": _names(table, others)}) if others else full


def _missing(seals: Seals) -> tuple[int, ...]:
    """Seats that chance waits for."""
    if seals.running is not None:
        return seals.running.asked.missing if seals.running.asked else ()
    era = seals.pending
    return () if era is None else era.unsealed or era.unopened


def _names(table: Table, seats: Iterable[int]) -> str:
    return ", ".join(table.seats[seat].name for seat in seats)


def _era(seals: Seals, era: Era) -> EraView:
    asked, last = era.asked, era.last
    wanted = asked and LinksWanted(asked.event, list(asked.missing), [last[seat].number + 1 for seat in asked.missing])
    defaults = [(event, seat) for event, answer in era.answers.items() for seat in answer.defaults]
    links = seals.first_links(era) if era.level == 1 and era.transcript else []
    return EraView(
        era.game_id.hex(), era.root.hex(), era.depth, era.level,
        [(head.source, head.head.hex()) if head else None for head in era.heads],
        era.transcript.hex(), era.signature, wanted, defaults[-DEFAULTS:],
        [(link.seat, link.number, link.value.hex()) for link in links],
    )  # fmt: skip


def is_own(table: Table, era: Era, seat: int) -> bool:
    """Was the era sealed for this seat by its present person, or, for a computer's seat, by the server?"""
    head, sits = era.heads[seat], table.seats[seat]
    if head is None:
        return False
    if sits.kind != "person":
        return head.source == SERVER
    return head.source != SERVER and era.holders[seat] == sits.token[:16]
