"""The end of a game as each viewer sees it: a headline from their point of view, and the ranking of all seats."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from bridgehead.core.ending import Outcome
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.position import Position
from bridgehead.core.spec import CHANCE
from bridgehead.server.messages.server import EndView, Rank, Tone

Say = Callable[[Phrase], str]
FOLLOWED = 400  # actions through which a winning way is followed, at most
_ways = WeakKeyDictionary[Match, tuple[Position, list[str], str]]()  # of ended matches, with their last positions
FAR = (1 << 30,)  # of a seat whose distance the game does not measure


def describe_end(match: Match, names: list[str], you: frozenset[int], own: Say, say: Say) -> EndView | None:
    """The end for a page with these seats; None while the game runs. own, say: tell phrases of the server, and of the game."""
    outcome = match.outcome
    if outcome is None:
        return None
    texts = [_text(match, outcome, seat, own, say) for seat in range(match.game.seats)]
    places = _places(match, outcome)
    order = sorted(range(match.game.seats), key=lambda seat: (places[seat], seat))
    ranks = [Rank(seat, places[seat] if outcome.winners else 0, texts[seat]) for seat in order]
    if match not in _ways or _ways[match][0] is not match.position:
        _ways[match] = (
            match.position,
            *(([], "") if not (match.position.is_over and outcome.winners) else _winning_way(match, outcome)),
        )
    _, way, piece = _ways[match]
    return EndView(_headline(outcome, match, names, you, ranks, own), _tone(outcome, you), ranks, way, piece)


def _winning_way(match: Match, outcome: Outcome) -> tuple[list[str], str]:
    """The fields that the piece of the last action passed from where it began, without detours, and the piece.

    None where the action neither reached the goal nor took something, as at a limit of turns. The piece is followed backwards
    through the traces by its id: where ids name fields, by that of what stood where the movement began.
    """
    log, positions, scene = match.log, match.positions, match.game.spec.scene
    way, piece, wanted, deciding = list[str](), "", "", any(_has_arrived(match, seat) for seat in outcome.winners)
    for index in range(len(log) - 1, max(-1, len(log) - 1 - FOLLOWED), -1):
        if log[index].actor not in (*outcome.winners, CHANCE):
            continue
        traces = scene.traces(positions[index], log[index].action, positions[index + 1])
        deciding = deciding or any(trace.how == "tips" for trace in traces)
        if not way and not deciding and log[index].actor != CHANCE:
            break
        for trace in traces:
            if trace.how == "tips":
                continue
            if not way or (trace.item == wanted and trace.via[-1] == way[0]):
                piece, way = piece or trace.item, [*trace.via, *way[1:]]
                there = {item.id: item.at for item in scene.items(positions[index], "en")}
                wanted = trace.item if trace.item in there else next((i for i, at in there.items() if at == way[0]), "")
                break
    direct = list[str]()
    for field in way:
        direct = [*direct[: direct.index(field)], field] if field in direct else [*direct, field]
    return (direct, piece) if len(direct) > 1 else ([], "")


def _has_arrived(match: Match, seat: int) -> bool:
    """Whether nothing is left to go for a seat, as far as the game measures that."""
    far = match.game.spec.progress.distance(match.position, seat)
    return far is None or far.numbers[0] <= 0


def _text(match: Match, outcome: Outcome, seat: int, own: Say, say: Say) -> str:
    """How far a seat was; of a winner, when it won."""
    if seat in outcome.winners:
        return own(Phrase("end.won_turn", {"turn": match.log[-1].turn + 1})) if match.log else own(Phrase("end.won"))
    far = match.game.spec.progress.distance(match.position, seat)
    return say(far.words) if far else ""


def _places(match: Match, outcome: Outcome) -> list[int]:
    """The place of each seat: by the result, then by how near its side was. Seats of a side share theirs."""
    sides, measure = match.game.sides, match.game.spec.progress.distance
    numbers = [far.numbers if (far := measure(match.position, seat)) else FAR for seat in range(len(sides))]
    nearest = {side: min(n for n, of in zip(numbers, sides, strict=True) if of == side) for side in sides}
    marks = [(-outcome.returns[seat], nearest[side]) for seat, side in enumerate(sides)]
    return [1 + len({sides[other] for other, mark in enumerate(marks) if mark < marks[seat]}) for seat in range(len(sides))]


def _tone(outcome: Outcome, you: frozenset[int]) -> Tone:
    if len(you) != 1:
        return "seen"
    return "drawn" if not outcome.winners else "won" if you <= {*outcome.winners} else "lost"


def _headline(outcome: Outcome, match: Match, names: list[str], you: frozenset[int], ranks: list[Rank], own: Say) -> str:
    """The end in a sentence: to one person, to those who share a screen, or to spectators."""
    if len(you) == 1:
        (mine,) = (rank for rank in ranks if rank.seat in you)
        return _personal(outcome, mine, len({*match.game.sides}), own)
    if not outcome.winners:
        return own(Phrase("end.nobody"))
    winners = own(Phrase("and")).join(names[seat] for seat in outcome.winners)
    end = own(Phrase("wins", {"who": winners, "n": len(outcome.winners)}))
    others = [rank for rank in ranks if rank.place > 1 and rank.text]
    following = [rank for rank in others if rank.seat in you] or others
    if not following:
        return end
    return f"{end} {own(Phrase('end.next', {'name': names[following[0].seat], 'far': following[0].text}))}"


def _personal(outcome: Outcome, mine: Rank, sides: int, own: Say) -> str:
    if not outcome.winners:
        return own(Phrase("end.nobody_you", {"far": mine.text}) if mine.text else Phrase("end.nobody"))
    if mine.seat in outcome.winners:
        return own(Phrase("end.you_won"))
    key = f"end.place_{mine.place}" if sides > 2 and mine.place <= 5 else "end.you_lost"
    return own(Phrase(f"{key}_far", {"far": mine.text}) if mine.text else Phrase(key))
