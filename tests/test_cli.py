"""The command line, as a user types it."""

import contextlib
import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bridgehead
from bridgehead.cli import GROUPS, app
from bridgehead.core import link as links
from bridgehead.core import record as records
from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE, OVER
from command_line import run
from waiting import wait_for

GAMES = sorted(registry.specs())


def test_help_lists_every_command_with_a_line() -> None:
    done = run("--help")
    for command in app.registered_commands:
        name = command.name or ""
        assert re.search(rf"^  {name} +\w+", done.stdout, re.M), name
        assert sum(name in names for names in GROUPS.values()) == 1, f"{name} stands in one group"
    assert [line[:-1] for line in done.stdout.splitlines() if re.fullmatch(r"\w.*:", line)] == [
        "Options", "Play", "Host", "Records of games", "Study", "Make",
    ]  # fmt: skip


def test_help_imports_nothing_heavy() -> None:
    probe = (
        "import sys; sys.argv = ['bridgehead', '--help']\nfrom bridgehead.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    )
    heavy = {"numpy", "numba", "starlette", "rich", "jinja2", "apsw", "bridgehead.core.jit"}
    probe += f"print('HEAVY', sorted({heavy} & set(sys.modules)))"
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}  # as people start it
    done = subprocess.run([sys.executable, "-c", probe], env=env, capture_output=True, text=True, check=True)
    assert "HEAVY []" in done.stdout


def test_games_are_listed_with_their_house_rules() -> None:
    listing = {game["id"]: game for game in json.loads(run("games", "--json").stdout)}
    assert sorted(listing) == GAMES
    assert "classic" in listing["barricade"]["presets"]
    assert {"fallen-soldiers", "leap"} <= set(listing["front_lines"]["presets"])
    assert "turnLimit" in run("games").stdout


@pytest.mark.parametrize("name", GAMES)
def test_the_rulebook_prints_whole_and_by_clause(name: str) -> None:
    book = registry.game(name).rulebook
    done = run("rules", name)
    assert done.returncode == 0
    assert all(clause.id in done.stdout for clause in book.clauses)
    for number in range(1, 7):  # the game at a glance comes first
        title = about(registry.spec(name), "en").glance_title(number)
        assert 0 <= done.stdout.index(title) < done.stdout.index(book.clauses[0].id)
    one = book.clauses[3]
    assert run("rules", name, one.id).stdout.startswith(one.id)


