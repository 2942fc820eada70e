create table game (
    id text primary key, body text not null, created real not null) strict, without rowid;
create table event (
    game text not null references game, version integer not null, key text not null, kind text not null,
    actor integer not null, action integer not null, by text not null, time real not null,
    body text not null, nonce blob not null, link blob not null,
    primary key (game, version)) strict, without rowid;
create unique index event_key on event (game, key);
