"""All that a game shows and says in random positions, as text. It runs in this Python and in the site's."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import inspect
import json
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import msgspec

from bridgehead.core import options as house
from bridgehead.core import record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game, Position
from bridgehead.core.match import Match
from bridgehead.core.phrases import languages, sentence
from bridgehead.players import analysis
from bridgehead.players.advice import Adviser
from bridgehead.players.engine import engine
from bridgehead.players.thoughts import Limit
from bridgehead.server.http import rules_in_force

LANGUAGES = languages()
PROBES = 4  # actions at random whose refusal is asked for
LONGEST = 60  # actions of a game
CREATED = 201  # the status of the answer to a wish for a table
PATIENCE = 120.0  # seconds until a host must answer a page
OWN = ("table", "mark", "sealed")  # of a view: what differs from table to table
ENDLESS = 1e9  # seconds: only counts end a search here


def opened(name: str, options: str) -> Game:
    """The game under house rules as JSON."""
    spec = registry.specs()[name]
    return Game(spec, house.build(spec, "", json.loads(options)))


def walked(game: Game, seed: int) -> Match:
    """A random game, or its beginning."""
    rng, match = random.Random(seed), Match(game)
    for _ in range(LONGEST):
        match.deal(SeededDealer(seed))
        if match.outcome:
            break
        match.play(rng.choice(match.position.legal))
    return match


def positions(name: str, options: str, seed: int) -> list[str]:
    """A text for each position of a random game: state, view, sentences, refusals."""
    game, rng = opened(name, options), random.Random(f"{seed} probes")
    return [_position(each, rng) for each in walked(game, seed).positions]


def _position(position: Position, rng: random.Random) -> str:
    game, scene = position.game, position.game.spec.scene
    language = LANGUAGES[rng.randrange(len(LANGUAGES))]
    asked = [rng.randrange(game.action_count) for _ in range(PROBES)]
    shown = [
        position.text, position.state.tobytes().hex(), position.actor, list(position.legal), list(position.weights),
        [_refused(position, action, language) for action in asked],
        scene.picture(game, language), scene.items(position, language), scene.choices(position, language),
        scene.plates(position, language), position.outcome and list(position.outcome.returns),
    ]  # fmt: skip
    return _digest(shown)


def _refused(position: Position, action: int, language: str) -> str:
    try:
        refusal = position.explain(action)
        said = refusal and (refusal.clause, position.game.words.tell(refusal.phrase, language), refusal.show)
        return f"{said} {position.name(action)}"
    except BridgeheadError as error:
        return sentence(error.whole, language)


def perft(name: str, options: str, depth: int) -> int:
    """The number of sequences of so many actions."""

    def count(position: Position, more: int) -> int:
        if not more or position.is_over:
            return int(not more)
        return sum(count(position.after(action), more - 1) for action in position.legal)

    return count(opened(name, options).start(), depth)


def replayed(text: str) -> str:
    """A record read and written again, with the text of each position."""
    match, names = record.load(text)
    return hashlib.sha256("\n".join([record.dump(match, names), *(each.text for each in match.positions)]).encode()).hexdigest()


def applied(text: str) -> list[list[str]]:
    """The clauses that applied each action of a record."""
    return rules_in_force.list_used_clauses(record.load(text)[0])


def hinted(name: str, options: str, seed: int, effort: int, step: int) -> list[str]:
    """Hints with a fixed seed, in every so many decisions of a random game."""
    match = walked(opened(name, options), seed)
    decisions = [each for each in match.positions if each.actor >= 0][::step]
    return [_digest(Adviser(each, _people(match), "de", ENDLESS, seed, effort=effort).advise()) for each in decisions]


def studied(name: str, options: str, seed: int, effort: int) -> list[str]:
    """The analysis of a random game, for each of its positions: the step from there; for the last one the whole analysis."""
    match = walked(opened(name, options), seed)
    found = analysis.study(match, _people(match), effort=effort, seed=seed)
    return [_digest(each) for each in (*found.steps, found)]


def _people(match: Match) -> list[str]:
    return [f"Person {i + 1}" for i in range(match.game.seats)]


def _digest(found: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(found)).hexdigest()


def ended(seed: int, nodes: int) -> list[Any]:
    """What alpha-beta expects in a random position of 40 Bridges with few pieces, where it finds endgame tables."""
    game, rng = registry.game("forty_bridges"), random.Random(seed)
    fields = [
        f"{column}{row}" for columns, rows in (("abcde", 5), ("ABCD", 4)) for column in columns for row in range(1, rows + 1)
    ]
    while True:
        count, own = rng.randrange(3, 8), rng.randrange(1, 3)
        chosen = rng.sample(fields, count)
        with contextlib.suppress(BridgeheadError):
            position = game.load(f"{','.join(chosen[:own])} {','.join(chosen[own:])} {rng.choice('ab')} 60 0 - - -")
            if not position.is_over:
                break
    found = engine(position.game).rank_actions(position, Limit(nodes=nodes)).candidates
    return [position.text, *([each.action, each.expected[position.actor]] for each in found)]


class Forgetful:
    """A browser that keeps nothing: its tables last as long as their host."""

    async def rows(self, table: str) -> str:
        return "[]"

    async def keep(self, rows: str) -> None:
        """Nothing to do."""

    def help(self, number: int) -> bool:
        """It has no page."""
        return False


async def tabled(name: str, wish: str, decisions: int) -> list[str]:
    """What the host of a browser answers to a wish for a table of people, its page's views, and the record after some decisions.

    wish: the rest of the body of `POST /api/tables`, as JSON. The people choose at random.
    """
    from bridgehead.site.host import BrowserHost

    host, rng, messages = BrowserHost(Forgetful(), pace=0), random.Random(wish), asyncio.Queue[Any]()
    status, _, content = await host.request("POST", "/api/tables", json.dumps({"game": name, "seed": 11, **json.loads(wish)}))
    made = json.loads(content)
    if status != CREATED:
        return [f"{status} {made['error']}"]
    page = host.connect(lambda text: messages.put_nowait(json.loads(text or "null")))
    page.receive(json.dumps({"t": "hello", "p": 1, "table": made["table"], "lang": "de", "tokens": made["tokens"]}))
    shown: list[str] = []
    version = -1
    while len(shown) <= decisions:
        view = await _newer(messages, version)
        version = view["v"]
        shown.append(json.dumps({each: value for each, value in view.items() if each not in OWN}))
        if not (choices := view.get("choices")):
            break
        action = rng.choice(choices)["action"]
        page.receive(json.dumps({"t": "act", "k": f"{len(shown):032x}", "v": version, "a": action}))
    _, _, text = await host.request("GET", f"/api/tables/{made['table']}/record")
    page.close()
    await page.serving
    await host.close()
    return [hashlib.sha256("\n".join(shown).encode()).hexdigest(), _moves(text.decode())]


async def _newer(messages: asyncio.Queue[Any], version: int) -> dict[str, Any]:
    """The page's next view of a later version."""
    while True:
        message = await asyncio.wait_for(messages.get(), PATIENCE)
        assert message and message["t"] != "rej", message
        if message["t"] == "view" and message["v"] > version:
            return dict(message)


def _moves(text: str) -> str:
    """A record without what differs from table to table. It is read and replayed by the rules."""
    match, _ = record.load(text)
    return record.dump(match)


CALLS: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (positions, perft, replayed, applied, hinted, studied, ended, tabled)
}


def answers(asked: list[list[Any]]) -> list[Any]:
    """The answers to calls, each a name and its arguments."""
    found = [CALLS[name](*given) for name, *given in asked]
    with ThreadPoolExecutor(1) as pool:  # a browser in the same process keeps a loop running in this thread
        return pool.submit(copy_context().run, asyncio.run, _awaited(found)).result()


async def _awaited(found: list[Any]) -> list[Any]:
    return [await each if inspect.isawaitable(each) else each for each in found]


async def answers_there(asked: str) -> str:
    """The same in the site's Python, as JSON: modules of compiled rules are loaded when a search wants them."""
    from bridgehead.site.pool import compute_here

    return json.dumps(await _awaited([await compute_here(CALLS[name], *given) for name, *given in json.loads(asked)]))
