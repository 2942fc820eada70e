"""Routes: a function that answers requests declares its path, body, answer and rate limit with `route`."""

from __future__ import annotations

import re
import zlib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError, UnknownGame, convert_error
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, languages, phrase, sentence
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready
from bridgehead.server.connections.requests import JSON, address_of, language
from bridgehead.server.jobs.worker_pool import WorkerLost
from bridgehead.server.messages.client import HouseRules
from bridgehead.server.messages.tables import GameWish, ProblemView
from bridgehead.server.rooms.replays import GZIP
from bridgehead.server.storage.event_log import StorageError
from bridgehead.server.tables.table import Table

if TYPE_CHECKING:
    from starlette.requests import Request as Request

    from bridgehead.server.connections.effort import Share
    from bridgehead.server.people.people import People
else:
    Request = Any  # the static site answers requests without Starlette

PIECE = 65_536  # bytes
# Parameters of a query.
LANG = {"name": "lang", "in": "query", "schema": {"enum": [*languages()]}}
OPTIONS = {"name": "options", "in": "query", "schema": {"type": "string"}, "description": "house rules as a JSON object"}
T = TypeVar("T")
Function = TypeVar("Function", bound=Callable[..., Awaitable[Any]])


class HttpError(Exception):
    """A request that is refused: its status, and one of the server's sentences by its key."""

    def __init__(self, status: int, key: str | Phrase, **params: object) -> None:
        self.status_code = status
        self.phrase = key if isinstance(key, Phrase) else Phrase(f"server:error.{key}", params)
        super().__init__(status, sentence(self.phrase))


class Reply(NamedTuple):
    """An answer to a request. content: the whole, or its pieces."""

    content: bytes | str | Iterator[bytes]
    status: int = 200
    media: str = JSON
    headers: Mapping[str, str] = {}


QueryParameter = dict[str, Any]  # as OpenAPI describes it


class Route(NamedTuple):
    """A request and its answer, for `app`, which serves it, and `openapi`, which describes it.

    answer, body: their structs; a body may also be `str`, a record or a link. raw: the function takes the body undecoded.
    long: the body contains a record.
    query: parameters as JSON schemas; limit: the field of `Limits` that bounds the requests of one address a minute;
    pays: the budget that pays, by default "codes" if the path names a table, else "pages"; stores: it is refused to an address
    that has stored too much.
    """

    method: str
    path: str
    function: Callable[..., Awaitable[Any]]
    answer: Any = None
    body: Any = None
    query: tuple[QueryParameter, ...] = ()
    limit: str = ""
    status: int = 200
    media: str = JSON
    raw: bool = False
    long: bool = False
    pays: Share | None = None
    stores: bool = False

    @property
    def share(self) -> Share:
        return self.pays or ("codes" if "{table}" in self.path else "pages")

    async def run(self, request: Request, body: bytes) -> Any:
        """Decode the body and call the function. Returns a `Reply`, or another whole response. Errors: those of both."""
        given: list[Any] = []
        if self.body is not None:
            given = [body if self.raw else _text(body) if self.body is str else msgspec.json.decode(body, type=ready(self.body))]
        if self.stores:
            may_store(request)
        made = await self.function(request, *given)
        return Reply(msgspec.json.encode(made), self.status) if isinstance(made, msgspec.Struct) else made


ROUTES: list[Route] = []


def route(request: str, answer: Any = None, body: Any = None, **more: Any) -> Callable[[Function], Function]:
    """Register a function for requests: "GET /path". It takes the decoded body as its second argument. more: of `Route`."""

    method, path = request.split()

    def register(function: Function) -> Function:
        ROUTES.append(Route(method, path, function, answer, body, **more))
        return function

    return register


def share_of(routes: Sequence[Route]) -> Callable[[str, str], Share]:
    """A function that gives the budget which pays for a request, by method and path. The first route that fits counts.

    Files are in no route.
    """
    paths = [re.sub(r"\\{[a-z]+\\}", "[^/]+", re.escape(each.path)) for each in routes]
    pattern = re.compile("|".join(f"({each.method} {path})" for each, path in zip(routes, paths, strict=True)))

    def share(method: str, path: str) -> Share:
        found = pattern.fullmatch(f"{'GET' if method == 'HEAD' else method} {path}")
        if found and found.lastindex:
            return routes[found.lastindex - 1].share
        return "files" if path.startswith("/static/") else "pages"

    return share


