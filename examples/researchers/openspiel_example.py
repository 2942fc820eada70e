"""The games in OpenSpiel: chance nodes, algorithms of OpenSpiel, serialized states. Run it, or read it cell by cell.

pip install 'bridgehead[openspiel]'
"""

# %% Register a game before OpenSpiel can load it; `register()` registers all installed games.
from __future__ import annotations

import random

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from bridgehead.adapters import openspiel

print("registered:", ", ".join(openspiel.register()))

# %% House rules are parameters, as `name=value`; all others have the rulebook's standard values.
game = pyspiel.load_game("bridgehead_front_lines(seats=2,rows=2,lives=1)")
kind = game.get_type()
print(f"{kind.long_name}: {kind.chance_mode.name}, {kind.information.name}, {kind.utility.name}")

# %% Chance is a node: drawing a card, or turning one over. Its outcomes have exact probabilities.
rng = random.Random(1)
state = game.new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        action = rng.choices(actions, chances)[0]
        actor = f"chance ({chances[actions.index(action)]:.3f})"
    else:
        action, actor = rng.choice(state.legal_actions()), f"seat {state.current_player()}"
    if len(state.history()) < 6:
        print(f"  {actor}: {state.action_to_string(action)}")
    state.apply_action(action)
print(f"after {len(state.history())} actions the seats get {state.returns()}")

# %% Serialize a state with its game, and read both again, in this process or another one.
state = game.new_initial_state()
state.apply_action(state.legal_actions()[0])
again, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
print(f"read again: {read} ({'the same' if str(read) == str(state) else 'another'})")

# %% OpenSpiel's MCTS evaluates the next decision. (With a hidden layout, the tree would see the hidden cards: docs/do/train.md.)
evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(2))
bot = mcts.MCTSBot(game, 1.4, 200, evaluator, random_state=np.random.RandomState(3))
root = bot.mcts_search(state)
for child in sorted(root.children, key=lambda child: -child.explore_count):
    worth = child.total_reward / child.explore_count
    print(f"  {state.action_to_string(child.action)}: {child.explore_count} visits, {worth:+.2f}")
