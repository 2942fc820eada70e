"""The command line. Each command imports its heavy modules when it runs; its help is in the catalogue of the terminal."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from bridgehead.core import installed
from bridgehead.core.phrases import detect_language, sentence
from bridgehead.terminal.arguments import (
    ANY_SEED,
    SEEDS,
    UsageError,
    choice,
    complete_games,
    complete_levels,
    complete_rules,
    complete_seats,
    describe_usage_error,
    language,
    number,
)  # fmt: skip
from bridgehead.terminal.words import t

if TYPE_CHECKING:
    from bridgehead.core.game import Game
    from bridgehead.core.phrases import Phrase

# The commands as help shows them.
GROUPS = {
    "play": ("serve", "play", "games", "rules"),
    "host": ("tournament", "site", "backup", "restore", "drill", "prune", "audit", "ratings", "complaints"),
    "records": ("replay", "analyse", "film", "book", "verify", "verifier"),
    "study": ("lab", "tune", "random", "arena", "train", "puzzles", "endgames", "fortress", "perft"),
    "make": ("new-game", "print", "wasm", "completion"),
}
PLAIN: set[str] = set()  # commands that run the rules uncompiled


class Commands(TyperGroup):
    """All commands, in their groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        room = formatter.width - 6 - max(map(len, self.commands))
        for group, names in GROUPS.items():
            with formatter.section(t(f"help.group.{group}")):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(room)) for name in names])


app = typer.Typer(
    name="bridgehead",
    cls=Commands,
    help=t("help.app"),
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

SHELLS = ("bash", "zsh", "fish", "powershell")
COMPLETE = "_BRIDGEHEAD_COMPLETE"  # set by a shell that asks what completes a line
PAPERS = ("a4", "a3", "letter", "whole")
KINDS = ("swiss", "round_robin", "knock_out", "arena")

GameName = Annotated[
    str, typer.Argument(metavar="GAME", autocompletion=complete_games, help=", ".join(installed.list_game_names()))
]
Rules = Annotated[str, typer.Option(autocompletion=complete_rules, help=t("help.any.rules"))]
BoardFile = Annotated[str, typer.Option("--board", metavar="NAME|FILE", help=t("help.any.board"))]
AsJson = Annotated[bool, typer.Option("--json", help=t("help.any.json"))]
Seed = Annotated[int | None, number("--seed", "help.any.seed", **SEEDS)]
Language = Annotated[str, language()]


def command(name: str = "", plain: bool = False) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command whose help is the sentence `help.FUNCTION` of the catalogue. plain: it plays a few moves, as in `_plain`."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        PLAIN.update([name or function.__name__] if plain else [])
        return app.command(name or function.__name__, help=t(f"help.{function.__name__}"))(function)

    return register


@app.callback(invoke_without_command=True, help=t("help.root"))
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help=t("help.root.version"))] = False,
    lang: Language = "",
) -> None:
    """Without a command: `bridgehead serve`."""
    if version:
        from bridgehead.core.version import __version__

        print(f"bridgehead {__version__}")
        raise typer.Exit
    if context.invoked_subcommand in {*PLAIN, None}:
        _plain()
    if context.invoked_subcommand is None:
        serve()


@command(plain=True)
def games(as_json: AsJson = False) -> None:
    from bridgehead.terminal import shows

    shows.show_games(as_json, detect_language())


@command(plain=True)
def serve(
    host: Annotated[str, typer.Option(help=t("help.serve.host"))] = "127.0.0.1",
    port: Annotated[int, number("--port", "help.serve.port", least=0, most=65535)] = 8000,
    browser: Annotated[bool, typer.Option(help=t("help.serve.browser"))] = True,
    data: Annotated[Path | None, typer.Option(help=t("help.serve.data"))] = None,
    pace: Annotated[float, number("--pace", "help.serve.pace", least=0, most=10, kind=float)] = 0.45,
    database: Annotated[str, typer.Option(envvar="BRIDGEHEAD_DATABASE", metavar="URL", help=t("help.serve.database"))] = "",
    bus: Annotated[str, typer.Option(envvar="BRIDGEHEAD_BUS", metavar="URL", help=t("help.serve.bus"))] = "",
    webhooks: Annotated[bool, typer.Option(help=t("help.serve.webhooks"))] = False,
    webhooks_anywhere: Annotated[bool, typer.Option(help=t("help.serve.webhooks_anywhere"))] = False,
) -> None:
    from bridgehead.server.run import run

    run(host, port, data, browser, pace, database, bus, webhooks, webhooks_anywhere)


