"""The workshop: what players of a table never import.

Studies of rules, contests of players, learning, calibration, batches of games, graphics cards, and research of one game. Its
commands are in `workshop.commands`; the server reaches its studies by the entry point `bridgehead.workshop`.
"""
