"""A language in which every sentence is marked, and walks over everything that people read: no sentence may be unmarked."""

import copy
import functools
import html
import io
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path
from typing import Any

import pytest

import pseudo
from bridgehead.core import link, record, registry
from bridgehead.core.descriptions import about
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.options import build, describe, read
from bridgehead.core.phrases import Phrase, catalogue, languages, sentence
from bridgehead.core.spec import Spec
from bridgehead.core.tutorial import tutorial
from command_line import Shown
from pseudo import LANGUAGE, bare, names
from server.live import Live
from variants import at_random

every_game = pytest.mark.parametrize("spec", registry.specs().values(), ids=lambda spec: spec.id)


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The pseudo-language, as long as these tests run."""
    made = pseudo.write(tmp_path_factory.mktemp("languages"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(pseudo.EXTRA, str(made))
        languages.cache_clear()
        assert LANGUAGE in languages()
        yield made
    languages.cache_clear()


def told(error: BridgeheadError) -> str:
    return sentence(error.phrase, LANGUAGE)


def test_the_check_itself_finds_a_bare_word() -> None:
    assert bare("⟦You rolled ⟧6⟦.⟧") == [] and bare("⟦You rolled ⟧six⟦.⟧") == ["six"]
    assert bare("⟦no square ⟧'x9'⟦; there are ⟧a1, b2") == []
    assert pseudo.marked("{seat} takes {n} pieces") == "{seat}⟦ takes ⟧{n}⟦ pieces⟧"


@every_game
def test_what_a_game_says_of_itself(spec: Spec) -> None:
    words, english = about(spec, LANGUAGE), about(spec, "en")
    said = [words.players, words.line, *(words.preset(each) for each in spec.options.PRESETS)]
    for info in describe(spec):
        said += [words.name(info.name), words.text(info.name), words.describe_allowed(info.name, info.allowed, info.values)]
        assert english.name(info.name) != info.name and english.text(info.name)
    for clause in registry.game(spec.id).rulebook.clauses:
        said += [words.clause(clause.id), words.title(clause.id), words.section(clause.section)]
    for scene in tutorial(spec)[1]:
        keys = filter(None, (scene.text, scene.hint, scene.after, *scene.wrong.values()))
        said += [scene.match.game.words.tell(Phrase(key), LANGUAGE) for key in keys]
    assert [text for text in said if bare(text)] == []


@every_game
def test_what_is_said_at_the_board(spec: Spec) -> None:
    """Log, prompts, labels, buttons, seats, and why actions are not legal, in some random games."""
    lot, said = random.Random(3), set[str]()
    for _ in range(4):
        match = Match(Game(spec, build(spec, "", {})))
        while match.outcome is None and len(match.log) < 150:
            position, action = match.position, lot.choice(match.position.legal)
            said |= {position.tell_prompt(LANGUAGE), position.sentence(action, LANGUAGE)}
            for choice in spec.scene.choices(position, LANGUAGE):
                said |= {choice.label, choice.note}
            if len(match.log) % 10 == 0:
                scene = spec.scene
                picture = scene.picture(match.game, LANGUAGE)
                said |= {item.label for item in (*picture.fields, *scene.items(position, LANGUAGE))}
                for plate in scene.plates(position, LANGUAGE):
                    said |= {plate.name, *plate.lines}
                for wrong in lot.sample(range(match.game.action_count), 30):
                    if refusal := position.explain(wrong):
                        said.add(match.game.words.tell(refusal.phrase, LANGUAGE))
            match.play(action)
        said.add(match.position.tell_prompt(LANGUAGE))
    assert {text for text in said if bare(text, SEEN)} == set()


SEEN = {"JK"}


@every_game
def test_every_refusal_has_a_sentence(spec: Spec) -> None:
    words = catalogue(spec.folder)
    for code in spec.rules.REFUSALS:
        if code:
            assert words.has(code.key), code
            template = words.text(code.key, LANGUAGE)
            assert bare(re.sub(r"\{\w+\}", " ", template)) == [], code


# Parts of texts of positions, and places in the input.
PARTS = """phase take ride over moves terms bid choose size pillar colour piece line number seat walk
pieces bridges immune terms player mover turns quiet takes seen end field used drawn flip claim first last turn
barricades home head position action link roll draw place pass rolled rolls nobody none torched waiting alive
dead stepOff across stop"""


def broken(lot: random.Random, text: str, alphabet: list[str]) -> str:
    """A text in which something has been put out of order."""
    parts = re.split(r"(\W)", text)
    for _ in range(lot.randint(1, 2)):
        at = lot.randrange(len(parts) or 1)
        parts[at : at + lot.randint(0, 1)] = [] if lot.random() < 0.3 else [lot.choice(alphabet)]
    return "".join(parts)


@functools.cache
def played(spec: Spec) -> Match:
    return at_random(Game(spec, build(spec, "", {})), random.Random(7), 60)


def alphabet_of(texts: list[str]) -> list[str]:
    return sorted({word for text in texts for word in re.split(r"(\W)", text) if word} | {"9", "0", "x"})


@every_game
def test_whatever_is_wrong_with_a_position(spec: Spec) -> None:
    lot, heard, match = random.Random(7), set[str](), played(spec)
    texts = [position.text for position in match.positions]
    alphabet = alphabet_of(texts)
    for _ in range(700):
        try:
            match.game.load(broken(lot, lot.choice(texts), alphabet))
        except BridgeheadError as error:
            assert error.phrase.key != "plain", error
            assert bare(told(error), [*alphabet, PARTS]) == [], (str(error), told(error))
            heard.add(error.phrase.key)
    assert len(heard) >= 8


@every_game
def test_whatever_is_wrong_with_a_record_an_action_or_a_link(spec: Spec) -> None:
    lot, match = random.Random(9), played(spec)
    text = record.dump(match, ["Ada"] * match.game.seats)
    packed = link.pack(match, ["Ada"] * match.game.seats)
    alphabet = alphabet_of([text])
    for _ in range(150):
        for reader, source in ((record.load, text), (link.read, packed), (match.position.read, lot.choice(alphabet))):
            try:
                reader(broken(lot, source, alphabet))
            except BridgeheadError as error:
                whole = sentence(error.whole, LANGUAGE)
                assert bare(whole, [*alphabet, *names(), PARTS]) == [], (str(error), whole)


@every_game
def test_whatever_is_wrong_with_house_rules(spec: Spec) -> None:
    lot, heard = random.Random(5), set[str]()
    values: list[Any] = [None, True, -1, 0, 1, 3, 99, 10**30, 0.5, "", "x", "a1", [], [1], {}, {"a": 1}]
    options = [info.name for info in describe(spec)]
    for _ in range(600):
        wish = {lot.choice(options): lot.choice(values) for _ in range(lot.randint(1, 2))}
        try:
            Game(spec, build(spec, lot.choice(["", "", "nothing"]), wish))
        except BridgeheadError as error:
            assert error.phrase.key != "plain", error
            assert bare(told(error), {*names(), WORDS_OF_BOARDS}) == [], (str(error), told(error))
            heard.add(error.phrase.key)
    for typed in ("nothing", "nothing=1", "seats=x"):
        with pytest.raises(BridgeheadError) as caught:
            build(spec, "", read(spec, typed))
        assert bare(told(caught.value), names()) == []
    assert len(heard) >= 3


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where everything lies in a board file."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(value[key], (*path, key))


@pytest.mark.parametrize("name", ["barricade", "burning_bridges"])
def test_whatever_is_wrong_with_a_board_file(name: str) -> None:
    spec, lot, heard = registry.spec(name), random.Random(3), set[str]()
    files = [json.loads(file.read_text("utf-8")) for file in sorted((spec.folder / "boards").glob("*.json"))]
    known = {*names(), WORDS_OF_BOARDS}
    for _ in range(300):
        board = copy.deepcopy(lot.choice(files))
        *way, last = lot.choice([*places(board)])
        there = functools.reduce(lambda part, key: part[key], way, board)
        if lot.random() < 0.3:
            del there[last]
        else:
            there[last] = lot.choice([None, -1, 99_999, "", "x", [], {}, [1, 2], {"x": 1}, 0.5, "A" * 60])
        try:
            Game(spec, build(spec, "", {"board": board}))
        except BridgeheadError as error:
            assert bare(told(error), known) == [], (str(error), told(error))
            heard.add(error.phrase.key)
    assert len(heard) >= 6


# Keys of board files, which are typed as they are.
WORDS_OF_BOARDS = """
squares homes barricades final firstRowY pawnsPerPlayer name width height id color entry slots nodes edges families
family goals start colour
"""


def test_what_the_server_answers(tmp_path: Path) -> None:
    live = Live(tmp_path)
    try:
        asked: list[tuple[str, str, Any]] = [
            ("GET", "/api/games/chess/picture", None), ("GET", "/api/nothing", None), ("PUT", "/api/games", None),
            ("GET", "/api/tables/NOSUC/record", None), ("GET", "/api/analyses/" + "0" * 32, None),
            ("GET", "/api/labs/" + "0" * 32, None), ("GET", "/api/games/barricade/tutorial/why?step=99&touch=x", None),
            ("POST", "/api/check", {"game": "barricade", "options": {"seats": 6}}),
            ("POST", "/api/check", {"game": "barricade", "options": {"seats": "x"}}),
            ("POST", "/api/check", {"game": "barricade", "typo": 1}), ("POST", "/api/check", [1]),
            ("POST", "/api/tables", {"game": "chess"}), ("POST", "/api/qr", {"text": "x" * 9999}),
            ("POST", "/api/tables", {"game": "barricade", "seats": [{"kind": "person"}]}),
        ]  # fmt: skip
        for method, path, body in asked:
            at = path + ("&" if "?" in path else "?") + f"lang={LANGUAGE}"
            answer = live.http.request(method, at, json=body)
            assert answer.status_code >= 400, (path, answer.text)
            found = answer.json()
            assert bare(found["error"], {*names(), "game", "typo", "tool", "kind", "text"}) == [], (path, found)
        for content in (b"{", b"nope", b"[" * 100_000, b'{"game": "barricade", "x": "\xff"}'):
            answer = live.http.post(f"/api/check?lang={LANGUAGE}", content=content)
            assert answer.status_code in (400, 413) and bare(answer.json()["error"], names()) == [], answer.text
        strange = live.http.get(f"/api/games?lang={LANGUAGE}", headers={"host": "evil.example"})
        assert strange.status_code == 400 and bare(strange.json()["error"]) == []
        page = live.http.get(f"/t/NOSUC?lang={LANGUAGE}").text
        assert "⟦There is no such table. A short code ends when everybody is at the table; ask for a link.⟧" in page
    finally:
        live.stop()


@every_game
def test_what_is_printed_on_sheets(spec: Spec) -> None:
    pytest.importorskip("reportlab")
    from bridgehead.printing.sheet import Sheets

    game, said = registry.game(spec.id), list[str]()
    for thing in spec.components.things(game, LANGUAGE) if hasattr(spec, "components") else spec.box.things(game, LANGUAGE):
        said += [thing.name, thing.note]
    sheets = Sheets(spec.title, LANGUAGE, spec.folder)
    said += [sheets.sentence(key) for key in ("rules", "house", "contents", "making", "needed", "ruled", "optional")]
    assert [text for text in said if bare(text)] == []


COMMAND_NAMES = """
games serve backup restore prune drill play rules print perft random arena train lab endgames replay analyse verify audit new game
verifier fortress
conformance wasm site tune puzzles film book ratings complaints tournament completion
"""
COMMANDS = [
    "--help", "play --help", "lab --help", "serve --help", "games", "rules barricade", "rules burning_bridges BB-1.a",
    "random forty_bridges --games 3", "perft forty_bridges --depth 1", "play chess", "play barricade --seats captain,nobody",
    "play barricade --rules seats=99", "print barricade --paper a9", "replay nothing.record", "arena forty_bridges greedy",
    "play barricade --dealer dice", "train barricade --out /nowhere/x --player greedy --rounds 2",
]  # fmt: skip
# Words of the tools that read command lines, and what is typed as it is.
TYPED = """
usage options arguments commands error try for help show this message and exit required default text integer float path
file link directory true false int str bool python bridgehead cli no such command option argument browser webhooks
anywhere human captain nobody chess dice typed seed reading game name paper size data record folder range none
unfinished captured corner quiet repeated blocked drawn stale final limit nowhere letter whole missing
"""


TYPED_LINES = ["help", "?", "why a1-e5", "nonsense", "why nonsense", "undo", "board", "b2-b3", "undo", "quit"]
PLAY = "play forty_bridges --seats human,human"
GOLDEN = [f"verify {file}" for file in sorted((Path(__file__).parent / "fairness" / "golden").glob("*.json"))]


@pytest.fixture(scope="module")
def shown(folder: Path) -> dict[str, Shown]:
    """What commands show in a process of their own: help texts are in the language that is set when it starts."""
    env = {**os.environ, pseudo.EXTRA: str(folder), "LC_ALL": f"{LANGUAGE}_XX.UTF-8", "COLUMNS": "400", "NO_COLOR": "1"}
    asked = json.dumps([(command.split(), "\n".join([*TYPED_LINES, ""])) for command in (*COMMANDS, PLAY, *GOLDEN)])
    program = [sys.executable, str(Path(__file__).with_name("command_line.py"))]
    done = subprocess.run(program, env=env, input=asked, capture_output=True, text=True, timeout=300, check=True)
    return dict(zip((*COMMANDS, PLAY, *GOLDEN), starmap(Shown, json.loads(done.stdout)), strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_terminal_says(command: str, shown: dict[str, Shown]) -> None:
    said = shown[command].stdout + shown[command].stderr
    known = {*names(), *languages(), TYPED, LEVELS, *command.split(), COMMAND_NAMES if command == "--help" else ""}
    plain = re.sub(r"⟦[^⟦⟧]*\.\.\.|\s--?[\w-]+|\[[^\]]*\]|[A-Z]{2,}\S*|\{\"[^}]*\}", " ", " ".join(said.split()))
    assert said and bare(plain, known) == []


LEVELS = """
wanderer scout guide ranger engineer captain strategist master
"""


def test_what_is_said_while_playing(shown: dict[str, Shown]) -> None:
    lines = (shown[PLAY].stdout + shown[PLAY].stderr).splitlines()
    assert [line for line in lines if bare(line, {*names(), *TYPED_LINES, PARTS})] == [] and shown[PLAY].returncode == 0


def test_an_analysis_is_in_the_language(tmp_path: Path) -> None:
    from bridgehead.players import analysis, report

    spec = registry.spec("forty_bridges")
    match = at_random(Game(spec, build(spec, "", {"setup": "row"})), random.Random(1), 4)
    steps = [analysis.step(match, at, 30, 1) for at in range(len(match.log))]
    study = analysis.summarize_match(match, ["Ada", "Ben"], steps, 30, 1)
    page = report.page(match, study, LANGUAGE)
    text = re.sub(r"<[^>]+>", "\n", re.sub(r"<style.*?</style>|<svg.*?</svg>", " ", page, flags=re.S))
    left = [line for line in io.StringIO(text).read().splitlines() if bare(line, {*names(), "Ada", "Ben", "seed"})]
    assert left == []


def text_of(page: str) -> str:
    """All texts of a page, also those in its drawings, a line each."""
    return re.sub(r"<[^>]+>", "\n", re.sub(r"<style.*?</style>|<code.*?</code>|<pre.*?</pre>", " ", page, flags=re.S))


# Parts of reports that are no sentences: statistics, libraries, players as they are typed.
STATISTICS = "Python NumPy Numba SciPy greedy random"


@pytest.mark.long
def test_a_study_of_the_lab_is_in_the_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from bridgehead.workshop.lab import decision_samples, report, study
    from bridgehead.workshop.lab.action_kinds import kinds
    from bridgehead.workshop.lab.answers.answer import Thresholds
    from bridgehead.workshop.lab.plan import AS_WRITTEN, Arm, Duel, Plan, Strength, check_plan
    from bridgehead.workshop.lab.running import Results, finish

    monkeypatch.setattr(decision_samples, "BUDGETS", (2, 4, 6))
    arms = (Arm(AS_WRITTEN), Arm("quietLimit=30", {"quietLimit": 30}))
    strengths = (Strength("random", 4, 2000), Strength("greedy", 3))
    duels = (Duel("greedy", "random", 1), Duel("greedy without take", "greedy", 1))
    results = finish(Results(check_plan(Plan("forty_bridges", "", arms, strengths, duels, weighed=3, looks=1, readings=1))))
    page = report.build_report(results, Thresholds(), "bridgehead lab forty_bridges", language=LANGUAGE)
    lines = html.unescape(text_of(page)).splitlines()
    known = {*names(), STATISTICS, *kinds(results.plan.make_game(0)).names}
    assert len(lines) > 500 and {line for line in lines if bare(line, known)} == set()
    content = study.write_study(results, Thresholds(), "bridgehead lab forty_bridges", tmp_path, LANGUAGE)
    for answer in content["arms"][0]["answers"]:
        assert bare(answer["question"]) == [] and bare(answer["sentence"], known) == []


def test_what_verify_and_audit_find(shown: dict[str, Shown]) -> None:
    from bridgehead.fairness import proof
    from bridgehead.server.catalogue import WORDS
    from bridgehead.server.storage.audit import AuditFinding

    words = catalogue(Path(proof.__file__).parent)
    keys = [key for key in words.keys("en") if key.startswith("finding.")]
    assert len(keys) > 20 and [key for key in keys if bare(re.sub(r"\{\w+\}", " ", words.text(key, LANGUAGE)))] == []
    for key in (key for key in WORDS.keys("en") if key.startswith("audit.")):
        assert bare(re.sub(r"\{\w+\}", " ", WORDS.text(key, LANGUAGE))) == [], key
    said = sentence(AuditFinding("T07", 6, Phrase("server:audit.broken")).phrase, LANGUAGE)
    assert bare(said) == [] and "⟦this does not follow" in said
    for command in GOLDEN:
        assert shown[command].stdout and bare(shown[command].stdout, ["GOLDEN"]) == [], shown[command]


@every_game
def test_every_end_of_a_game_has_a_name(spec: Spec) -> None:
    for reason, _ in spec.rules.REASONS[1:]:
        assert catalogue(spec.folder).has(f"reason.{reason}") and bare(about(spec, LANGUAGE).reason(reason)) == []


@every_game
def test_the_printed_rules_are_in_the_language(spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("reportlab")
    from bridgehead.printing import rulebook
    from bridgehead.printing.sheet import Sheets

    monkeypatch.setattr(rulebook, "to_printable", str)  # the fonts lack the marks
    story = [*rulebook._story(Sheets(spec.title, LANGUAGE, spec.folder), registry.game(spec.id))]
    text = [each.getPlainText() for each in story]
    assert len(text) > 30 and [line for line in text if bare(line, names())] == []