@command()
def backup(
    file: Annotated[Path, typer.Argument(help=t("help.backup.file"))],
    data: Annotated[Path | None, typer.Option(help=t("help.backup.data"))] = None,
) -> None:
    from bridgehead.server.storage.backup import save

    print(save(file, data))


@command()
def restore(
    file: Annotated[Path, typer.Argument(help=t("help.restore.file"))],
    data: Annotated[Path | None, typer.Option(help=t("help.restore.data"))] = None,
) -> None:
    from bridgehead.server.storage.backup import put_back

    print(put_back(file, data))


@command(plain=True)
def drill(file: Annotated[Path, typer.Argument(help=t("help.restore.file"))]) -> None:
    from bridgehead.server import drill as drills

    for step in drills.run(file):
        print(f"{step.seconds:8.2f} s  {sentence(step.what, detect_language())}", flush=True)


@command(plain=True)
def prune(
    data: Annotated[Path | None, typer.Option(help=t("help.serve.data"))] = None,
    database: Annotated[str, typer.Option(envvar="BRIDGEHEAD_DATABASE", metavar="URL", help=t("help.prune.database"))] = "",
    unplayed: Annotated[float, number("--unplayed", "help.prune.unplayed", least=0, kind=float)] = 7,
    idle: Annotated[float, number("--idle", "help.prune.idle", least=0, kind=float)] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=t("help.prune.dry_run"))] = False,
) -> None:
    from bridgehead.server import run
    from bridgehead.server.storage.retention import Policy

    print(run.prune(data, database, Policy(unplayed, idle), dry_run))


@command(plain=True)
def ratings(
    data: Annotated[Path | None, typer.Option(help=t("help.serve.data"))] = None,
    database: Annotated[str, typer.Option(envvar="BRIDGEHEAD_DATABASE", metavar="URL", help=t("help.prune.database"))] = "",
    write: Annotated[bool, typer.Option("--write", help=t("help.ratings.write"))] = False,
) -> None:
    from bridgehead.server import run

    print("\n".join(run.ratings(data, database, write)))


@command(plain=True)
def complaints(
    data: Annotated[Path | None, typer.Option(help=t("help.serve.data"))] = None,
    database: Annotated[str, typer.Option(envvar="BRIDGEHEAD_DATABASE", metavar="URL", help=t("help.prune.database"))] = "",
    close: Annotated[list[str] | None, typer.Option("--close", metavar="ID", help=t("help.complaints.close"))] = None,
) -> None:
    from bridgehead.server import run

    print("\n".join(run.complaints(data, database, close or [])))


@command(plain=True)
def play(
    game: GameName,
    seats: Annotated[str, typer.Option(autocompletion=complete_seats, help=t("help.play.seats"))] = "",
    rules: Rules = "",
    board: BoardFile = "",
    seed: Seed = None,
    lang: Language = "",
    dealer: Annotated[str, choice("--dealer", "help.play.dealer", ("seed", "typed"))] = "seed",
    record: Annotated[Path | None, typer.Option(help=t("help.play.record"))] = None,
) -> None:
    from bridgehead.players import usual
    from bridgehead.terminal.play import Terminal, save

    kinds = [kind.strip() for kind in seats.split(",")] if seats else []
    made = _game(game, rules, board, len(kinds))
    kinds = kinds or ["human"] + [usual(made.spec)] * (made.seats - 1)
    table = Terminal(made, kinds, seed, _console(), lang, dealer == "typed")
    try:
        table.run()
    finally:
        if record is not None:
            save(table.match, table.seats, record, dealer == "typed")


@command(plain=True)
def rules(
    game: GameName,
    clause: Annotated[str, typer.Argument(metavar="[CLAUSE]", help=t("help.rules.clause"))] = "",
    lang: Language = "",
) -> None:
    from bridgehead.terminal import shows

    shows.show_rulebook(game, clause, lang, _console())


