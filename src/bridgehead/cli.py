"""The command line: one line of help a command; everything heavy is imported when a command runs."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bridgehead.core.game import Game

app = typer.Typer(
    name="bridgehead",
    help="Four board games of getting across: play them, host them, study them.",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="barricade, burning_bridges, forty_bridges or front_lines")]
Rules = Annotated[str, typer.Option(help="House rules: a preset and/or name=value, comma-separated")]
BoardFile = Annotated[str, typer.Option("--board", metavar="NAME|FILE", help="A board's name, or a JSON file with your own")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON")]
Seed = Annotated[int | None, typer.Option(help="Makes chance and computers repeatable")]
Language = Annotated[str, typer.Option("--lang", help="en or de")]


@app.callback(invoke_without_command=True)
def root(context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version")] = False) -> None:
    """Without a command: `bridgehead serve`."""
    if version:
        from bridgehead import __version__

        print(f"bridgehead {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        serve()


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games, their seats, presets and house rules."""
    _plain()
    from bridgehead.terminal import shows

    shows.games(as_json)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="0.0.0.0 lets others on your network in")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Another one is taken if it is not free")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the page")] = True,
    data: Annotated[Path | None, typer.Option(help="Folder where tables are kept")] = None,
    pace: Annotated[float, typer.Option(min=0, max=10, help="Least seconds between two actions of a computer")] = 0.45,
    database: Annotated[
        str, typer.Option(envvar="BRIDGEHEAD_DATABASE", metavar="URL", help="Keep tables in this PostgreSQL: several workers may")
    ] = "",
    bus: Annotated[
        str, typer.Option(envvar="BRIDGEHEAD_BUS", metavar="URL", help="Redis or Valkey that wakes the other workers up")
    ] = "",
    webhooks: Annotated[bool, typer.Option(help="Tables may tell a public web address whose turn it is")] = False,
    webhooks_anywhere: Annotated[bool, typer.Option(help="Also an address in this network")] = False,
) -> None:
    """Host the games: pages, tables, computer players."""
    _plain()
    from bridgehead.server.run import run

    run(
        host=host, port=port, data=data, open_browser=browser, pace=pace, database=database, bus=bus,
        webhooks=webhooks, anywhere=webhooks_anywhere,
    )  # fmt: skip


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The copy; it must not be there yet")],
    data: Annotated[Path | None, typer.Option(help="Folder where tables are kept")] = None,
) -> None:
    """Copy all tables into a file, also while they are played."""
    from bridgehead.server.storage.backup import save

    print(save(file, data))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A copy made by `bridgehead backup`")],
    data: Annotated[Path | None, typer.Option(help="Folder where tables are kept")] = None,
) -> None:
    """Put a copy in place of all tables, which are kept beside it; the server has to be stopped."""
    from bridgehead.server.storage.backup import put_back

    print(put_back(file, data))


@app.command()
def play(
    game: GameName,
    seats: Annotated[str, typer.Option(help="One a seat, comma-separated: human, or a level, 1 to 8 or by name")] = "",
    rules: Rules = "",
    board: BoardFile = "",
    seed: Seed = None,
    lang: Language = "en",
    dealer: Annotated[
        str, typer.Option(help="seed, or typed: roll real dice, turn real cards, and type what they show")
    ] = "seed",
    record: Annotated[Path | None, typer.Option(help="Write the record of the match here")] = None,
) -> None:
    """Play in the terminal: type moves; `?` lists them, `why MOVE` explains."""
    _plain()
    from bridgehead.core.errors import OptionError
    from bridgehead.players import usual
    from bridgehead.terminal.play import Terminal, save

    if dealer not in ("seed", "typed"):
        raise OptionError(f"no dealer {dealer!r}; there are seed and typed", "--dealer")
    kinds = [kind.strip() for kind in seats.split(",")] if seats else []
    made = _game(game, rules, board, len(kinds))
    kinds = kinds or ["human"] + [usual(made.spec)] * (made.seats - 1)
    table = Terminal(made, kinds, seed, _console(), _language(lang), dealer == "typed")
    try:
        table.run()
    finally:
        if record is not None:
            save(table.match, table.seats, record, dealer == "typed")


@app.command()
def rules(
    game: GameName,
    clause: Annotated[str, typer.Argument(metavar="[CLAUSE]", help="One clause's id, like BA-R.5")] = "",
    lang: Language = "en",
) -> None:
    """Print a game's rulebook, or one clause of it."""
    _plain()
    from bridgehead.terminal import shows

    shows.rulebook(game, clause, _language(lang), _console())


@app.command(name="print")
def printed(
    game: GameName,
    rules: Rules = "",
    board: BoardFile = "",
    paper: Annotated[str, typer.Option(help="a4 or letter")] = "a4",
    lang: Language = "en",
    out: Annotated[Path | None, typer.Option(help="The PDF; without, GAME-PAPER.pdf here")] = None,
    parts: Annotated[str, typer.Option(help="Some of board,pieces,rules")] = "board,pieces,rules",
) -> None:
    """Print and play: the board at playing size, pieces and cards, and the rules in force, as a PDF."""
    _plain()
    from bridgehead.terminal import prints

    print(prints.write(_game(game, rules, board), paper, _language(lang), out, parts))


