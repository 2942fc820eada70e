"""Action ids. A game declares its kinds of actions with their parts once; ids and notation follow, in both directions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import accumulate, product
from math import prod
from typing import NamedTuple

PART = re.compile(r"\{(\w+)\}")


class Kind(NamedTuple):
    """One kind of action.

    text: its notation, with parts in braces (`torch {line} {colour}`). order: the order in which ids count the parts,
    the last one fastest. Default: the order in the text.
    """

    text: str
    order: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of this kind, in the order in which ids count them."""
        return self.order or tuple(PART.findall(self.text))


class Actions:
    """The action ids of a game: each kind has consecutive ones, in the order of `kinds`.

    sizes: the number of values of each part. absent: numbers of kinds that the house rules leave out; they have no ids.
    firsts: the first id of each kind, then the number of ids. Compiled rules take these numbers as constants, or from the law.
    """

    def __init__(self, kinds: Sequence[Kind], sizes: Mapping[str, int], absent: Collection[int] = ()) -> None:
        self.kinds = tuple(kinds)
        self._parts = [[(part, sizes[part]) for part in kind.parts] for kind in self.kinds]
        self._fastest = [parts[::-1] for parts in self._parts]  # each id is taken apart from its fastest part on
        every = [prod(size for _, size in parts) for parts in self._parts]
        counts = [0 if kind in absent else count for kind, count in enumerate(every)]
        self.counts = tuple(counts)
        self.firsts = tuple(accumulate(counts, initial=0))
        self._shapes = [_shape(kind.text) for kind in self.kinds]

    def number(self, kind: int, **parts: int) -> int:
        """The id of the action with these parts. kind: the number of its kind."""
        rest = 0
        for part, size in self._parts[kind]:
            rest = rest * size + parts[part]
        return self.firsts[kind] + rest

    def split(self, action: int) -> tuple[int, dict[str, int]]:
        """The number of an action's kind, and its parts."""
        kind = bisect_right(self.firsts, action) - 1
        rest, parts = action - self.firsts[kind], {}
        for part, size in self._fastest[kind]:
            rest, parts[part] = divmod(rest, size)
        return kind, parts

    def images(self, parts: Mapping[str, Sequence[int]]) -> list[int]:
        """The image of each action when values of parts change places. parts: the new value of each value, by part."""
        same = range(max((size for each in self._parts for _, size in each), default=0))
        found = []
        for kind, count in enumerate(self.counts):
            values = (
                [[parts.get(part, same)[value] for value in range(size)] for part, size in self._parts[kind]] if count else []
            )
            for chosen in product(*values) if count else ():
                rest = 0
                for (_, size), value in zip(self._parts[kind], chosen, strict=True):
                    rest = rest * size + value
                found.append(self.firsts[kind] + rest)
        return found

    def name(self, action: int, named: Callable[[str, int], str]) -> str:
        """An action in notation. named: returns the text of a part's value."""
        kind = bisect_right(self.firsts, action) - 1
        rest, texts = action - self.firsts[kind], {}
        for part, size in self._fastest[kind]:
            rest, value = divmod(rest, size)
            texts[part] = named(part, value)
        return self.kinds[kind].text.format_map(texts)

    def read(self, text: str, value: Callable[[str, str], int | None]) -> int | None:
        """The id of the action that a text names, or None if there is none.

        value: returns the value of a part's text, or None if the text names no value; it can raise an error.
        """
        for kind, shape in enumerate(self._shapes):
            if (found := shape.fullmatch(text)) and self.counts[kind]:
                parts = {part: value(part, word) for part, word in found.groupdict().items()}
                known = {part: number for part, number in parts.items() if number is not None}
                if len(known) == len(parts):
                    return self.number(kind, **known)
        return None


def _shape(text: str) -> re.Pattern[str]:
    """The regular expression of a notation, with a group for each part."""
    pieces = PART.split(text)
    return re.compile("".join(f"(?P<{piece}>[^ ]+?)" if place % 2 else re.escape(piece) for place, piece in enumerate(pieces)))
