create table game (id text collate "C" primary key, body text not null, created double precision not null);
create table event (
    game text collate "C" not null references game, version bigint not null, key text collate "C" not null,
    kind text not null, actor bigint not null, action bigint not null, by text not null, time double precision not null,
    body text not null, nonce bytea not null, link bytea not null, primary key (game, version));
create unique index event_key on event (game, key);
create table said (
    game text collate "C" not null references game, number bigint not null, time double precision not null,
    seat bigint not null, channel bigint not null, text text not null, react text not null,
    key text not null default '', primary key (game, number));
create unique index said_key on said (game, key) where key <> '';
create table listed (
    game text collate "C" primary key references game, since double precision not null, until double precision not null,
    asker text not null, body text not null);
create table lease (job text primary key, owner text not null, until timestamptz not null);
create table sealed (n bigint primary key, gid text not null unique, root text not null, link text not null);
create table bridgehead (format integer not null, id text not null, key bytea not null);
