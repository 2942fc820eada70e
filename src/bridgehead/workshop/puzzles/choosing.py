"""A choice of puzzles from a pool: half with a line, three equal parts by strength, no answer too often, no near duplicates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple, get_args

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Position
from bridgehead.core.spec import Spec
from bridgehead.players.puzzles import Idea, Puzzle, Rules, pose_puzzle, unfold_line
from bridgehead.workshop.puzzles import lines, opinions
from bridgehead.workshop.puzzles.ideas import name_ideas
from bridgehead.workshop.puzzles.likeness import are_alike, find_pattern, see_from_all_sides

MOST = 0.08  # of the puzzles may have one answer
HALF = 0.5  # of the puzzles at least have a line
LEAST = 60  # puzzles: a share with a line that leaves fewer is not asked for
PARTS = ((1, 2), (3, 4), (5, 8))  # grades of the lower, the middle and the upper levels


class Traits(NamedTuple):
    """What the choice looks at: the answer, the part by strength, and the puzzles that are nearly the same."""

    pattern: str
    part: int
    alike: set[str]


def tag(spec: Spec, puzzle: Puzzle) -> Puzzle:
    """A puzzle with its ideas: those of the first of its actions that has any."""
    found = (_tag_action(stage.position, stage.action, puzzle) for stage in unfold_line(pose_puzzle(spec, puzzle)))
    return msgspec.structs.replace(puzzle, ideas=next((ideas for ideas in found if ideas), []))


def _tag_action(position: Position, action: int, puzzle: Puzzle) -> list[Idea]:
    quick = opinions.propose_solution(position, opinions.QUICK, puzzle.name)
    others = [each for each in (quick.rival, quick.action) if each not in (action, opinions.NONE)]
    rival = others[0] if others else None
    return name_ideas(position, action, rival, lines.find_reply(position, action, puzzle.name), puzzle.kind)


def annotate(spec: Spec, puzzle: Puzzle) -> Puzzle:
    """A puzzle with the rules by which it holds, its second best action and what answers that."""
    _, position, action = pose_puzzle(spec, puzzle)
    opinion = opinions.judge_position(position, opinions.SURE, puzzle.name)
    rules = [name for name in get_args(Rules) if _holds(spec, puzzle, name)]
    if opinions.NONE in (action, opinion.rival) or opinion.action != action:
        return msgspec.structs.replace(puzzle, rules=rules, rival=[])
    return msgspec.structs.replace(puzzle, rules=rules, rival=lines.tell_rival(position, opinion, puzzle.name))


def _holds(spec: Spec, puzzle: Puzzle, rules: Rules) -> bool:
    """Whether the action is clearly best by these rules, too: two searches of the effort that confirmed it have to agree."""
    presets = spec.options.PRESETS
    options = presets.get(rules, {}) if rules == "recommended" else {}
    if options == puzzle.options:
        return True
    if rules == "recommended" and rules not in presets:
        return False
    try:
        _, position, action = pose_puzzle(spec, msgspec.structs.replace(puzzle, options=dict(options)))
    except BridgeheadError:
        return False
    judged = (opinions.judge_position(position, opinions.SURE, f"{puzzle.name}:{rules}:{n}") for n in range(2))
    return all(each.action == action and opinions.is_clear(each, position.game) for each in judged)


def find_traits(spec: Spec, pool: Sequence[Puzzle]) -> dict[str, Traits]:
    """The traits of puzzles, by name."""
    found, seen = {}, {}
    for each in pool:
        _, position, action = pose_puzzle(spec, each)
        seen[each.name] = see_from_all_sides(position)
        part = next(part for part, (low, high) in enumerate(PARTS) if low <= each.grade <= high)
        found[each.name] = Traits(find_pattern(position, action), part, set())
    names = list(seen)
    for at, one in enumerate(names):
        for other in names[:at]:
            if are_alike(seen[one], seen[other]):
                found[one].alike.add(other)
                found[other].alike.add(one)
    return found


def choose(spec: Spec, pool: Iterable[Puzzle]) -> list[Puzzle]:
    """The most puzzles of a pool that keep to all limits, the easiest first. The same pool in any order gives the same.

    Where no LEAST of them allow half with a line, it is the set of so many with the highest share.
    """
    ordered = sorted((each for each in pool if each.ideas), key=lambda each: each.name)
    traits = find_traits(spec, ordered)
    thirds = range(len(ordered) // len(PARTS), 0, -1)
    found = [each for each in (_pick(ordered, traits, third) for third in thirds) if each]
    large = [each for each in found if len(each) >= LEAST] or found[:1]
    best = next((each for each in large if find_share(each) >= HALF), None) or max(large, key=find_share, default=[])
    return sorted(best, key=lambda each: (each.grade, each.name))


def find_share(puzzles: Sequence[Puzzle]) -> float:
    """The share of puzzles with a line."""
    return sum(bool(each.line) for each in puzzles) / len(puzzles)


def _pick(pool: Sequence[Puzzle], traits: dict[str, Traits], third: int) -> list[Puzzle]:
    """So many puzzles of each part, or none: the rarest part first, in it those with a line, then the others.

    Of both, ideas come in turns, and of each idea the rarest answers first.
    """
    often = Counter(each.pattern for each in traits.values())
    rarest = sorted(pool, key=lambda each: often[traits[each.name].pattern])
    parts = [[each for each in rarest if traits[each.name].part == part] for part in range(len(PARTS))]
    found: dict[str, Puzzle] = {}
    answers = Counter[str]()
    for part in sorted(parts, key=len):
        left = third
        lined, others = [each for each in part if each.line], [each for each in part if not each.line]
        for each in (*_take_turns(lined), *_take_turns(others)):
            pattern, _, alike = traits[each.name]
            if left and answers[pattern] + 1 <= MOST * third * len(PARTS) and not alike & found.keys():
                answers[pattern] += 1
                found[each.name] = each
                left -= 1
        if left:
            return []
    return list(found.values())


def _take_turns(part: Sequence[Puzzle]) -> list[Puzzle]:
    """Puzzles in turns of their first idea, the rarest idea first."""
    by = defaultdict(list)
    for each in part:
        by[each.ideas[0] if each.ideas else None].append(each)
    rounds = zip_longest(*sorted(by.values(), key=len))
    return [each for each in chain.from_iterable(rounds) if each is not None]
