"""Random Connect Four with OpenSpiel from Python, for as long as each line of input says; prints decisions and seconds."""

import random
import sys
import time

import pyspiel

game = pyspiel.load_game("connect_four")
for line in sys.stdin:
    decisions, start, seconds = 0, time.perf_counter(), float(line)
    while (taken := time.perf_counter() - start) < seconds:
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
    print(decisions, taken, flush=True)
