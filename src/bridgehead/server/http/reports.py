"""Short studies of house rules ("Is this fair?"), and searches for better ones ("Mend the rules").

They share a queue, and run one at a time in workers with low priority. Their answers are stored as files.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Awaitable, Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.extras import is_installed
from bridgehead.core.game import Game
from bridgehead.core.installed import call_workshop
from bridgehead.core.own_boards import headline, leave_signature
from bridgehead.core.phrases import ENGLISH, languages, phrase
from bridgehead.core.validation import ready
from bridgehead.core.version import __version__
from bridgehead.players.levels import fingerprint
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.pages import show_page
from bridgehead.server.http.routes import HttpError, Reply, game_of, refusal, route
from bridgehead.server.jobs.worker_pool import LongWork, Studies, WorkerPool
from bridgehead.server.messages.analyses import StudyBegun
from bridgehead.server.messages.lab import (
    LONGEST,
    FavouredSeat,
    LabFigure,
    LabFound,
    LabGoing,
    LabLight,
    LabReport,
    LabReports,
    LabStudy,
    Light,
    LongerWish,
    Mending,
    MendWish,
    RulesFound,
    StudyWish,
)
from bridgehead.server.messages.tables import GameWish
from bridgehead.server.rooms.views import rule_line

PIECE, FIRST = 120.0, 400.0  # seconds for a request to the worker; and for the first ones, which may compile the rules
HANDS = min(2, os.cpu_count() or 1)  # processes that play a study
EACH = 2.0  # seconds of play in one request
PATIENT = 900.0  # seconds of a study in the background
PLAYED = 45.0  # seconds after which no game starts, provided that players of each strength have played
UNWANTED = 150.0  # seconds without a request after which a study is cancelled; browsers let a hidden page ask once a minute
QUEUE = 5  # studies in progress, with waiting ones
KEPT = 100  # reports; the oldest are deleted
FOUND = "mended.json"  # the answer of a search, in every language
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"


class StudyProgress(NamedTuple):
    """How far a study is, as the workshop says it."""

    done: int = 0  # games
    of: int = 0  # games that are planned
    some: bool = False  # each strength has played
    lights: Iterable[tuple[int, Light]] = ()
    favoured: Any = None


class RuleSearchProgress(NamedTuple):
    """How far a search is, as the workshop says it."""

    stage: Literal["search", "confirm"] = "search"
    settings: int = 0
    done: int = 0  # games
    wanted: int = 1
    finished: int = 0  # settings whose games are all done


class RunningStudy(LongWork):
    """A study in progress. far: its progress; playing: it does not wait for an earlier one; longer: it plays in the background,
    so many steps longer than a short one.

    Between two pieces of a patient study others take their turn. It goes on when nobody asks for it.
    """

    far, playing = StudyProgress(), False

    def __init__(self, asker: str, game: Game, longer: int = 0) -> None:
        super().__init__(asker)
        self.game, self.longer = game, longer

    @property
    def patient(self) -> bool:
        """Whether it plays in the background."""
        return self.longer > 0

    @property
    def state(self) -> Literal["waiting", "playing"]:
        return "playing" if self.playing else "waiting"


class RunningSearch(RunningStudy):
    """A search for better house rules in progress."""

    progress = RuleSearchProgress()


class Labs(Studies[RunningStudy]):
    """All studies. folder: for reports; None: a temporary folder."""

    bug = "server:error.these_rules_could_not_studied"

    def __init__(self, folder: Path | None) -> None:
        super().__init__(WorkerPool(HANDS, PIECE, compiled=True))
        self._own = tempfile.mkdtemp() if folder is None else ""
        self.folder = folder or Path(self._own)
        self.turn = asyncio.Lock()

    def begin(self, game: Game, plan: str, asker: str, longer: int = 0) -> str:
        """Start a study, unless there is one; returns its key. Errors: BridgeheadError for too many, or without the lab extra."""
        key = _key(game, plan)
        if not (self.report(key) or self.runs(key, asker, longer > 0)):
            going = RunningStudy(asker, game, longer)
            self.start(key, going, self._study(key, plan, game, going))
        return key

    def mend(self, game: Game, text: str, asker: str) -> str:
        """Start a search for better house rules, unless there is one; returns its key. Errors: as `begin`."""
        key = _key(game, text)
        if not (self.runs(key, asker) or (self.folder / key / FOUND).exists()):
            going = RunningSearch(asker, game)
            self.start(key, going, self._search(key, text, going))
        return key

    def runs(self, key: str, asker: str, patient: bool = False) -> bool:
        """Whether this study is in progress; if not, there is room for one: of each kind one for each asker. Errors:
        BridgeheadError for too many, or without the lab extra."""
        if not is_installed("lab"):
            raise BridgeheadError("server:error.lab_not_installed_server")
        under_way = self.under_way()
        if self.going.get(key) in under_way:
            return True
        if any((each.asker, each.patient) == (asker, patient) for each in under_way) or len(under_way) >= QUEUE:
            raise BridgeheadError("server:error.too_many_studies_under_way")
        self.going = {each: going for each, going in self.going.items() if going in under_way}
        return False

    def report(self, key: str, language: str = ENGLISH) -> Path | None:
        """The file of a finished report in a language; in English where an older release made it."""
        files = [self.folder / key / file_name(each) for each in (language, ENGLISH)]
        return next(filter(Path.exists, files), None) if (self.folder / key / "told.json").exists() else None

    def progress(self, key: str) -> LabStudy:
        """The progress of a study. Errors: as `asked`."""
        if self.report(key):
            made = _read(self.folder / key)
            return LabStudy("done", 1, 1, 0, made.lights, f"/lab/{key}", made.favoured)
        going = self.find_study(key)
        lights, favoured = _lights(going.far.lights), _favoured(going.far.favoured)
        return LabStudy(going.state, going.far.done, going.far.of, self.before(key), lights, "", favoured)

    def list_going(self) -> list[LabGoing]:
        """The studies in the background that are in progress."""
        going = [(key, each.game) for key, each in self.going.items() if each.patient and not each.task.done()]
        return [LabGoing(key, headline(game), _rules_of(game)) for key, game in going]

    def before(self, key: str) -> int:
        """The number of studies in the queue before one in progress."""
        return 0 if self.going[key].playing else list(self.going).index(key)

    def reports(self) -> list[LabReport]:
        """The stored reports, newest first."""
        found = []
        for file in self.folder.glob("*/told.json"):
            with contextlib.suppress(OSError, msgspec.DecodeError):  # a report that is being deleted or is damaged is not shown
                found.append(_read(file.parent))
        return sorted(found, key=lambda each: (-each.made, each.key))

    def find_report(self, game: Game) -> LabReport | None:
        """The newest report on a game under these house rules, whatever its board is called. Reads files: call it in a thread."""
        wanted = game.spec.id, leave_signature(game.differences)
        return next((each for each in self.reports() if (each.game, leave_signature(each.options)) == wanted), None)

    async def stop(self) -> None:
        await super().stop()
        if self._own:
            shutil.rmtree(self._own, ignore_errors=True)

    async def _study(self, key: str, text: str, game: Game, going: RunningStudy) -> None:
        folder = self.folder / key
        async with contextlib.nullcontext() if going.patient else self.turn:
            going.playing = True
            folder.mkdir(parents=True, exist_ok=True)
            if not await self._play(key, going, text, folder):
                return
            names = {language: file_name(language) for language in languages()}
            more = key if 0 <= going.longer < LONGEST else ""
            written = await self.step(key, call_workshop, "studies", "write_reports", text, str(folder), names, more)
        made = LabReport(
            key, game.spec.id, headline(game), _rules_of(game), int(time.time()), written.verdict, _lights(written.lights),
            written.games, _favoured(written.favoured), game.differences, going.longer,
            [LabFigure(*each) for each in written.figures],
        )  # fmt: skip
        (folder / "told.json").write_bytes(msgspec.json.encode(made))
        self.tidy(folder)

    async def _play(self, key: str, going: RunningStudy, text: str, folder: Path) -> bool:
        """Play until the study is complete or its time is up; False if it was abandoned: no request for UNWANTED seconds."""
        spent, longest = 0.0, PATIENT * going.longer if going.patient else PLAYED
        while not spent or (going.far.done < going.far.of and not (going.far.some and spent > longest)):
            if not going.patient and time.monotonic() - going.wanted > UNWANTED:
                return False
            async with self.turn if going.patient else contextlib.nullcontext():
                began = time.monotonic()
                if not spent:
                    going.far = await self.step(
                        key, call_workshop, "studies", "continue_study", text, str(folder), 0.0, patience=FIRST
                    )
                else:
                    patience = PIECE if going.far.some else FIRST
                    hands = [self._hand(key, text, folder, which, patience) for which in range(HANDS)]
                    going.far, *_ = await asyncio.gather(*hands)
                spent += max(time.monotonic() - began, 1e-9)
        return True

    def _hand(self, key: str, text: str, folder: Path, which: int, patience: float) -> Awaitable[StudyProgress]:
        """One of the processes that play a study plays its own games for some seconds."""
        return self.step(
            f"{key} {which}", call_workshop, "studies", "continue_study", text, str(folder), EACH, which, HANDS, patience=patience
        )

    async def _search(self, key: str, text: str, going: RunningSearch) -> None:
        folder, done = self.folder / key, False
        async with self.turn:
            going.playing = True
            folder.mkdir(parents=True, exist_ok=True)
            while not done:
                if time.monotonic() - going.wanted > UNWANTED:
                    return
                going.progress, done = await self.step(
                    key, call_workshop, "searches", "continue_rule_search", text, str(folder), FOUND, EACH, patience=FIRST
                )
        for runs in folder.iterdir():
            if runs.is_dir():
                shutil.rmtree(runs, ignore_errors=True)
        self.tidy(folder)

    def tidy(self, folder: Path) -> None:
        """Delete the games of a study, and the oldest reports."""
        shutil.rmtree(folder / "parts", ignore_errors=True)
        for name in ("plan.json", "players.txt"):
            (folder / name).unlink(missing_ok=True)
        busy = {self.folder / key for key, going in self.going.items() if not going.task.done()}
        folders = sorted((each for each in self.folder.iterdir() if each not in busy), key=lambda each: each.stat().st_mtime)
        for old in folders[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)


def file_name(language: str) -> str:
    """The file of a report in a language."""
    return "report.html" if language == ENGLISH else f"report-{language}.html"


def _key(game: Game, text: str) -> str:
    """The key of a study with this plan. Errors: OptionError for house rules that are hidden from players."""
    if house.find_hidden_options(game.options) & game.differences.keys():
        raise OptionError("server:error.what_hidden_from_players_not", "options")
    return hashlib.sha256(f"{__version__} {fingerprint(game.spec)} {text}".encode()).hexdigest()[:32]


def _lights(found: Iterable[tuple[int, Light]]) -> list[LabLight]:
    return [LabLight(number, light) for number, light in found]


def _favoured(found: Any) -> FavouredSeat | None:
    return None if found is None else FavouredSeat(found.seat, found.names)


def _rules_of(game: Game) -> dict[str, str]:
    """The house rules in each language."""
    return {language: rule_line(game, language) for language in languages()}


def _read(folder: Path) -> LabReport:
    stored = msgspec.json.decode((folder / "told.json").read_bytes())
    if isinstance(stored, dict) and isinstance(stored.get("verdict"), str):  # an older release wrote it in English alone
        stored["verdict"] = {ENGLISH: stored["verdict"]}
    return msgspec.convert(stored, type=ready(LabReport))


# Requests


@route("POST /api/labs", StudyBegun, StudyWish, limit="labs", status=202, pays="costly")
async def begin(request: Request, wish: StudyWish) -> StudyBegun:
    """Start a study of house rules; returns its key."""
    state, asker, game = request.app.state, address_of(request), await game_of(request, wish)
    rules, longer = house.canonical(game.options), int(wish.patient)
    plan = await state.films.ask(make_plan, game.spec.rules_id, rules, longer, asker=asker)
    return StudyBegun(state.labs.begin(game, plan, asker, longer))


@route("POST /api/labs/more", StudyBegun, LongerWish, limit="labs", status=202, pays="costly")
async def play_more(request: Request, wish: LongerWish) -> Reply | StudyBegun:
    """Play more games of a stored report in the background, in a study four times as long; returns its key."""
    state, asker, key = request.app.state, address_of(request), wish.key
    if state.labs.report(key) is None:
        return refusal(request, 404, phrase("server:error.no_study"), "key")
    made = _read(state.labs.folder / key)
    if not 0 <= made.longer < LONGEST:
        return refusal(request, 409, phrase("server:error.study_is_longest"), "key")
    game = await game_of(request, GameWish(made.game, options=made.options))
    rules = house.canonical(game.options)
    plan = await state.films.ask(make_plan, game.spec.rules_id, rules, made.longer + 1, asker=asker)
    return StudyBegun(state.labs.begin(game, plan, asker, made.longer + 1))


def make_plan(rules_id: str, rules: str, longer: int) -> str:
    """In a worker: the plan of a study, which takes a quarter of a second for a large board."""
    text: str = call_workshop("studies", "plan_short_study", registry.open_game(rules_id, rules), longer).text
    return text


@route("GET /api/labs/{key}", LabStudy)
async def study(request: Request) -> Reply | LabStudy:
    """The progress of a study; 404 for an unknown key."""
    try:
        found: LabStudy = request.app.state.labs.progress(request.path_params["key"])
    except (KeyError, OSError):
        return refusal(request, 404, phrase("server:error.no_study"), "key")
    return found


@route("GET /api/labs", LabReports)
async def reports(request: Request) -> LabReports:
    """The stored reports."""
    labs: Labs = request.app.state.labs
    found = [brief(each) for each in await asyncio.to_thread(labs.reports)]
    return LabReports(found, labs.list_going())


@route("POST /api/labs/find", LabFound, GameWish, limit="boards", pays="costly")
async def find_report(request: Request, wish: GameWish) -> LabFound:
    """The newest report on a game under these house rules."""
    made = await asyncio.to_thread(request.app.state.labs.find_report, await game_of(request, wish))
    return LabFound(made and msgspec.structs.replace(made, options={}))


def brief(report: LabReport) -> LabReport:
    """A report for a list: boards are long, and stay in the file."""
    return msgspec.structs.replace(report, options={}, figures=[])


@route("GET /lab")
async def page(request: Request) -> Response:
    """The page with the list of reports, which it requests."""
    return show_page(request, "lab.html")


@route("GET /lab/{key}")
async def report(request: Request) -> Response:
    """A report: a page without scripts that loads nothing."""
    key = request.path_params["key"]
    file = request.app.state.labs.report(key, language(request)) if len(key) == 32 and key.isalnum() else None
    if file is None:
        raise HttpError(404, "no_report")
    return FileResponse(file, media_type="text/html", headers={"content-security-policy": POLICY})


@route("POST /api/mendings", StudyBegun, MendWish, limit="labs", status=202, pays="costly")
async def mend(request: Request, wish: MendWish) -> StudyBegun:
    """Start a search for better house rules; returns its key."""
    state, asker, game = request.app.state, address_of(request), await game_of(request, wish)
    rules = house.canonical(game.options)
    text = await state.films.ask(make_request, game.spec.rules_id, rules, wish.wishes, wish.boards, asker=asker)
    return StudyBegun(state.labs.mend(game, text, asker))


def make_request(rules_id: str, rules: str, wishes: str, boards: bool) -> str:
    """In a worker: the request of a search. Errors: OptionError for wishes that cannot be."""
    text: str = call_workshop("searches", "request_text", registry.open_game(rules_id, rules), wishes, boards)
    return text


@route("GET /api/mendings/{key}", Mending)
async def mending(request: Request) -> Reply | Mending:
    """The progress of a search, and its answer; 404 for an unknown key."""
    labs: Labs = request.app.state.labs
    key = request.path_params["key"]
    file = labs.folder / key / FOUND
    if key not in labs.going and len(key) == 32 and key.isalnum() and file.exists():
        found = msgspec.json.decode(file.read_bytes())[language(request)]
        return Mending("done", "confirm", 0, 1, 1, 0, msgspec.convert(found, type=ready(RulesFound)))
    try:
        going = labs.find_study(key)
    except KeyError:
        return refusal(request, 404, phrase("server:error.no_study"), "key")
    now: RuleSearchProgress = getattr(going, "progress", RunningSearch.progress)
    return Mending(going.state, now.stage, now.settings, now.done, now.wanted, labs.before(key), finished=now.finished)