@command("print", plain=True)
def print_game(
    game: GameName,
    rules: Rules = "",
    board: BoardFile = "",
    paper: Annotated[str, choice("--paper", "help.print_game.paper", PAPERS)] = "a4",
    lang: Language = "",
    out: Annotated[Path | None, typer.Option(help=t("help.print_game.out"))] = None,
    parts: Annotated[str, typer.Option(help=t("help.print_game.parts"))] = "board,pieces,rules",
) -> None:
    from bridgehead.terminal import prints

    print(prints.write_pdf(_game(game, rules, board), paper, lang, out, parts))


@command()
def wasm(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE.wasm", help=t("help.wasm.file"))],
    rules: Rules = "",
    board: BoardFile = "",
    lang: Language = "",
) -> None:
    from bridgehead.terminal import modules

    print(modules.write_module(_game(game, rules, board), file, lang))


@command()
def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help=t("help.site.folder"))],
    games: Annotated[
        list[str] | None, typer.Option("--games", metavar="GAME", autocompletion=complete_games, help=t("help.site.games"))
    ] = None,
    board: Annotated[list[Path] | None, typer.Option("--board", metavar="FILE", help=t("help.site.board"))] = None,
    lang: Language = "",
) -> None:
    from bridgehead.site import build

    files = build.write(folder, games or (), boards=board or (), progress=lambda stage: _report(stage, lang))
    size = f"{sum(map(len, files.values())) / 1e6:.1f}"
    print(t("site.written", lang, folder=folder, count=len(files), size=size))


@command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("help.new_game.name"))],
    folder: Annotated[Path | None, typer.Argument(metavar="[FOLDER]", help=t("help.new_game.folder"))] = None,
    single: Annotated[bool, typer.Option("--single", help=t("help.new_game.single"))] = False,
) -> None:
    from bridgehead.terminal.new_game import write_package

    folder = folder or Path(name)
    for file in write_package(name, folder, single):
        print(file)
    print(t("new_game.next", folder=folder, name=name))


@command()
def perft(
    game: GameName,
    depth: Annotated[int, number("--depth", "help.perft.depth", least=0, most=30)],
    position: Annotated[str, typer.Option(help=t("help.perft.position"))] = "",
    rules: Rules = "",
    board: BoardFile = "",
    divide: Annotated[bool, typer.Option(help=t("help.perft.divide"))] = False,
    as_json: AsJson = False,
) -> None:
    from bridgehead.terminal import shows

    shows.perft(_game(game, rules, board), depth, position, divide, as_json)


@command()
def random(
    game: GameName,
    number: Annotated[int, number("--games", "help.random.number", least=1)] = 1000,
    seed: Annotated[int, number("--seed", "help.random.seed", **ANY_SEED)] = 1,
    rules: Rules = "",
    board: BoardFile = "",
    record: Annotated[Path | None, typer.Option(help=t("help.random.record"))] = None,
    as_json: AsJson = False,
) -> None:
    from bridgehead.terminal import shows

    shows.random_games(_game(game, rules, board), number, seed, record, as_json)


@command()
def arena(
    game: GameName,
    players: Annotated[list[str] | None, typer.Argument(autocompletion=complete_levels, help=t("help.arena.players"))] = None,
    number: Annotated[int, number("--games", "help.arena.number", least=2)] = 1000,
    sets: Annotated[int, number("--sets", "help.arena.sets", least=1)] = 100,
    of_levels: Annotated[bool, typer.Option("--levels", help=t("help.arena.of_levels"))] = False,
    alone: Annotated[bool, typer.Option("--alone", help=t("help.arena.alone"))] = False,
    sprt: Annotated[str, typer.Option(help=t("help.arena.sprt"))] = "",
    out: Annotated[Path | None, typer.Option(help=t("help.arena.out"))] = None,
    seed: Annotated[int, number("--seed", "help.arena.seed", **ANY_SEED)] = 1,
    rules: Rules = "",
    board: BoardFile = "",
    as_json: AsJson = False,
) -> None:
    from bridgehead.workshop.commands import arenas

    arenas.compete(_game(game, rules, board), players or [], number, sets, of_levels, alone, sprt, out, seed, as_json)