@app.command(name="new-game")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The id of the game and of its package, like hex_pie")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that is new or empty")],
) -> None:
    """Write a package with a small game, to be changed into your own."""
    from bridgehead.terminal.new_game import write

    for file in write(name, folder):
        print(file)
    print(f"Next: pip install -e {folder}, then bridgehead play {name}")


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=0, max=30, help="Length of the action sequences")],
    position: Annotated[str, typer.Option(help="A position's text; else the start")] = "",
    rules: Rules = "",
    board: BoardFile = "",
    divide: Annotated[bool, typer.Option(help="Count below each first action")] = False,
    as_json: AsJson = False,
) -> None:
    """Count action sequences of a length: the check that two engines agree."""
    from bridgehead.terminal import shows

    shows.perft(_game(game, rules, board), depth, position, divide, as_json)


@app.command()
def random(
    game: GameName,
    number: Annotated[int, typer.Option("--games", min=1, help="How many")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed plays the same games")] = 1,
    rules: Rules = "",
    board: BoardFile = "",
    record: Annotated[Path | None, typer.Option(help="Write the record of the first game here")] = None,
    as_json: AsJson = False,
) -> None:
    """Play games at random at machine speed and tell how they ended."""
    from bridgehead.terminal import shows

    shows.random_games(_game(game, rules, board), number, seed, record, as_json)


@app.command()
def arena(
    game: GameName,
    players: Annotated[list[str] | None, typer.Argument(help="Levels, search:N, deep:N; none: greedy against random")] = None,
    number: Annotated[int, typer.Option("--games", min=2, help="Without players: how many games")] = 1000,
    sets: Annotated[int, typer.Option(min=1, help="Of each pair: sets of games with all seatings")] = 100,
    of_levels: Annotated[bool, typer.Option("--levels", help="Each level against the one below and two below")] = False,
    alone: Annotated[bool, typer.Option("--alone", help="More than two sides: the first on one, without the mirror")] = False,
    sprt: Annotated[str, typer.Option(help="Stop when a sequential test is decided: two differences in Elo, like 0,20")] = "",
    out: Annotated[Path | None, typer.Option(help="Keep the results here; a file of this contest is gone on with")] = None,
    seed: Annotated[int, typer.Option(help="The same seed plays the same games")] = 1,
    rules: Rules = "",
    board: BoardFile = "",
    as_json: AsJson = False,
) -> None:
    """Let players compete: who is stronger, by how much, and how sure that is."""
    from bridgehead.terminal import arenas

    arenas.compete(_game(game, rules, board), players or [], number, sets, of_levels, alone, sprt, out, seed, as_json)


@app.command()
def train(
    game: GameName,
    out: Annotated[Path, typer.Option(help="Write the weights here")],
    number: Annotated[int, typer.Option("--games", min=10, help="How many games of self-play")] = 2000,
    player: Annotated[str, typer.Option(help="Who plays them: deep:POSITIONS, search:SIMULATIONS or a level")] = "deep:3000",
    rounds: Annotated[int, typer.Option(min=1, max=20, help="Each played with what the one before it learned")] = 1,
    start: Annotated[Path | None, typer.Option(help="Begin with these weights and test against them; else its own")] = None,
    sets: Annotated[int, typer.Option("--test", min=0, help="Most sets of games of the test at the end; 0: none")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed learns the same")] = 1,
    rules: Rules = "",
) -> None:
    """Learn the weights of a game's evaluation from self-play and test them; a manifest beside them says how they were made."""
    from bridgehead.terminal import arenas

    arenas.train(_game(game, rules, ""), number, player, seed, out, rounds, start, sets)


@app.command()
def lab(
    game: GameName,
    rules: Rules = "",
    versus: Annotated[str, typer.Option(help="Other house rules to compare with, as in --rules; 'standard' for none")] = "",
    board: BoardFile = "",
    players: Annotated[str, typer.Option(help="From weak to strong: levels, search:N, deep:N, turn:N; =N sets its games")] = "",
    number: Annotated[int, typer.Option("--games", min=20, help="Of the weakest player; those that think play a tenth")] = 2000,
    seed: Annotated[int, typer.Option(help="The same seed makes the same report")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; one of the same run is gone on with")] = None,
    thresholds: Annotated[Path | None, typer.Option(help="TOML: where lights turn, and seconds a decision")] = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0: one a core")] = 0,
    cluster: Annotated[str, typer.Option(help="Play on a Ray cluster: HOST:PORT, or 'local' for one of its own")] = "",
    suggestions: Annotated[Path | None, typer.Option(help="Text for the designer, paragraphs, to stand in the report")] = None,
    without: Annotated[str, typer.Option(help="Kinds of actions that one side leaves out in duels: torch, or torch=200")] = "",
    ladder: Annotated[str, typer.Option(help="For the duels, from weak to strong, as search:50,search:100; else levels")] = "",
    sweep: Annotated[str, typer.Option(help="One house rule over a range: option=1..5, option=10..100/10 or option=a|b|c")] = "",
    seek: Annotated[str, typer.Option(help="With --sweep: wishes such as minutes<60,gap<0.05; the setting that meets them")] = "",
) -> None:
    """Study a game: is it fair, how long is it, which rule is dead, what would a house rule change?"""
    from bridgehead.core.extras import require

    require("lab")
    from bridgehead.terminal import labs

    arms, where = [_game(game, rules, board)], labs.where(workers, cluster)
    if sweep:
        labs.sweep(arms[0], sweep, seek, players, number, seed, out, thresholds, where)
        return
    if versus:
        arms.append(_game(game, "" if versus == "standard" else versus, board))
    labs.study(arms, players, number, seed, out, thresholds, where, suggestions, without, ladder)


@app.command()
def endgames(
    folder: Annotated[Path, typer.Argument(help="Where tables are kept; what is there already is gone on with")],
    pieces: Annotated[int, typer.Option(min=2, max=8, help="On the board; 6 takes minutes, 7 about an hour")] = 6,
    check: Annotated[int, typer.Option(min=0, help="Compare every so-manieth entry with those after it; 0: none")] = 0,
) -> None:
    """Work out endgame tables of 40 Bridges, larger than those that come with it."""
    from bridgehead.terminal import arenas

    raise typer.Exit(0 if arenas.endgames(folder, pieces, check) else 1)


@app.command()
def replay(
    record: Annotated[str, typer.Argument(metavar="FILE|LINK", help="A record, or a link that holds a game")],
    quiet: Annotated[bool, typer.Option("--quiet", help="Only check it")] = False,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Check a record line by line and show it."""
    _plain()
    from bridgehead.terminal import shows

    shows.replay(record, quiet, _language(lang), as_json, _console())


@app.command()
def analyse(
    record: Annotated[str, typer.Argument(metavar="FILE|LINK", help="A record, or a link that holds a game")],
    budget: Annotated[int, typer.Option(min=20, help="Simulations a decision; more is slower and surer")] = 600,
    seed: Annotated[int, typer.Option(help="The same seed finds the same")] = 0,
    out: Annotated[Path, typer.Option(help="Folder for analysis.json and analysis.html")] = Path("analysis"),
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Look at a game afterwards: win chances, key moments, what else could be done, luck apart from decisions."""
    from bridgehead.terminal import analyses, shows

    analyses.analyse(shows.text_of(record), budget, seed, out, _language(lang), as_json, _console())


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="A proof of chance (JSON)")],
    as_json: AsJson = False,
) -> None:
    """Check that a match's dice and cards follow from what was sealed before it."""
    _plain()
    from bridgehead.terminal import shows

    raise typer.Exit(0 if shows.verified(file, as_json) else 1)


@app.command()
def audit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A server's bridgehead.sqlite")],
    receipt: Annotated[list[Path] | None, typer.Option("--receipt", help="What somebody kept, to be held against it")] = None,
) -> None:
    """Check that nothing in a file of tables was changed or lost: the chain of every table's log, and receipts for it."""
    _plain()
    from bridgehead.server.storage.audit import Audit
    from bridgehead.terminal import shows

    with Audit(file) as looking:
        found = sum(not shows.received(each, looking.disputed) for each in receipt or [])
        for damage in looking.damages():
            found += 1
            print(damage)
        print(f"{looking.tables:,} tables with {looking.events:,} events are whole; {found:,} damages")
    if found:
        raise typer.Exit(1)


