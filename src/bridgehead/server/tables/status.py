"""The part of a view that is not about the match: proposals, a pause, the clocks, an end that people made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bridgehead.core.ending import DRAW, Ending
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import CHANCE
from bridgehead.server.tables import proposal_changes
from bridgehead.server.tables.table import Table

Say = Callable[[Phrase], str]


def standing(table: Table, you: frozenset[int], say: Say) -> dict[str, Any]:
    """The fields `ask`, `may`, `paused` and `clock` of a view, each only if it has a value."""
    told: dict[str, Any] = {"may": proposal_changes.may(table, you)} if you else {}
    asked = table.proposals.last
    if asked is not None:
        is_open = table.proposals.open is not None
        told["ask"] = {
            "v": asked.version, "what": asked.what, "seat": asked.actor, "seats": sorted(asked.seats), "open": is_open,
            "need": sorted(asked.need - asked.agreed) if is_open else [], "text": _asked(table, say),
        }  # fmt: skip
    if table.paused:
        told["paused"] = say(Phrase("paused.mistake" if table.mistaken else "paused"))
    if table.clocks.rules is not None:
        told["clock"] = table.clocks.shown()
    return told


def _asked(table: Table, say: Say) -> str:
    """The sentence for a proposal, or for its result."""
    asked, names = table.proposals.last, table.names
    assert asked is not None
    params: dict[str, object] = {"who": names[asked.actor], "by": names[max(asked.by, 0)]}
    if asked.state == "open":
        back = table.match.log[asked.to :] if asked.what == "takeback" else []
        told = say(Phrase(f"ask.{asked.what}", {**params, "turn": back[0].turn + 1} if back else params))
        return f"{told} {say(Phrase('ask.chance'))}" if any(entry.actor == CHANCE for entry in back) else told
    what = Phrase(f"thing.{asked.what}", params)
    return say(Phrase(f"asked.{asked.state}", {**params, "what": what}))


def ended(match: Match, names: list[str], say: Say) -> str:
    """The sentence for an end that people made."""
    assert match.ended is not None and match.outcome is not None
    ending: Ending = match.ended
    if ending.how == DRAW:
        return say(Phrase("ended.draw"))
    lost = say(Phrase(f"ended.{ending.how}", {"who": names[ending.seat]}))
    winners = [names[seat] for seat in match.outcome.winners]
    others = say(Phrase("and")).join(winners)
    return f"{lost} " + say(Phrase("wins", {"who": others, "n": len(winners)}))