@command()
def train(
    game: GameName,
    out: Annotated[Path, typer.Option(help=t("help.train.out"))],
    number: Annotated[int, number("--games", "help.train.number", least=10)] = 2000,
    player: Annotated[str, typer.Option(help=t("help.train.player"))] = "deep:3000",
    rounds: Annotated[int, number("--rounds", "help.train.rounds", least=1, most=20)] = 1,
    start: Annotated[Path | None, typer.Option(help=t("help.train.start"))] = None,
    sets: Annotated[int, number("--test", "help.train.sets", least=0)] = 1000,
    units: Annotated[int, number("--units", "help.train.units", least=0, most=64)] = 0,
    seed: Annotated[int, number("--seed", "help.train.seed", **SEEDS)] = 1,
    rules: Rules = "",
) -> None:
    from bridgehead.workshop.commands import arenas

    arenas.train(_game(game, rules, ""), number, player, seed, out, rounds, start, sets, units)


@command()
def lab(
    game: GameName = "",
    rules: Rules = "",
    versus: Annotated[str, typer.Option(help=t("help.lab.versus"))] = "",
    board: BoardFile = "",
    players: Annotated[str, typer.Option(help=t("help.lab.players"))] = "",
    number: Annotated[int | None, number("--games", "help.lab.number", least=20)] = None,
    seed: Annotated[int, number("--seed", "help.lab.seed", **SEEDS)] = 1,
    out: Annotated[Path | None, typer.Option(help=t("help.lab.out"))] = None,
    thresholds: Annotated[Path | None, typer.Option(help=t("help.lab.thresholds"))] = None,
    workers: Annotated[int, number("--workers", "help.lab.workers", least=0)] = 0,
    cluster: Annotated[str, typer.Option(help=t("help.lab.cluster"))] = "",
    suggestions: Annotated[Path | None, typer.Option(help=t("help.lab.suggestions"))] = None,
    without: Annotated[str, typer.Option(help=t("help.lab.without"))] = "",
    ladder: Annotated[str, typer.Option(help=t("help.lab.ladder"))] = "",
    sweep: Annotated[str, typer.Option(help=t("help.lab.sweep"))] = "",
    seek: Annotated[str, typer.Option(help=t("help.lab.seek"))] = "",
    bench: Annotated[Path | None, typer.Option(metavar="FOLDER", help=t("help.lab.bench"))] = None,
    lang: Language = "",
) -> None:
    from bridgehead.workshop.commands import labs

    if bench:
        labs.run_bench(bench, players, ladder, number, seed, labs.where(workers, cluster), lang)
        return
    arms, where = [_game(game, rules, board)], labs.where(workers, cluster)
    if sweep:
        labs.sweep(arms[0], sweep, seek, players, number, seed, out, thresholds, where, lang)
        return
    if versus:
        arms.append(_game(game, "" if versus == "standard" else versus, board))
    labs.run_study(arms, players, number, seed, out, thresholds, where, suggestions, without, ladder, lang)


@command()
def tune(
    game: GameName,
    rules: Rules = "",
    board: BoardFile = "",
    wish: Annotated[str, typer.Option(help=t("help.tune.wish"))] = "fair,minutes,undecided,skill,dead",
    change: Annotated[str, typer.Option(help=t("help.tune.change"))] = "",
    players: Annotated[str, typer.Option(help=t("help.tune.players"))] = "",
    number: Annotated[int, number("--games", "help.tune.games", least=20)] = 20_000,
    confirm: Annotated[int, number("--confirm", "help.tune.confirm", least=20)] = 1000,
    most: Annotated[int, number("--most", "help.tune.most", least=1, most=6)] = 3,
    seconds: Annotated[float, number("--seconds", "help.tune.seconds", least=0.1, most=3600, kind=float)] = 15.0,
    seed: Annotated[int, number("--seed", "help.lab.seed", **SEEDS)] = 1,
    out: Annotated[Path | None, typer.Option(help=t("help.lab.out"))] = None,
    workers: Annotated[int, number("--workers", "help.lab.workers", least=0)] = 0,
    cluster: Annotated[str, typer.Option(help=t("help.lab.cluster"))] = "",
    lang: Language = "",
) -> None:
    from bridgehead.workshop.commands import labs, tunes

    base, where = _game(game, rules, board), labs.where(workers, cluster)
    tunes.tune(base, wish, change, players, number, confirm, seed, most, seconds, out, where, lang)