def _plain() -> None:
    """Commands that play a few moves run the rules uncompiled: nobody waits for a compiler."""
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")


def _console() -> Any:
    from rich.console import Console

    return Console()


def _language(name: str) -> str:
    from bridgehead.core.errors import OptionError
    from bridgehead.core.phrases import languages

    if name not in languages():
        raise OptionError(f"no language {name!r}; there are {', '.join(languages())}", "--lang")
    return name


def _game(name: str, rules: str, board: str, seats: int = 0) -> Game:
    from bridgehead.terminal import asked

    return asked.game(name, rules, board, seats)


@contextlib.contextmanager
def _clean_exit() -> Iterator[None]:
    """Errors of the caller are one clear line; Ctrl-C, a closed pipe and a closed terminal are not tracebacks."""
    from bridgehead.core.errors import BridgeheadError

    try:
        yield
    except BridgeheadError as error:
        print(f"bridgehead: {error}", file=sys.stderr)
        sys.exit(2)
    except (KeyboardInterrupt, EOFError):
        print("\nstopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        print(f"bridgehead: {error.filename}: {error.strerror}" if error.filename else f"bridgehead: {error}", file=sys.stderr)
        sys.exit(2)
    except MemoryError as error:
        print(f"bridgehead: too much for the memory of this machine: {error}", file=sys.stderr)
        sys.exit(2)


def main() -> None:
    """Entry point of the `bridgehead` command."""
    with _clean_exit():
        app()


if __name__ == "__main__":
    main()