def test_an_unknown_game_clause_option_board_and_file_are_each_named(tmp_path: Path) -> None:
    cases = [
        (("rules", "chess"), "chess"),
        (("rules", "barricade", "BA-X.9"), "BA-X.9"),
        (("play", "barricade", "--rules", "wings=true"), "wings"),
        (("play", "barricade", "--rules", "pass=never"), "pass"),
        (("play", "barricade", "--board", "moon"), "board"),
        (("play", "barricade", "--board", str(tmp_path / "none.json")), "none.json"),
        (("play", "barricade", "--seats", "human,wizard"), "wizard"),
        (("replay", str(tmp_path / "none.txt")), "none.txt"),
        (("play", "barricade", "--lang", "xx"), "xx"),
    ]
    for words, named in cases:
        done = run(*words)
        assert done.returncode == 2, (words, done)
        assert named in done.stderr and "Traceback" not in done.stderr, (words, done.stderr)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_between_computers_is_played_in_the_terminal_and_its_record_replays(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    seats = {"barricade": "greedy,random", "burning_bridges": "greedy,random", "forty_bridges": "greedy,random"}
    rules = {"barricade": "board=mini", "burning_bridges": "roundLimit=6"}
    words = ["play", name, "--seats", seats.get(name, "greedy,random,random,greedy"), "--seed", "5", "--record", str(file)]
    done = run(*words, *(["--rules", rules[name]] if name in rules else []))
    assert done.returncode == 0, done.stderr
    assert "The game is over" in done.stdout
    replayed = run("replay", str(file))
    assert "sound" in replayed.stdout and replayed.returncode == 0
    assert json.loads(run("replay", str(file), "--json").stdout)["result"] != "unfinished"


def test_typed_moves_lists_reasons_and_undo_work_at_the_prompt() -> None:
    typed = "?\nwhy a1-e5\na1-e5\nnonsense\na2-a3\nundo\nboard\ntext\nquit\n"
    done = run("play", "forty_bridges", "--seats", "human,human", typed=typed)
    assert done.returncode == 0, done.stderr
    assert re.search(r"FB-\d", done.stdout), "the reason names its clause"
    assert "a2-a3" in done.stdout
    assert "nothing to take back" in done.stdout


def test_a_person_may_roll_real_dice(tmp_path: Path) -> None:
    file = tmp_path / "real.txt"
    words = ["play", "barricade", "--seats", "human,human", "--dealer", "typed", "--record", str(file)]
    done = run(*words, typed="first 2\nroll 9\nnonsense\nfirst 1\n3\npass\n?\nroll 5\nquit\n")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "What does it show? (first 1, first 2)" in said
    assert "What does it show? (roll 1, roll 2, roll 3, roll 4, roll 5, roll 6)" in said
    assert "no side 9" in said and "first 1: The seat that begins was decided at the start of the game. (BA-M.1)" in said
    text = file.read_text("utf-8")
    assert "first 2" in text and "roll 3" in text and "roll 5" in text and "chance: real dice or cards, typed in" in text
    assert run("replay", str(file)).returncode == 0


def test_a_mistyped_draw_is_corrected_until_the_next_decision(tmp_path: Path) -> None:
    file = tmp_path / "real.txt"
    words = ["play", "barricade", "--seats", "human,human", "--dealer", "typed", "--record", str(file)]
    typed = "first 2\nundo\nfirst 1\n3\nundo\n6\npass\nundo\n5\nquit\n"  # the last `undo`: a decision stands in between
    done = run(*words, typed=typed)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "Taken back: first 2" in said and "Taken back: roll 3" in said and "Taken back: pass" not in said
    text = file.read_text("utf-8")
    assert "first 1" in text and "roll 6" in text and "roll 5" in text and "roll 3" not in text and "first 2" not in text
    assert run("replay", str(file)).returncode == 0


def careless(seed: int) -> Match:
    """A game of The Front Lines in which every card that is turned over is a mine, if it can be one."""
    match, lot = Match(registry.game("front_lines", seats=2)), random.Random(seed)
    while match.actor != OVER:
        position, legal = match.position, match.position.legal
        kinds = {choice.kind: choice.action for choice in reversed(match.game.spec.scene.choices(position, "en"))}
        mines = [each for each in legal if re.match("flip [JQK]", position.name(each))]
        draw = mines[-1] if mines else lot.choice(legal)
        match.play(draw if match.actor == CHANCE else kinds.get("ask") or kinds.get("warn") or legal[0])
    return match


def test_a_typed_card_that_ends_the_game_can_be_corrected() -> None:
    match = next(match for match in map(careless, range(50)) if match.log[-1].actor == CHANCE)
    typed = "".join(f"{match.positions[i].name(entry.action)}\n" for i, entry in enumerate(match.log))
    last = match.positions[-2].name(match.log[-1].action)
    ways = ["play", "front_lines", "--seats", "human,human", "--dealer", "typed"]
    done = run(*ways, typed=f"{typed}undo\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "Is that what it showed? Enter, or undo:" in done.stdout and f"Taken back: {last}" in done.stdout
    assert "The game is over" not in done.stdout.partition("Is that what it showed?")[2]
    kept = run(*ways, typed=f"{typed}\n")
    assert kept.returncode == 0 and kept.stdout.count("Is that what it showed?") == 1


def test_a_person_may_turn_real_cards_at_a_terminal() -> None:
    """Through a pseudo-terminal, as at a real table: a card that has been seen cannot be turned again."""
    command = [sys.executable, "-m", "bridgehead.cli", "play", "front_lines", "--seats", "human,human", "--dealer", "typed"]
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, command, {**os.environ, "NUMBA_DISABLE_JIT": "1", "TERM": "dumb", "COLUMNS": "200"})
    said = ""

    def until(words: str) -> None:
        nonlocal said
        while words not in said:
            said += os.read(terminal, 65_536).decode("utf-8", "replace")
        said = said[said.index(words) + len(words) :]

    until("What does it show?")
    os.write(terminal, b"ah\n")
    until("the next card")
    os.write(terminal, b"to b1\n")
    until("What does it show?")
    os.write(terminal, b"AH\n")  # face down, of the other pack
    until("Ace of Hearts: safe")
    os.write(terminal, b"AH\n")
    until("AH: ")
    os.write(terminal, b"2s\n")
    until("2 of Spades")
    os.write(terminal, b"quit\n")
    with contextlib.suppress(OSError):
        while os.read(terminal, 65_536):
            pass
    assert os.waitpid(child, 0)[1] == 0


def test_a_custom_board_file_plays_in_the_terminal(tmp_path: Path) -> None:
    source = Path(bridgehead.__file__).parent / "games" / "barricade" / "boards" / "mini.json"
    board = json.loads(source.read_text())
    board["name"] = "my own"
    file = tmp_path / "own.json"
    file.write_text(json.dumps(board))
    done = run("play", "barricade", "--seats", "greedy,greedy", "--board", str(file), "--seed", "2", "--rules", "turnLimit=20")
    assert done.returncode == 0, done.stderr
    board["final"] = [77, 77]
    file.write_text(json.dumps(board))
    done = run("play", "barricade", "--board", str(file))
    assert done.returncode == 2 and "final" in done.stderr


def test_perft_counts_and_divides() -> None:
    whole = json.loads(run("perft", "forty_bridges", "--depth", "2", "--json").stdout)
    parts = json.loads(run("perft", "forty_bridges", "--depth", "2", "--divide", "--json").stdout)
    assert whole["count"] == parts["count"] == sum(parts["divide"].values())
    assert len(parts["divide"]) == 21


def test_random_games_repeat_with_their_seed(tmp_path: Path) -> None:
    words = ["random", "front_lines", "--games", "5", "--seed", "4", "--json"]
    first, second = run(*words), run(*words)
    assert first.stdout == second.stdout
    summary = json.loads(first.stdout)
    assert summary["games"] == 5 == sum(summary["reasons"].values())
    file = tmp_path / "r.txt"
    run(*words, "--record", str(file))
    assert run("replay", str(file), "--quiet").returncode == 0
    link = f"http://elsewhere/replay#g={links.pack(*records.load(file.read_text()))}"
    assert run("replay", link, "--json").stdout == run("replay", str(file), "--json").stdout
    damaged = run("replay", link[:-5])
    assert damaged.returncode == 2 and damaged.stderr.startswith("bridgehead: link: ") and "Traceback" not in damaged.stderr


def test_nothing_but_the_result_is_printed_in_a_pipe() -> None:
    command = [sys.executable, "-m", "bridgehead.cli", "random", "front_lines", "--games", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True)
    assert done.stdout and done.stderr == ""
    assert "\x1b" not in done.stdout


def test_control_c_stops_cleanly(tmp_path: Path) -> None:
    env, begun = {**os.environ, "NUMBA_DISABLE_JIT": "1"}, tmp_path / "first.txt"
    command = [sys.executable, "-m", "bridgehead.cli", "random", "burning_bridges", "--games", "100000"]
    command += ["--rules", "roundLimit=1", "--record", str(begun)]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: begun.exists() or process.poll() is not None)  # written before the long work begins
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.parametrize("then", ["time.sleep(60)", "raise RuntimeError('for want of what was interrupted')"])
def test_control_c_comes_again_where_python_swallows_it(then: str) -> None:
    """As at the end of an object, where errors are only printed."""
    code = f"""
import signal, time, weakref
from bridgehead import __main__, cli
class Ends: pass
def work(**_):
    ending = Ends()
    kept = weakref.ref(ending, lambda _: signal.raise_signal(signal.SIGINT))
    del ending
    {then}
cli.app = work
__main__.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 130 and "ignored" not in done.stderr and "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("interrupted", [True, False])
def test_the_end_of_an_object_that_control_c_left_half_made_is_not_told(interrupted: bool) -> None:
    """As of a compiler's objects, which look at their end for what their beginning did not come to. Without Ctrl-C it is told."""
    code = f"""
import signal
from bridgehead import __main__, cli
class Half:
    def __init__(self):
        if {interrupted}: signal.raise_signal(signal.SIGINT)
    def __del__(self): self.handle
def work(**_):
    try: Half()
    except KeyboardInterrupt: raise SystemExit(130)
    raise SystemExit(0)
cli.app = work
__main__.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == (130 if interrupted else 0), done.stderr
    assert ("AttributeError" in done.stderr) != interrupted, done.stderr


def test_an_error_that_follows_control_c_is_not_told() -> None:
    """Python raises one where Ctrl-C comes while a class is made."""
    code = """