@command()
def puzzles(
    game: GameName,
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help=t("help.puzzles.file"))] = None,
    count: Annotated[int, number("--count", "help.puzzles.count", least=1)] = 500,
    seed: Annotated[int, number("--seed", "help.puzzles.seed", **SEEDS)] = 1,
    missed_by: Annotated[int, number("--missed-by", "help.puzzles.missed_by", least=1, most=8)] = 1,
    lines: Annotated[bool, typer.Option("--lines", help=t("help.puzzles.lines"))] = False,
    choose: Annotated[Path | None, typer.Option("--choose", metavar="FILE", help=t("help.puzzles.choose"))] = None,
    rules: Rules = "",
    board: BoardFile = "",
    lang: Language = "",
) -> None:
    from bridgehead.workshop.commands.puzzles import choose_puzzles, find_pool, find_puzzles

    base = _game(game, rules, board)
    pool = find_pool(base.spec, file)
    if choose:
        choose_puzzles(base.spec, pool, choose, lang)
    else:
        find_puzzles(base, pool, count, seed, missed_by - 1, lines, lang)


@command()
def book(
    game: GameName,
    records: Annotated[list[str] | None, typer.Argument(metavar="RECORD|LINK", help=t("help.book.records"))] = None,
    data: Annotated[Path | None, typer.Option(help=t("help.serve.data"))] = None,
    database: Annotated[str, typer.Option(envvar="BRIDGEHEAD_DATABASE", metavar="URL", help=t("help.prune.database"))] = "",
    tables: Annotated[bool, typer.Option("--tables", help=t("help.book.tables"))] = False,
    number: Annotated[int, number("--games", "help.book.games", least=0)] = 0,
    levels: Annotated[
        str, typer.Option(autocompletion=complete_levels, help=t("help.book.levels"))
    ] = "engineer,captain,strategist",
    seed: Annotated[int, number("--seed", "help.any.seed", **SEEDS)] = 1,
    at: Annotated[str, typer.Option(metavar="POSITION|FILE@PLACE", help=t("help.book.at"))] = "",
    players: Annotated[str, typer.Option(help=t("help.book.players"))] = "",
    rules: Rules = "",
    board: BoardFile = "",
    lang: Language = "",
    as_json: AsJson = False,
) -> None:
    if not number:
        _plain()
    from bridgehead.server import run
    from bridgehead.terminal import books

    base = _game(game, rules, board)
    with run.kept_book(data, database) as kept:
        if tables:
            print(t("book.tables", lang, n=kept.add_tables(base.spec.id)), file=sys.stderr)
        if records:
            print(t("book.added", lang, n=books.add_records(kept.write, base, records)), file=sys.stderr)
        if number:
            books.play_into_book(kept.write, base, levels, number, seed, lang)
        books.show_book(kept.read, books.find_position(base, at), players, lang, as_json)


@command()
def endgames(
    place: Annotated[list[str], typer.Argument(metavar="FOLDER|verify [FOLDER]", help=t("help.endgames.folder"))],
    pieces: Annotated[int, number("--pieces", "help.endgames.pieces", least=2, most=8)] = 6,
    check: Annotated[int, number("--check", "help.endgames.check", least=0)] = 0,
    device: Annotated[str, choice("--device", "help.endgames.device", ("cpu", "cuda"))] = "cpu",
    sample: Annotated[int, number("--sample", "help.endgames.sample", least=1)] = 1000,
    seed: Annotated[int, number("--seed", "help.endgames.seed", **ANY_SEED)] = 1,
    rules: Annotated[str, typer.Option(help=t("help.endgames.rules"))] = "",
) -> None:
    from bridgehead.workshop.commands import arenas

    game = _game("forty_bridges", rules, "")
    match place:
        case ["verify"] | ["verify", _]:
            right = arenas.verify_endgames(game, Path(place[1]) if len(place) > 1 else None, sample, seed)
        case [folder]:
            right = arenas.endgames(game, Path(folder), pieces, check, device)
        case _:
            from bridgehead.core.errors import OptionError

            raise OptionError("terminal:error.endgames_places", " ".join(place))
    raise typer.Exit(0 if right else 1)


@command()
def fortress(
    folder: Annotated[Path, typer.Argument(help=t("help.fortress.folder"))],
    region: Annotated[str, typer.Option(metavar="FIELDS", help=t("help.fortress.region"))] = "a1 b1 c1 a2 b2 a3 A1 B1 A2 B2",
    pieces: Annotated[str, typer.Option(metavar="N+N", help=t("help.fortress.pieces"))] = "4+4",
    attackers: Annotated[str, typer.Option(metavar="N+N", help=t("help.fortress.attackers"))] = "3+3",
    free: Annotated[bool, typer.Option("--free", help=t("help.fortress.free"))] = False,
    check: Annotated[int, number("--check", "help.fortress.check", least=0)] = 0,
    line: Annotated[Path | None, typer.Option(metavar="FILE", help=t("help.fortress.line"))] = None,
    device: Annotated[str, choice("--device", "help.endgames.device", ("cpu", "cuda"))] = "cpu",
) -> None:
    from bridgehead.workshop.commands import arenas

    raise typer.Exit(0 if arenas.compute_fortress(folder, region, pieces, attackers, not free, check, line, device) else 1)


