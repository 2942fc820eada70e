-- Outside the event log: chat messages, unique by key, the tables in the lobby, short codes, the seal log. Older files get these
-- tables at the start.
create table if not exists said (
    game text not null references game, number integer not null, time real not null, seat integer not null,
    channel integer not null, text text not null, react text not null, key text not null default '',
    primary key (game, number)) strict, without rowid;
create table if not exists listed (
    game text primary key references game, since real not null, until real not null, asker text not null,
    body text not null) strict, without rowid;
create table if not exists sealed (
    n integer primary key, gid text not null unique, root text not null, link text not null) strict;
create table if not exists code (
    code text primary key, game text not null references game, until real not null) strict, without rowid;