# Reading requests


def check_rate_limit(request: Request, limit: str) -> None:
    """Apply a rate limit to the address. Errors: 429."""
    if not request.app.state.asked[limit].may(address_of(request)):
        raise HttpError(429, "many_requests")


def may_store(request: Request) -> None:
    """Check that the address may store something. Errors: 429."""
    if request.app.state.effort.disk.is_spent(address_of(request)):
        raise HttpError(429, "much_stored")


def _text(body: bytes) -> str:
    """A record or a link. Errors: BridgeheadError."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BridgeheadError("server:error.record_text_utf_8", phrase("error.byte", number=error.start)) from None


async def run_thread_job(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Compute in a thread, in the turn of the request's address. Errors: those of the function."""
    done: T = await request.app.state.chores.run_in_turn(address_of(request), work, *given)
    return done


def find_asked_game(request: Request) -> Spec:
    """The game in the path. Errors: 404."""
    try:
        return registry.spec(request.path_params["game"])
    except UnknownGame as error:
        raise HttpError(404, error.whole) from None


async def asked_table(request: Request, code: str = "") -> Table:
    """The table of a code, by default the one in the path. Errors: 404; 429 for an address with too many wrong codes."""
    misses, address = request.app.state.manager.misses, address_of(request)
    name = (code or request.path_params["table"]).upper()
    if not misses.may(address, name):
        raise HttpError(429, "many_codes")
    table: Table | None = await request.app.state.tables.find(name, address)
    if table is None:
        raise HttpError(404, "no_table")
    misses.hit(address, name)
    return table


async def named_table(request: Request) -> Table | None:
    """The table that the query names (`table`, `of`), of the game in the path; None if it names none.

    Errors: as `asked_table`; 404 for a table of another game.
    """
    spec, query = find_asked_game(request), request.query_params
    if not (code := query.get("of") or query.get("table")):
        return None
    table = await asked_table(request, code)
    if table.game.spec.id != spec.id:
        raise HttpError(404, "no_table")
    return table


def people(request: Request) -> People:
    """The services for profiles, ratings and tournaments."""
    found: People = request.app.state.people
    return found


async def game_of(request: Request, wish: GameWish) -> Game:
    """A game with house rules. Errors: UnknownGame, OptionError, BoardError, WorkerLost."""
    game: Game = await request.app.state.games.game(wish.game, wish.preset, wish.options, address_of(request))
    return game


def asked_rules(request: Request) -> GameWish:
    """The game in the path under the house rules in the query. Errors: 404, OptionError."""
    spec = find_asked_game(request)
    try:
        return GameWish(spec.id, "", msgspec.json.decode(request.query_params.get("options", "{}").encode(), type=HouseRules))
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise OptionError("server:error.house_rules_json_object", "options") from None


# Answers


def refusal(request: Request, status: int, problem: Phrase | str, where: Phrase | str) -> Reply:
    """The answer to a refused request: a sentence, and the place of the error."""
    error, place = (sentence(each, language(request)) for each in (problem, where))
    return Reply(msgspec.json.encode(ProblemView(error, place)), status)


def failure(error: Exception, path: str) -> tuple[int, Phrase, Phrase | str]:
    """The status, the sentence and the place of an error that a route raised."""
    if isinstance(error, HttpError):
        return error.status_code, error.phrase, path
    status = 404 if isinstance(error, UnknownGame) else 503 if isinstance(error, (StorageError, WorkerLost)) else 400
    found = BridgeheadError("server:error.nested") if isinstance(error, RecursionError) else convert_error(error)
    return status, found.phrase, found.place


def download(content: bytes | str, table: Table, ending: str, media: str = JSON) -> Reply:
    """An answer about a table that a browser saves as a file."""
    name = f'attachment; filename="{table.game.spec.id}-{table.id}{ending}"'
    return Reply(content, media=media, headers={"content-disposition": name})


def packed_json(request: Request, packed: bytes) -> Reply:
    """An answer from data compressed by gzip."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Reply(packed, headers={"content-encoding": "gzip"})
    return Reply(_unpacked(packed))


def _unpacked(packed: bytes) -> Iterator[bytes]:
    """Decompress piece by piece, because the whole may be a hundred times larger."""
    press, left = zlib.decompressobj(wbits=GZIP), packed
    while left:
        yield press.decompress(left, PIECE)
        left = press.unconsumed_tail
