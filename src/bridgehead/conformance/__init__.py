"""Conformance tests for a game: `pytest --pyargs bridgehead.conformance --game NAME` (docs/adding_a_game.md)."""
