"""Requests about profiles, their passkeys, games, ratings and blocks, and reports to the host.

A profile's key is in the body, never in an address.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from starlette.responses import Response

from bridgehead.core import registry
from bridgehead.core.own_boards import headline
from bridgehead.core.spec import OVER
from bridgehead.players import list_levels
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.endpoints import write_record
from bridgehead.server.http.routes import LANG, HttpError, Reply, Request, asked_table, find_asked_game, may_store, people, route
from bridgehead.server.messages.people import (
    BlockedProfile,
    BlockList,
    BlockWish,
    ComplaintMade,
    ComplaintWish,
    End,
    LuckCounted,
    OwnProfile,
    PasskeyAdded,
    PasskeyAsked,
    PasskeyChallenge,
    PasskeyList,
    PasskeyRemoval,
    PasskeyUsed,
    PlayedGame,
    ProfileAsked,
    ProfileRating,
    ProfileRenewal,
    ProfileSeats,
    ProfileWish,
    PublicProfile,
    RatedPlayer,
    RatingList,
    RatingLists,
    SeatsTaken,
    ShownPasskey,
    Tally,
)
from bridgehead.server.people import passkeys
from bridgehead.server.people.people import remove_profile
from bridgehead.server.people.pictures import picture
from bridgehead.server.people.profiles import NoProfile, Profile, StoredProfile, seat_token
from bridgehead.server.people.ratings import Rating
from bridgehead.server.people.result_store import ResultStore
from bridgehead.server.people.results import LEVEL, PERSON, Result
from bridgehead.server.tables.stored_seats import encode_base64
from bridgehead.server.tables.table import Table

LIST = 200  # players of a rating list


@route("POST /api/profile", OwnProfile, ProfileAsked, query=(LANG,), limit="mine", pays="codes")
async def own_profile(request: Request, asked: ProfileAsked) -> OwnProfile:
    """The profile of a key, with its games and ratings. Errors: NoProfile."""
    return await _own(request, await people(request).profiles.of_key(asked.key), asked.key)


@route("POST /api/profile/save", OwnProfile, ProfileWish, query=(LANG,), limit="tables", pays="codes", stores=True)
async def save_profile(request: Request, wish: ProfileWish) -> OwnProfile:
    """Make the profile of a key that the browser has drawn, or change it."""
    found = await people(request).profiles.save(wish.key, Profile(wish.name, wish.colour, wish.picture))
    return await _own(request, found, wish.key)


@route("POST /api/profile/key", OwnProfile, ProfileRenewal, query=(LANG,), limit="tables", pays="codes", stores=True)
async def renew_profile(request: Request, wish: ProfileRenewal) -> OwnProfile:
    """Replace the key of a profile. Devices with the old one lose the profile, and the seats that it gave them."""
    found = await people(request).profiles.renew(wish.key, wish.fresh)
    return await _own(request, found, wish.fresh)


@route("POST /api/profile/luck", LuckCounted, ProfileAsked, limit="mine", pays="codes")
async def count_luck(request: Request, asked: ProfileAsked) -> LuckCounted:
    """Count the luck of finished games of a profile, some at each request; the newest first."""
    service = people(request)
    found = await service.profiles.of_key(asked.key)
    games = [table for table, _ in await service.profiles.games(found.id)]
    results = await asyncio.to_thread(service.results.results, games)
    mine = [table for table in games if table in results and _against(results[table], PERSON + found.id)]
    may_store(request)
    return await service.luck.count(found.id, mine, address_of(request))


@route("POST /api/profile/delete", ProfileAsked, ProfileAsked, limit="tables", pays="codes")
async def delete_profile(request: Request, asked: ProfileAsked) -> ProfileAsked:
    """Delete a profile with its list of games and its ratings."""
    service = people(request)
    await remove_profile(service.profiles, service.results, asked.key)
    return asked


@route("POST /api/profile/export", None, ProfileAsked, query=(LANG,), limit="films", pays="costly")
async def export_profile(request: Request, asked: ProfileAsked) -> Reply:
    """Everything that the server knows of a profile, with the records of its games, as a file."""
    found = await people(request).profiles.of_key(asked.key)
    whole = msgspec.to_builtins(await _own(request, found, asked.key))
    whole["blocks"] = [each.id for each in await people(request).blocks.of_profile(found.id)]
    whole["complaints"] = [
        {"table": each.table, "time": each.time, "reason": each.body.reason, "text": each.body.text}
        for each in await people(request).complaints.of_profile(found.id)
    ]
    whole["passkeys"] = [{"host": each.host, "since": each.since} for each in await _passkeys(request, found.id)]
    for game in whole["games"]:
        del game["token"]  # a file is handed on more easily than meant
        table = await request.app.state.tables.find(game["table"], address_of(request))
        game["record"] = await write_record(request, table) if table is not None else ""
    name = {"content-disposition": f'attachment; filename="bridgehead-{found.id}.json"'}
    return Reply(msgspec.json.format(msgspec.json.encode(whole), indent=1), headers=name)


@route("POST /api/profile/passkeys", PasskeyList, PasskeyAsked, query=(LANG,), limit="mine", pays="codes")
async def list_passkeys(request: Request, asked: PasskeyAsked) -> PasskeyList:
    """The passkeys of the profile with this key, and whether this page may have passkeys at all."""
    why = passkeys.refusal(request.headers.get("origin", ""))
    found = await _passkeys(request, (await people(request).profiles.of_key(asked.key)).id) if asked.key else []
    return PasskeyList(WORDS.text(f"error.{why}", language(request)) if why else "", found)


@route("POST /api/profile/passkeys/challenge", PasskeyChallenge, PasskeyAsked, limit="mine", pays="codes")
async def passkey_challenge(request: Request, asked: PasskeyAsked) -> PasskeyChallenge:
    """A challenge: with a key to add a passkey to its profile, without one to sign in."""
    site, service = _site(request), people(request).passkeys
    if not asked.key:
        return PasskeyChallenge(encode_base64(service.challenge("use", site)), site.host, "", [])
    found = await people(request).profiles.of_key(asked.key)
    known = [each.id for each in await _passkeys(request, found.id) if each.host == site.host]
    challenge = encode_base64(service.challenge("add", site, found.id))
    return PasskeyChallenge(challenge, site.host, found.body.name, known)


@route("POST /api/profile/passkeys/add", PasskeyList, PasskeyAdded, limit="claims", pays="codes", stores=True)
async def add_passkey(request: Request, asked: PasskeyAdded) -> PasskeyList:
    """Add a passkey to a profile. The server keeps the profile's key only sealed under the passkey's user handle."""
    profile = await people(request).passkeys.add(_site(request), asked)
    return PasskeyList("", await _passkeys(request, profile))


@route("POST /api/profile/passkeys/use", ProfileAsked, PasskeyUsed, limit="claims", pays="codes", stores=True)
async def use_passkey(request: Request, asked: PasskeyUsed) -> ProfileAsked:
    """The key of the profile whose passkey has signed the challenge."""
    return ProfileAsked(await people(request).passkeys.use(_site(request), asked))


@route("POST /api/profile/passkeys/remove", PasskeyList, PasskeyRemoval, limit="mine", pays="codes")
async def remove_passkey(request: Request, asked: PasskeyRemoval) -> PasskeyList:
    """Remove a passkey: no device gets the profile's key by it any more."""
    return PasskeyList("", await _passkeys(request, await people(request).passkeys.remove(asked.key, asked.id)))


