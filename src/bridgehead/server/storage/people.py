"""Tables of the database for people, outside the event log.

Profiles, passkeys, games, luck, blocks, complaints, ratings, tournaments, playtests, who waits for an opponent.
"""

from __future__ import annotations

from collections.abc import Iterator

TABLES = (
    "profile (id {text} primary key, key {text} not null unique, since {real} not null, body text not null)",
    "named (name {text} primary key, profile {text} not null)",  # each skeleton of the name of each profile
    "passkey (id {text} primary key, profile {text} not null, host {text} not null, since {real} not null,"
    " public {text} not null, sealed {text} not null, count {whole} not null)",
    "challenge (digest {text} primary key, until {whole} not null)",
    "played (profile {text} not null, game {text} not null, since {real} not null, primary key (profile, game))",
    "result (game {text} primary key, pool {text} not null, n {whole} not null, ended {real} not null, body text not null,"
    " unique (pool, n))",
    "rating (pool {text} not null, who {text} not null, games {whole} not null, mu {real} not null, sigma {real} not null,"
    " primary key (pool, who))",
    "block (profile {text} not null, other {text} not null, since {real} not null, primary key (profile, other))",
    "complaint (game {text} not null, seat {whole} not null, about {whole} not null, time {real} not null,"
    " closed {real} not null, reporter {text} not null, body text not null, primary key (game, seat, about))",
    "complained (game {text} not null, seat {whole} not null, about {whole} not null, asker {text} not null,"
    " primary key (game, seat, about))",  # who sent a complaint: a digest of the address
    "seek (key {text} primary key, pool {text} not null, since {real} not null, seen {real} not null, profile {text} not null,"
    " rating {whole} not null, name text not null, asker {text} not null, token {text} not null)",
    "matched (key {text} primary key, other {text} not null, pair {text} not null, first {whole} not null, time {real} not null,"
    " game {text} not null)",
    "waited (key {text} primary key, time {real} not null, pool {text} not null, seconds {real} not null)",
    "luck (game {text} primary key, version {whole} not null, body {text} not null)",
    "tournament (id {text} not null, n {whole} not null, time {real} not null, body text not null, primary key (id, n))",
    "playtest (id {text} not null, n {whole} not null, time {real} not null, body text not null, primary key (id, n))",
    "entry (code {text} primary key, tournament {text} not null, until {real} not null)",  # codes by which people enter
)
SQLITE = {"text": "text", "real": "real", "whole": "integer"}
POSTGRES = {"text": 'text collate "C"', "real": "double precision", "whole": "bigint"}


def schema(types: dict[str, str], ending: str = "") -> Iterator[str]:
    """The statements that create these tables, if they are missing. types: SQLITE or POSTGRES; ending: of each statement."""
    for table in TABLES:
        yield f"create table if not exists {table.format(**types)}{ending}"
