"""The dealer that deals what was sealed, and the proof that it leaves."""

from __future__ import annotations

from collections.abc import Sequence

from bridgehead.core import record as records
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.fairness import bgf1, proof


class SealedDealer:
    """Deals at level 1: one entropy for the whole era, made of the first link of every seat.

    tree: the server's commitment; seats: what each seat committed to; links: R_1 of every seat, in their order.
    """

    def __init__(
        self, game: Game, tree: bgf1.Tree, seats: Sequence[bgf1.SeatHead], links: Sequence[bytes], first: int = 0
    ) -> None:
        self.tree, self.seats, self.first = tree, tuple(seats), first
        self.links = [bgf1.Link(seat, 1, value) for seat, value in enumerate(links)]
        self.transcript = bgf1.transcript(tree.game_id, proof.rules_hash(game), tree.root, tree.depth, 1, self.seats)
        self.entropy = bgf1.entropy(self.transcript, self.links)

    def deal(self, position: Position, index: int) -> int:
        event = index - self.first
        return proof.drawn(position, self.tree.key(event), self.entropy, event)

    def era(self, revealed: bool, events: Sequence[int] = ()) -> proof.Era:
        """What may be told of this era: with its secret when the match is over, else the keys of events already dealt."""
        return proof.Era(
            first=self.first,
            game_id=self.tree.game_id.hex(),
            depth=self.tree.depth,
            level=1,
            root=self.tree.root.hex(),
            seats=[proof.SealedSeat(seat.source, seat.head.hex()) for seat in self.seats],
            transcript=self.transcript.hex(),
            links=[proof.SeatLink(link.seat, link.number, link.value.hex()) for link in self.links],
            keys={str(event): self._key(event) for event in events},
            secret=self.tree.secret.hex() if revealed else "",
        )

    def _key(self, event: int) -> proof.EventKey:
        return proof.EventKey(self.tree.key(event).hex(), [other.hex() for other in self.tree.path(event)])


def proof_of(match: Match, eras: Sequence[proof.Era], names: Sequence[str] = ()) -> proof.Proof:
    """The proof of a match as it stands."""
    return proof.Proof("bgf1", records.dump(match, names), list(eras))
