"""Weights and nets for the players, learned from games."""
