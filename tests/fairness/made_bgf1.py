"""Eras of BGF1, as an older release sealed them: new ones are not made any more, but old tables and proofs have them."""

from __future__ import annotations

from collections.abc import Sequence

from bridgehead.core.game import Game
from bridgehead.fairness import bgf1, proof_bgf1
from bridgehead.fairness.bgf1 import Link, SeatHead
from bridgehead.fairness.seals import SealedEra, Seals, SecretKeeper

SEED = b"7"


def begun(seals: Seals, gid: bytes, level: int, made: Sequence[bool], depth: int = 8) -> Seals:
    """With an era of BGF1 that the server seals."""
    heads = tuple(seals.keeper.make_head(gid, 0, seat) if is_made else None for seat, is_made in enumerate(made))
    root = bgf1.Tree(seals.keeper.derive_secret(gid, 0), gid, depth).root
    return seals.begin_era(SealedEra(gid, root, depth, level, heads, ("",) * len(heads)))


def sealed(game: Game, keeper: bytes, gid: bytes, made: Sequence[bool], level: int = 1, seed: bytes = SEED) -> Seals:
    """The seals of a match with one era of BGF1, frozen and opened. Each person's seed is `seed` and the seat."""
    seals = begun(Seals(SecretKeeper(keeper), game), gid, level, made)
    chains = {seat: bgf1.chain((seed + bytes([seat])).ljust(32, b"s"), gid, seat) for seat, each in enumerate(made) if not each}
    for seat, links in chains.items():
        seals = seals.commit_head(seat, SeatHead(0, links[0]), "")
    era = seals.pending
    assert era is not None
    heads = [head for head in era.heads if head is not None]
    seals = seals.froze(bgf1.make_transcript(gid, proof_bgf1.rules_hash(game), era.root, era.depth, level, heads))
    for seat, links in chains.items() if level == 1 else ():
        seals = seals.open_link(gid, Link(seat, 1, links[1]))
    return seals