async def _passkeys(request: Request, profile: str) -> list[ShownPasskey]:
    return await people(request).passkeys.of_profile(profile)


def _site(request: Request) -> passkeys.Site:
    """The site of the page that asks; the middleware has compared its origin with the host. Errors: BridgeheadError."""
    return passkeys.site_of(request.headers.get("origin", ""))


@route("POST /api/profile/blocks", BlockList, BlockWish, limit="mine", pays="codes")
async def blocks(request: Request, wish: BlockWish) -> BlockList:
    """Block another profile, or end that: the two are never paired, and the pages of the first hide the chat of the other."""
    service = people(request).blocks
    if wish.profile:
        may_store(request)
    found = await (service.change(wish.key, wish.profile, wish.blocked) if wish.profile else service.of_key(wish.key))
    return BlockList([BlockedProfile(each.id, each.body.name) for each in found])


@route("POST /api/tables/{table}/complaints", ComplaintMade, ComplaintWish, limit="complaints", status=201, stores=True)
async def complain(request: Request, wish: ComplaintWish) -> ComplaintMade:
    """Report somebody at the table to the host of the server, with the last lines of the chat."""
    table = await asked_table(request)
    made = await people(request).complaints.add(table, wish.tokens, wish.about, wish.reason, wish.text, address_of(request))
    return ComplaintMade(len(made.body.lines))


