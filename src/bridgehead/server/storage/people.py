"""Tables of the database for people: profiles, their games, results, luck, ratings, tournaments; outside the event log."""

from __future__ import annotations

from collections.abc import Iterator

TABLES = (
    "profile (id {text} primary key, key {text} not null unique, since {real} not null, body text not null)",
    "played (profile {text} not null, game {text} not null, since {real} not null, primary key (profile, game))",
    "result (game {text} primary key, pool {text} not null, n {whole} not null, ended {real} not null, body text not null,"
    " unique (pool, n))",
    "rating (pool {text} not null, who {text} not null, games {whole} not null, mu {real} not null, sigma {real} not null,"
    " primary key (pool, who))",
    "luck (game {text} primary key, version {whole} not null, body {text} not null)",
    "tournament (id {text} not null, n {whole} not null, time {real} not null, body text not null, primary key (id, n))",
)
SQLITE = {"text": "text", "real": "real", "whole": "integer"}
POSTGRES = {"text": 'text collate "C"', "real": "double precision", "whole": "bigint"}


def schema(types: dict[str, str], ending: str = "") -> Iterator[str]:
    """The statements that create these tables, if they are missing. types: SQLITE or POSTGRES; ending: of each statement."""
    for table in TABLES:
        yield f"create table if not exists {table.format(**types)}{ending}"