@command(plain=True)
def replay(
    record: Annotated[str, typer.Argument(metavar="FILE|LINK", help=t("help.replay.record"))],
    quiet: Annotated[bool, typer.Option("--quiet", help=t("help.replay.quiet"))] = False,
    at: Annotated[str, typer.Option(metavar="PLACE", help=t("help.replay.at"))] = "",
    lang: Language = "",
    as_json: AsJson = False,
) -> None:
    from bridgehead.terminal import shows

    shows.replay(record, quiet, at, lang, as_json, _console())


@command(plain=True)
def film(
    record: Annotated[str, typer.Argument(metavar="RECORD|LINK", help=t("help.replay.record"))],
    file: Annotated[Path, typer.Argument(metavar="FILE", help=t("help.film.file"))],
    first: Annotated[int, number("--from", "help.film.first", least=1)] = 1,
    last: Annotated[int | None, number("--to", "help.film.last", least=1)] = None,
    seconds: Annotated[float, number("--seconds", "help.film.seconds", least=0.05, most=60, kind=float)] = 1.0,
    width: Annotated[int, number("--width", "help.film.width", least=160, most=2000)] = 640,
    lang: Language = "",
) -> None:
    from bridgehead.terminal import films, shows

    print(films.write_film(shows.read_record(record), file, first, last or 0, seconds, width, lang))


@command()
def analyse(
    record: Annotated[str, typer.Argument(metavar="FILE|LINK", help=t("help.analyse.record"))],
    budget: Annotated[int, number("--budget", "help.analyse.budget", least=20)] = 600,
    seed: Annotated[int, number("--seed", "help.analyse.seed", **SEEDS)] = 0,
    out: Annotated[Path, typer.Option(help=t("help.analyse.out"))] = Path("analysis"),
    lang: Language = "",
    as_json: AsJson = False,
) -> None:
    from bridgehead.terminal import analyses, shows

    analyses.analyse(shows.read_record(record), budget, seed, out, lang, as_json, _console())


@command(plain=True)
def tournament(
    link: Annotated[str, typer.Argument(metavar="URL", help=t("help.tournament.link"))],
    game: Annotated[str, typer.Option(autocompletion=complete_games, help=t("help.tournament.game"))] = "",
    name: Annotated[str, typer.Option(help=t("help.tournament.name"))] = "",
    kind: Annotated[str, choice("--kind", "help.tournament.kind", KINDS)] = "swiss",
    size: Annotated[int, number("--size", "help.tournament.size", least=0, most=8)] = 0,
    rounds: Annotated[int, number("--rounds", "help.tournament.rounds", least=0, most=50)] = 0,
    paired: Annotated[bool, typer.Option("--paired", help=t("help.tournament.paired"))] = False,
    minutes: Annotated[int, number("--minutes", "help.tournament.minutes", least=0, most=1440)] = 60,
    appear: Annotated[int, number("--appear", "help.tournament.appear", least=0, most=1440)] = 10,
    levels: Annotated[str, typer.Option(autocompletion=complete_levels, help=t("help.tournament.levels"))] = "",
    start: Annotated[bool, typer.Option("--start", help=t("help.tournament.start"))] = False,
    wait: Annotated[bool, typer.Option("--wait", help=t("help.tournament.wait"))] = False,
    as_json: AsJson = False,
) -> None:
    import json

    from bridgehead.client import Host
    from bridgehead.terminal import tournaments

    place = tournaments.parse_tournament_link(link)
    wish = {"kind": kind, "size": size, "rounds": rounds, "paired": paired, "minutes": minutes, "appear": appear}
    found = tournaments.run(Host(place.server), place, game, name, wish, filter(None, levels.split(",")), start, wait)
    print(json.dumps(found) if as_json else tournaments.show_standings(found))


