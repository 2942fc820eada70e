"""Analyses of finished games: computed in a worker, piece by piece, once for all requests, and stored as files."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from cachetools import LRUCache

from bridgehead.core import link, registry
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.core.phrases import phrase
from bridgehead.core.validation import ready
from bridgehead.core.version import __version__
from bridgehead.players import analysis, report
from bridgehead.players.levels import fingerprint
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.routes import LANG, Reply, Request, packed_json, refusal, route
from bridgehead.server.jobs.worker_pool import LongWork, SearchPool, Studies, WorkerPool
from bridgehead.server.messages.analyses import Analysis, StudyBegun
from bridgehead.server.rooms.replays import GZIP

EACH = 6  # actions in one request to the worker
PIECE, FIRST = 60.0, 300.0  # time limit of a request, in seconds; and of the first one, which may compile the rules
LONGEST = 3000  # actions of a game that is analysed, at most
UNWANTED = 120.0  # seconds without a request after which an analysis is cancelled
AT_ONCE = 32  # analyses in progress
KEPT, FILES = 64, 1000  # analyses in memory, and as files
Steps = list[analysis.AnalysisStep]


@functools.cache
def _of() -> str:
    """Everything that an analysis depends on besides the record."""
    players = [fingerprint(spec) for spec in registry.specs().values()]
    return f"{__version__} {analysis.FORMAT} {analysis.EFFORT} {players}"


class RunningAnalysis(LongWork):
    """An analysis in progress. of: the number of actions, 0 while unknown."""

    done = of = 0


class Analyses(Studies[RunningAnalysis]):
    """All analyses. folder: for files, or None. debt: seconds for which those of an address wait for its share."""

    bug = "server:error.game_could_not_analysed"
    at_once = 1  # pieces of an analysis in progress; each step depends on the record alone, so their order changes nothing

    def __init__(self, folder: Path | None, debt: Callable[[str], float], pool: type[WorkerPool] = WorkerPool) -> None:
        self.search = SearchPool(1, PIECE, pool)
        super().__init__(self.search)
        self.folder, self.debt = folder, debt
        self._kept: LRUCache[str, tuple[str, bytes]] = LRUCache(KEPT)  # by key: the record and its analysis

    def begin(self, text: str, asker: str) -> str:
        """Start an analysis, unless there is one; returns its key. Errors: BridgeheadError for too many."""
        key = hashlib.sha256(f"{_of()} {text}".encode()).hexdigest()[:32]
        if key in self._kept or self._read(key, text):
            return key
        for failed in [each for each, going in self.going.items() if going.error][:-AT_ONCE]:
            del self.going[failed]
        if key not in self.going or self.going[key].error:
            if len(self.under_way()) >= AT_ONCE:
                raise BridgeheadError("server:error.too_many_games_being_analysed")
            going = RunningAnalysis(asker)
            self.start(key, going, self._study(key, text, going))
        return key

    async def find_analysis(self, key: str, wanted: str, asker: str) -> bytes | RunningAnalysis:
        """A compressed analysis in a language, or its progress. Errors: as `asked`."""
        if key in self._kept:
            return await self.search.light.ask(word_study, *self._kept[key], wanted, asker=asker)
        return self.find_study(key)

    async def _study(self, key: str, text: str, going: RunningAnalysis) -> None:
        going.of, game = await self.search.light.ask(measure, text, asker=going.asker)
        workers = await self.search.choose(*game, going.asker)
        pieces, found = iter(range(0, going.of, EACH)), dict[int, Steps]()
        some = [asyncio.ensure_future(self._pieces(text, going, pieces, found, workers)) for _ in range(self.at_once)]
        try:
            await asyncio.gather(*some)
        finally:
            for each in some:
                each.cancel()
        if going.done == going.of:
            steps = [step for _, piece in sorted(found.items()) for step in piece]
            self._keep(key, text, await workers.ask(join_steps, text, steps, asker=going.asker))

    async def _pieces(
        self, text: str, going: RunningAnalysis, pieces: Iterator[int], found: dict[int, Steps], workers: WorkerPool
    ) -> None:
        """Analyse one piece after another, as long as the analysis is wanted. pieces: where each begins, shared by several."""
        for begin in pieces:
            if time.monotonic() - going.wanted >= UNWANTED:
                return
            await asyncio.sleep(min(UNWANTED, self.debt(going.asker)))
            piece = range(begin, min(begin + EACH, going.of))
            found[begin] = await workers.ask(part, text, piece, asker=going.asker, patience=PIECE if found else FIRST)
            going.done += len(piece)

    def _keep(self, key: str, text: str, study: bytes) -> None:
        self._kept[key] = text, study
        if self.folder is None:
            return
        with contextlib.suppress(OSError):  # the analysis can be computed again
            self.folder.mkdir(exist_ok=True)
            (self.folder / f"{key}.json").write_bytes(study)
            files = sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for file in files[:-FILES]:
                file.unlink()

    def _read(self, key: str, text: str) -> bool:
        if self.folder is None:
            return False
        try:
            study = (self.folder / f"{key}.json").read_bytes()
            msgspec.json.decode(study, type=ready(analysis.Study))
        except (OSError, msgspec.DecodeError):
            return False
        self._kept[key] = text, study
        return True


# In the worker


@functools.lru_cache(2)
def _opened(text: str) -> tuple[Match, list[str]]:
    return link.read(text)


def measure(text: str) -> tuple[int, tuple[str, str]]:
    """The number of actions of a record, its game and house rules.

    Errors: RecordError; BridgeheadError if the game is not over or too long.
    """
    match, _ = _opened(text)
    if match.outcome is None:
        raise BridgeheadError("server:error.game_analysed_when_over", "record")
    if not 0 < len(match.log) <= LONGEST:
        raise BridgeheadError("server:error.games_1_actions_analysed", "record", longest=LONGEST, count=len(match.log))
    return len(match.log), (match.game.spec.rules_id, house.canonical(match.game.options))


def part(text: str, piece: Sequence[int]) -> Steps:
    """The analysis of some actions."""
    return [analysis.step(_opened(text)[0], at) for at in piece]


def join_steps(text: str, steps: Steps) -> bytes:
    """The analysis of a game from the steps of all its actions."""
    match, names = _opened(text)
    return msgspec.json.encode(analysis.summarize_match(match, names, steps))


def word_study(text: str, study: bytes, wanted: str) -> bytes:
    """An analysis with sentences in a language, compressed by gzip."""
    match, _ = _opened(text)
    found = report.tell_analysis(match, msgspec.json.decode(study, type=ready(analysis.Study)), wanted)
    made = Analysis(len(match.log), len(match.log), **msgspec.structs.asdict(found))
    press = zlib.compressobj(4, wbits=GZIP)
    return press.compress(msgspec.json.encode(made)) + press.flush()


# Requests


@route("POST /api/analyses", StudyBegun, str, limit="studies", status=202, pays="costly")
async def begin(request: Request, text: str) -> StudyBegun:
    """Start the analysis of the record or link in the body; returns its key."""
    return StudyBegun(request.app.state.analyses.begin(text, address_of(request)))


@route("GET /api/analyses/{key}", Analysis, query=(LANG,), pays="costly")
async def study(request: Request) -> Reply | Analysis:
    """An analysis, or its progress; 404 for an unknown key."""
    try:
        found = await request.app.state.analyses.find_analysis(request.path_params["key"], language(request), address_of(request))
    except KeyError:
        return refusal(request, 404, phrase("server:error.no_analysis"), "key")
    return packed_json(request, found) if isinstance(found, bytes) else Analysis(found.done, found.of)