from bridgehead import __main__, cli
def work(**_):
    try: raise KeyboardInterrupt
    except BaseException as error: raise RuntimeError("in a class") from error
cli.app = work
__main__.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 130 and "Traceback" not in done.stderr, done.stderr


def test_analyse_writes_the_same_twice_as_json_and_as_a_page(tmp_path: Path) -> None:
    match = Match(registry.game("forty_bridges"))
    for _ in range(3):
        match.play(match.position.legal[0])
    file, out = tmp_path / "game.txt", tmp_path / "out"
    file.write_text(records.dump(match, ["Ada", "Ben"]), "utf-8")
    done = run("analyse", file, "--budget", "20", "--out", out)
    assert done.returncode == 0 and "Ada" in done.stdout and "Luck" in done.stdout, done.stderr
    told = json.loads((out / "analysis.json").read_text("utf-8"))
    assert len(told["line"]) == 4 and [step["actor"] for step in told["steps"]] == [0, 1, 0]
    page = (out / "analysis.html").read_text("utf-8")
    assert page.startswith("<!doctype html>") and page.count("Ada</") == 2, "beside the line, and in the table"
    assert not re.search(r"\b[AB]: ", page + done.stdout), "seats have names"
    link = f"http://x/replay#g={links.pack(match, ['Ada', 'Ben'])}"
    again = run("analyse", link, "--budget", "20", "--out", tmp_path, "--json")
    assert json.loads(again.stdout) == told
    damaged = run("analyse", str(out / "analysis.json"))
    assert damaged.returncode == 2 and "Traceback" not in damaged.stderr


def test_a_hint_is_told_at_the_prompt() -> None:
    done = run("play", "forty_bridges", "--seats", "human,random", "--lang", "de", typed="hint\nquit\n")
    assert done.returncode == 0 and re.search(r"\d+ %", done.stdout) and "von 100 solchen Spielen" in done.stdout, done.stderr