@command(plain=True)
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE [FILE]", help=t("help.verify.file"))],
    seat_seed: Annotated[list[str] | None, typer.Option(metavar="SEAT-SEED", help=t("help.verify.seat_seed"))] = None,
    transcript: Annotated[list[str] | None, typer.Option(help=t("help.verify.transcript"))] = None,
    head: Annotated[list[str] | None, typer.Option(metavar="N:LINK", help=t("help.verify.head"))] = None,
    key: Annotated[str, typer.Option(help=t("help.verify.key"))] = "",
    as_json: AsJson = False,
) -> None:
    from bridgehead.terminal import shows

    given = {"seat-seed": seat_seed, "transcript": transcript, "head": head, "key": [key] if key else None}
    known = [f"{name}:{value}" for name, values in given.items() for value in values or ()]
    raise typer.Exit(0 if shows.verify_proofs(files, known, as_json) else 1)


@command()
def verifier(
    file: Annotated[Path, typer.Argument(metavar="FILE.html", help=t("help.verifier.file"))],
) -> None:
    from bridgehead.terminal.verifier import write_verifier

    print(f"{write_verifier(file)}  {file}")  # as sha256sum does


@command(plain=True)
def audit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=t("help.audit.file"))],
    receipt: Annotated[list[Path] | None, typer.Option("--receipt", help=t("help.audit.receipt"))] = None,
    key: Annotated[str, typer.Option(help=t("help.audit.key"))] = "",
    fold: Annotated[bool, typer.Option(help=t("help.audit.fold"))] = True,
) -> None:
    from bridgehead.server.storage.audit import Audit
    from bridgehead.server.tables.refold import find_damage
    from bridgehead.terminal import shows

    with Audit(file, key=key.lower(), fold=find_damage if fold else None, told=shows.audit_progress()) as looking:
        found = sum(not shows.verify_receipt(each, looking.dispute_receipt) for each in receipt or [])
        for damage in looking.damages():
            found += 1
            print(t("plain", text=damage.phrase))
        print(t("audit.whole", tables=f"{looking.tables:,}", events=f"{looking.events:,}", n=found, damages=f"{found:,}"))
    if found:
        raise typer.Exit(1)


@command()
def completion(shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh, fish, powershell")]) -> None:
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # exported without saying so

    from bridgehead.core.errors import OptionError

    if shell not in SHELLS:
        raise OptionError("terminal:error.no_choice", "SHELL", given=repr(shell), among=", ".join(SHELLS))
    print(get_completion_script(prog_name="bridgehead", complete_var=COMPLETE, shell=shell))


def _plain() -> None:
    """Run the rules uncompiled: for commands that play a few moves, compiling takes longer."""
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")


def _console() -> Any:
    from rich.console import Console

    return Console()


def _game(name: str, rules: str, board: str, seats: int = 0) -> Game:
    from bridgehead.terminal.board import named_game

    return named_game(name, rules, board, seats)


def _report(stage: Phrase, lang: str) -> None:
    """Show a stage of long work, beside the result."""
    print(sentence(stage, lang), file=sys.stderr, flush=True)


def _failed(text: str) -> int:
    """Print an error; return the exit status."""
    print(f"bridgehead: {text}", file=sys.stderr)
    return 2


def stop(cause: BaseException) -> NoReturn:
    """End as after Ctrl-C, in one line."""
    print("\n" + t("stopped"), file=sys.stderr)
    raise SystemExit(130) from cause


def main() -> None:
    """Entry point of the `bridgehead` command. Errors become one clear line; Ctrl-C and a closed pipe or terminal end quietly."""
    from bridgehead.core.errors import BridgeheadError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an encoding may lack a letter, a card, a face of a die
    if COMPLETE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]  # as above

        completion_init()
    try:
        try:
            code = app(standalone_mode=False)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here a closed pipe can still be caught
        sys.exit(code)
    except UsageError as error:
        sys.exit(_failed(sentence(describe_usage_error(error).whole, detect_language())))
    except BridgeheadError as error:
        sys.exit(_failed(sentence(error.whole, detect_language())))
    except (KeyboardInterrupt, EOFError, typer.Abort) as error:
        stop(error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        sys.exit(_failed(f"{error.filename}: {error.strerror}" if error.filename else str(error)))
    except MemoryError as error:
        sys.exit(_failed(t("memory", error=error)))


if __name__ == "__main__":
    main()
