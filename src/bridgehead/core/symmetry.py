"""Symmetries of a game: maps of positions, actions and seats with which its rules commute.

Playing an action and mapping the position gives the same bytes as mapping the position and playing the image of the action.
A game declares only the maps that its board and house rules keep. The first position need not be its own image.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

States = np.ndarray[Any, Any]


class Symmetry(NamedTuple):
    """seats: the image of each seat. actions: the image of each action. of: images of an array of states, as a new array."""

    name: str
    seats: tuple[int, ...]
    actions: np.ndarray[Any, np.dtype[np.int32]]
    of: Callable[[States], States]


def permute_bits(words: Any, images: Sequence[int]) -> Any:
    """Sets with their members exchanged. words: ... x words of uint64; images: the image of each member, those beyond stay."""
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=-1, bitorder="little")
    places = np.arange(bits.shape[-1])
    places[: len(images)] = images
    moved = np.zeros_like(bits)
    moved[..., places] = bits
    return np.packbits(moved, axis=-1, bitorder="little").view(np.uint64)


def moved_values(values: Any, images: Sequence[int]) -> Any:
    """Numbers with their images in their place; negative ones, which stand for nothing, stay."""
    table = np.asarray(images)
    return np.where(values < 0, values, table[np.maximum(values, 0)])


def permute_entries(values: Any, images: Sequence[int]) -> Any:
    """An array with the entries of its last axis exchanged: entry i goes to place images[i], those beyond stay."""
    places = np.arange(values.shape[-1])
    places[: len(images)] = images
    found = np.empty_like(values)
    found[..., places] = values
    return found