@route("POST /api/profile/seats", SeatsTaken, ProfileSeats, limit="claims", pays="codes", stores=True)
async def take_seats(request: Request, asked: ProfileSeats) -> SeatsTaken:
    """Note that a profile plays the seats of these tokens: its games count for it from here on, on all its devices."""
    table, seats = await people(request).profiles.take(asked.key, asked.table, asked.tokens, address_of(request), asked.browser)
    return SeatsTaken(seats, seat_token(asked.key, table.id))


@route("GET /api/profiles/{profile}", PublicProfile, query=(LANG,))
async def public_profile(request: Request) -> PublicProfile:
    """What everybody may see of a profile. Errors: 404."""
    found = await _named(request)
    ratings = await asyncio.to_thread(_ratings, people(request).results, found.id, language(request))
    return PublicProfile(found.id, found.body.name, found.body.colour, found.body.picture, ratings)


@route("GET /api/profiles/{profile}/picture", media="image/svg+xml")
async def profile_picture(request: Request) -> Response:
    """The picture of a profile. The query may ask for another number or colour, to choose from. Errors: 404."""
    found, query = await _named(request), request.query_params
    number, colour = query.get("number", ""), query.get("colour", found.body.colour)
    if colour not in "abcdefg" or len(colour) != 1:
        raise HttpError(404, "no_page")
    shown = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else found.body.picture
    return Response(picture(found.id, shown, colour), media_type="image/svg+xml")


@route("GET /api/games/{game}/ratings", RatingLists, query=(LANG,))
async def rating_lists(request: Request) -> RatingLists:
    """The rating lists of a game: people and levels of the computer on one scale."""
    spec, service = find_asked_game(request), people(request)
    found = await asyncio.to_thread(_lists, service.results, spec.id)
    names = await service.profiles.load_profiles(
        sorted({who[2:] for _, _, line in found for who, _ in line if who.startswith(PERSON)})
    )
    return RatingLists([
        RatingList(seats, rules[language(request)], [
            RatedPlayer(
                names[who[2:]].body.name if who[2:] in names else "", who[2:] if who.startswith(PERSON) else "",
                who[2:] if who.startswith(LEVEL) else "", rating.points, rating.spread, rating.provisional, rating.games,
            )
            for who, rating in line if who.startswith(LEVEL) or who[2:] in names
        ])
        for seats, rules, line in found
    ])  # fmt: skip


def _lists(results: ResultStore, game: str) -> list[tuple[int, dict[str, str], list[tuple[str, Rating]]]]:
    lists = []
    for pool in results.pools(game):
        example = results.example(pool)
        line = sorted(results.ratings(pool).items(), key=lambda each: (each[1].provisional, -each[1].points, each[0]))
        lists.append((example.seats, example.rules, line[:LIST]))
    return lists


async def _named(request: Request) -> StoredProfile:
    try:
        return await people(request).profiles.of_id(request.path_params["profile"])
    except NoProfile as error:
        raise HttpError(404, error.phrase) from None


async def _own(request: Request, found: StoredProfile, key: str) -> OwnProfile:
    """A profile for its owner. A game that is over without a result, because the server was killed, gets its result now."""
    service, lang = people(request), language(request)
    games, running = await service.profiles.games(found.id), dict[str, Table]()
    async for table in service.profiles.open_tables(found.id):
        if table.actor != OVER:
            running[table.id] = table
        else:
            await service.results.note(table)
    results = await asyncio.to_thread(service.results.results, [table for table, _ in games])
    names = await service.profiles.load_profiles(sorted(_profiles(results.values(), running.values())))
    shown: list[PlayedGame] = []
    for name, since in games:
        if name in results:
            shown.append(_finished(name, since, results[name], found.id, names, lang))
        elif name in running:
            shown.append(_running(running[name], since, found.id, names, key))
    ratings = await asyncio.to_thread(_ratings, service.results, found.id, lang)
    luck = await asyncio.to_thread(service.luck.load_luck, list(results))
    tallies = _tallies(found.id, results, luck)
    body = found.body
    return OwnProfile(found.id, body.name, body.colour, body.picture, ratings, found.since, shown, tallies)


