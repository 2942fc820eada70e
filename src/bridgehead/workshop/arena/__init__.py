"""Contests between players, and what follows from their results: standings, curves of chances."""
