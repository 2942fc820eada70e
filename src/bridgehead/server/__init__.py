"""Hosting: tables, seats, storage, pages. Knows no rule of any game."""