def _profiles(results: Iterable[Result], tables: Iterable[Table]) -> set[str]:
    """The ids of all profiles that played."""
    over = {who[len(PERSON) :] for result in results for who in result.who if who.startswith(PERSON)}
    return over | {seat.profile for table in tables for seat in table.seats if seat.profile}


def _running(table: Table, since: float, profile: str, names: Mapping[str, StoredProfile], key: str) -> PlayedGame:
    mine = [i for i, seat in enumerate(table.seats) if seat.profile == profile]
    seats = [seat for seat in table.seats if seat.profile != profile]
    others = [names[seat.profile].body.name if seat.profile in names else seat.name for seat in seats]
    spec, token = table.game.spec, seat_token(key, table.id) if mine and table.actor != OVER else ""
    return PlayedGame(table.id, spec.id, headline(table.game), since, others, token=token, turn=table.actor in mine)


def _finished(
    table: str, since: float, result: Result, profile: str, names: Mapping[str, StoredProfile], lang: str
) -> PlayedGame:
    me = PERSON + profile
    mine = [value for value, who in zip(result.returns, result.who, strict=True) if who == me]
    seats = [(name, who[len(PERSON) :]) for name, who in zip(result.names, result.who, strict=True) if who != me]
    others = [names[profile].body.name if profile in names else name for name, profile in seats]
    why = WORDS.text(f"unrated.{result.why}", lang) if result.why else ""
    return PlayedGame(table, result.game, _title(result.game), since, others, _end(mine), why)


def _end(returns: Sequence[float]) -> End:
    """How a game ended for the seats of one person: won if one of them won."""
    best = max(returns, default=0.0)
    return "won" if best > 0 else "lost" if best < 0 else "drawn"


def _tallies(profile: str, results: Mapping[str, Result], luck: Mapping[str, Sequence[float]]) -> list[Tally]:
    """Finished games by game and strongest opponent: a person, or else the highest level. Games alone at a table are left out."""
    counts: Counter[tuple[str, str, str]] = Counter()
    gave: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    me = PERSON + profile
    for table, result in results.items():
        if not (against := _against(result, me)):
            continue
        if table in luck:  # seats of one person on one side have the same luck
            mine = [value for value, who in zip(luck[table], result.who, strict=True) if who == me]
            gave[result.game, against].append(sum(mine) / len(mine))
        end = _end([value for value, who in zip(result.returns, result.who, strict=True) if who == me])
        counts[result.game, against, end] += 1
    found = sorted({(game, against) for game, against, _ in counts}, key=lambda each: (each[0], -_rank(*each)))
    return [
        Tally(game, _title(game), against, sum(counts[game, against, end] for end in ("won", "lost", "drawn")),
                   counts[game, against, "won"], counts[game, against, "drawn"],
               len(gave[game, against]), round(math.fsum(gave[game, against]), 2) + 0.0)
        for game, against in found
    ]  # fmt: skip


def _against(result: Result, me: str) -> str:
    """The strongest opponent: "person", or else the highest level; "" for a game without opponents, or without me."""
    others = {who for who in result.who if who != me}
    if me not in result.who or not others:
        return ""
    levels = [who[len(LEVEL) :] for who in others if who.startswith(LEVEL)]
    return max(levels, key=lambda level: _rank(result.game, level)) if len(levels) == len(others) else "person"


def _rank(game: str, level: str) -> int:
    """A level's place among the levels of its game; persons come first."""
    spec = registry.specs().get(game)
    levels = list(list_levels(spec)) if spec else []
    return len(levels) if level == "person" else levels.index(level) if level in levels else -1


def _title(game: str) -> str:
    spec = registry.specs().get(game)
    return spec.title if spec else game


def _ratings(results: ResultStore, profile: str, lang: str) -> list[ProfileRating]:
    found = []
    for pool, rating in results.of_profile(profile):
        example = results.example(pool)
        found.append(ProfileRating(
            example.game, _title(example.game), example.seats, example.rules[lang], rating.points, rating.spread,
            rating.provisional, rating.games,
        ))  # fmt: skip
    return found
