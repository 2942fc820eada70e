"""The part of a view about people: proposals, a pause, the clocks, an end by agreement, resignation or time."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET, UnsetType

from bridgehead.core.ending import DRAW, Ending
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import CHANCE
from bridgehead.server.messages.server import ProposalView
from bridgehead.server.tables import proposal_changes
from bridgehead.server.tables.table import Table

Say = Callable[[Phrase], str]


def may(table: Table, you: frozenset[int]) -> list[str] | UnsetType:
    """The proposals that these seats may make now; UNSET for spectators."""
    return proposal_changes.may(table, you) if you else UNSET


def proposal(table: Table, say: Say) -> ProposalView | UnsetType:
    """The last proposal, until the match moves on."""
    asked = table.proposals.last
    if asked is None:
        return UNSET
    is_open = table.proposals.open is not None
    need = sorted(asked.need - asked.agreed) if is_open else []
    return ProposalView(asked.version, asked.what, asked.actor, sorted(asked.seats), is_open, need, _asked(table, say))


def paused(table: Table, say: Say) -> str | UnsetType:
    """Why the table is paused, as a sentence."""
    return say(Phrase("paused.mistake" if table.mistaken else "paused")) if table.paused else UNSET


def _asked(table: Table, say: Say) -> str:
    """The sentence for a proposal, or for its result."""
    asked, names = table.proposals.last, table.names
    assert asked is not None
    params: dict[str, object] = {"who": names[asked.actor], "by": names[max(asked.by, 0)]}
    if asked.state == "open":
        back = table.match.log[asked.to :] if asked.what == "takeback" else []
        text = say(Phrase(f"ask.{asked.what}", {**params, "turn": back[0].turn + 1} if back else params))
        return f"{text} {say(Phrase('ask.chance'))}" if any(entry.actor == CHANCE for entry in back) else text
    what = Phrase(f"thing.{asked.what}", params)
    return say(Phrase(f"asked.{asked.state}", {**params, "what": what}))


def ended(match: Match, names: list[str], say: Say) -> str:
    """The sentence for an end that did not come from the game's rules."""
    assert match.ended is not None and match.outcome is not None
    ending: Ending = match.ended
    if ending.how == DRAW:
        return say(Phrase("ended.draw"))
    lost = say(Phrase(f"ended.{ending.how}", {"who": names[ending.seat]}))
    winners = [names[seat] for seat in match.outcome.winners]
    others = say(Phrase("and")).join(winners)
    return f"{lost} " + say(Phrase("wins", {"who": others, "n": len(winners)}))
