"""Conformance tests for a game: `pytest --pyargs bridgehead.conformance --game NAME` (docs/do/add_a_game.md)."""
