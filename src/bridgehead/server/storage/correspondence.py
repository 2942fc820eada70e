"""Stored outside the event log for tables with days for each turn: when something is due there, conditional moves, reminders.

A row of `wake` belongs to every such table that is not over; its time is null while nothing is due.
"""

from __future__ import annotations

from bridgehead.server.storage.event_log import Statement

SCHEMA = """
create table if not exists wake (game {text} primary key references game, at {real}){more};
create table if not exists plan (
    game {text} not null references game, seat integer not null, body text not null, primary key (game, seat)){more};
create table if not exists reminder (
    id {text} primary key, kind text not null, target text not null, language text not null, discreet integer not null,
    confirmed integer not null, made {real} not null, problem text not null){more};
create table if not exists asked (
    mailbox {text} not null, hour integer not null, made {real} not null, primary key (mailbox, hour)){more};
create table if not exists reminded (
    reminder {text} not null references reminder on delete cascade, game {text} not null references game, seat integer not null,
    token text not null, primary key (reminder, game, seat)){more};
create table if not exists reminded_turn (
    reminder {text} not null references reminder on delete cascade, game {text} not null references game,
    turn integer not null, primary key (reminder, game, turn)){more};
"""
SQLITE = SCHEMA.format(text="text", real="real", more=" strict, without rowid")
POSTGRES = SCHEMA.format(text='text collate "C"', real="double precision", more="")
TABLES = ("reminded_turn", "reminded", "plan", "wake")  # all that name a game


def schedule_statement(game: str, at: float | None) -> Statement:
    """The statement that notes when something is due at a table (Unix seconds); None: nothing is."""
    return "insert into wake values (?, ?) on conflict (game) do update set at = excluded.at", (game, at)


def over(game: str) -> list[Statement]:
    """The statements that delete what was kept for a table that is over."""
    return [(f"delete from {each} where game = ?", (game,)) for each in TABLES]
