"""Our games at random on one thread: decisions per second, decisions per game, bytes per game.

Decisions of seats per second of processor time; chance is played, not counted. The loop is `core/kernels.py`, the same
for every game; the rules are those that referee in the browser. Games alternate, round by round.
"""

from __future__ import annotations

import shared
from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.game import Game
from shared import Result, Row


def state_bytes(name: str) -> int:
    """The size of one game's state."""
    spec = shared.find(name)
    return int(Game(spec, house.build(spec, values=shared.RULES.get(name, {}))).new_states(1).nbytes)


def main() -> None:
    parser = shared.player(__doc__, seconds=4.0)
    all_games = ",".join([*registry.specs(), shared.EXAMPLE])
    parser.add_argument("--games", default=all_games, help="their ids, comma-separated (%(default)s)")
    wanted = parser.parse_args()
    names = wanted.games.split(",")
    played = shared.alternate({name: shared.ours(name) for name in names}, wanted.seconds, wanted.rounds)
    result = Result("Our games at random on one thread")
    for name, rounds in played.items():
        note = f"{shared.mean_length(rounds):,.1f} decisions a game, {state_bytes(name)} bytes a game"
        result.rows.append(Row(name, shared.middle(shared.rates(rounds)), "decisions/s", note))
    shared.finish(result, wanted.json)


if __name__ == "__main__":
    main()
