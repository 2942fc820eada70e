"""A report of a real game: the same run gives the same page, which stands for itself; runs are stopped and gone on with."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridgehead.core import link, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import OptionError
from bridgehead.workshop.lab import decision_samples, reader, readings, report, study
from bridgehead.workshop.lab.answers.answer import Thresholds, thresholds
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.readings import fields_of, place_clauses
from bridgehead.workshop.lab.running import Results, finish
from bridgehead.workshop.lab.words import side_names

pytestmark = pytest.mark.wide


@pytest.fixture(scope="module")
def results() -> Iterator[Results]:
    strengths = (Strength("random", 6), Strength("greedy", 4))
    arms = (Arm("as written"), Arm("shorter", {"quietLimit": 30}))
    plan = check_plan(Plan("forty_bridges", "", arms, strengths, (Duel("greedy", "random", 2),), weighed=4, looks=1, readings=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decision_samples, "BUDGETS", (2, 4, 6))  # tests run uncompiled
        yield finish(Results(plan))


@pytest.mark.long
def test_the_page_stands_for_itself_and_is_the_same_every_time(results: Results, tmp_path: Path) -> None:
    page = report.build_report(results, Thresholds(), "bridgehead lab forty_bridges", "First thought.\n\nSecond <b>thought</b>.")
    assert page == report.build_report(
        results, Thresholds(), "bridgehead lab forty_bridges", "First thought.\n\nSecond <b>thought</b>."
    )
    addresses = set(re.findall(r"https?://[^/\"'#]+", page))
    assert addresses <= {"http://127.0.0.1:8000", "http://www.w3.org"} and "<script" not in page and "@import" not in page
    said = report.text_of(page)
    assert "Second <b>thought</b>." in said and "Second <b>" not in page
    assert "6 games of random (no random opening)" in said
    assert "4 games of greedy (the first 2 actions of each seat at random)" in said, "the opening is stated"
    found = study.answers(results, Thresholds())
    assert [each.number for each in found] == list(range(1, 13))
    assert all(each.question in said and each.sentence in said for each in found)
    games = re.findall(r"/replay#g=([\w-]{70,})\"", page)
    assert len(games) == 6
    for packed in games:
        match, names = link.read(packed)
        assert match.outcome is not None and names == ["greedy", "greedy"]
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        study.write_study(results, Thresholds(), "bridgehead lab forty_bridges", folder)
    files = sorted(each.name for each in (tmp_path / "one").iterdir())
    assert "answers.json" in files and len(files) == 5
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files)


@pytest.mark.long
def test_the_page_and_the_answers_are_in_the_language_and_names_of_measures_stay(results: Results, tmp_path: Path) -> None:
    page = report.build_report(results, Thresholds(), "bridgehead lab forty_bridges --language de", language="de")
    text = report.text_of(page)
    assert '<html lang="de">' in page and "Zwölf Fragen" in text and "Endet es immer, und wie?" in text
    assert "Wer gewinnt: Anteil der entschiedenen Spiele" in page
    assert re.search(r"\d,\d % \(|\d,\d %", text) and not re.search(r"\d\.\d+ %", text)
    found = {}
    for language in ("en", "de"):
        (tmp_path / language).mkdir()
        found[language] = study.write_study(results, Thresholds(), "bridgehead lab forty_bridges", tmp_path / language, language)
    english, german = (found[each]["arms"][0]["answers"] for each in ("en", "de"))
    assert [each["measures"] for each in english] == [each["measures"] for each in german]
    assert all(one["sentence"] != other["sentence"] for one, other in zip(english, german, strict=True))


def test_the_headline_of_an_own_board_is_its_name_and_sides_have_the_colours_of_the_table() -> None:
    board = json.loads((registry.spec("barricade").folder / "boards" / "classic.json").read_text("utf-8"))
    assert report.headline(registry.game("barricade", board={**board, "name": "Windmill"})) == "Windmill (Barricade)"
    assert report.headline(registry.game("barricade", seats=2)) == "Barricade"
    assert [name("en") for name in side_names(registry.game("barricade"))] == ["Blue", "Yellow", "Orange", "Purple"]


def test_the_heat_map_counts_what_moves_and_what_is_placed() -> None:
    dealer, lot = SeededDealer("dice"), SeededDealer("lot")
    for name, first, placed in (("burning_bridges", "build", 2), ("barricade", "place", 1)):
        game = registry.game(name)
        position, actions, counted = game.start(), list[int](), 0
        while not counted:
            words = {action: game.spec.words.name(position, action) for action in position.legal}
            wanted = [] if position.is_chance else [action for action, word in words.items() if word.startswith(first)]
            index = len(actions)
            action = dealer.deal(position, index) if position.is_chance else lot.pick(wanted or position.legal, index)
            counted = len(wanted)
            before = reader.read(game, actions)["entered"] if counted else Counter()
            actions.append(action)
            position = position.play(action)
        after = reader.read(game, actions)["entered"]
        assert sum((after - before).values()) == placed, (name, after - before)


@pytest.mark.parametrize(("name", "rules"), [("forty_bridges", {}), ("burning_bridges", {"seats": 2, "firstPlayer": "seat0"})])
def test_an_exchange_of_sides_enters_no_field_and_takes_no_piece(name: str, rules: dict[str, Any]) -> None:
    game = registry.game(name, pie=True, **rules)
    position, actions = game.start(), list[int]()
    while position.actor == 0:
        actions.append(int(position.legal[0]))
        position = position.play(actions[-1])
    before = reader.read(game, actions)
    after = reader.read(game, [*actions, position.action("swap")])
    assert after["entered"] == before["entered"] and after["taken"] == before["taken"]


def test_rows_of_clauses_stay_what_they_are_when_a_rulebook_tells_its_clauses_in_another_order() -> None:
    game = registry.game("burning_bridges")
    assert [*place_clauses(game)] == sorted(clause.id for clause in game.rulebook.clauses)
    assert [*place_clauses(game)] != [clause.id for clause in game.rulebook.clauses], "the rulebook begins with how one wins"


def test_games_that_are_read_again_tell_clauses_and_fields(results: Results) -> None:
    game, rows = results.plan.make_game(0), results.rows("readings", 1)
    clauses = {clause for clause, i in place_clauses(game).items() if rows["clauses"][0, i].any()}
    assert {"FB-1.a", "FB-3"} & clauses and len(clauses) < len(game.rulebook.clauses)
    plies = results.rows("games", 1)["plies"][: len(rows)]
    assert len(plies) == len(rows) == readings.sizes(results.plan)[1][0]
    entered = rows["entered"].sum(axis=1)
    assert (0.5 * plies <= entered).all() and (entered <= plies).all() and rows["entered"].shape[1] == len(fields_of(game))
    look = results.rows("looks", 1)[0]
    legal = look["legal"][look["legal"] > 0]
    assert len(legal) > 1 and (look["near"][: len(legal)] >= 1).all() and (look["near"][: len(legal)] <= legal).all()
    assert np.all(np.abs(look["regret"]) <= 1) and look["regret"].max() > 0, "another search may value the choice of one lower"


def test_thresholds_of_a_designer_move_the_lights_and_wrong_ones_are_refused(results: Results, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("minutes = [0.1, 0.2]\n", "utf-8")
    told = {limits: study.answers(results, thresholds(limits))[2].light for limits in (None, file)}
    assert told == {None: "good", file: "bad"}
    for wrong in ("minutes = 3", "hours = [1, 2]", "minutes = ["):
        file.write_text(wrong, "utf-8")
        with pytest.raises(OptionError, match="mine.toml"):
            thresholds(file)


@pytest.mark.long
def test_a_study_that_is_stopped_is_gone_on_with(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "bridgehead.cli", "lab", "front_lines", "--games", "2400", "--players", "random,greedy"]
    command += ["--workers", "1", "--out", str(folder)]
    going = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until = time.monotonic() + 240
    while not list(folder.glob("parts/*.npy")):
        assert time.monotonic() < until and going.poll() is None
        time.sleep(0.1)
    os.killpg(going.pid, signal.SIGINT)  # as a terminal does: its readers hear it too
    said = going.communicate(timeout=240)[1]
    assert going.returncode == 130 and "the same command continues" in said and "Traceback" not in said
    kept = {file.name: file.stat().st_mtime_ns for file in folder.glob("parts/*.npy")}
    assert kept and not (folder / "report.html").exists()
    wrong = subprocess.run([*command[:-4], "--seed", "2", *command[-4:]], capture_output=True, text=True, timeout=120)
    assert wrong.returncode == 2 and "another run" in wrong.stderr and "Traceback" not in wrong.stderr
    assert kept == {file.name: file.stat().st_mtime_ns for file in folder.glob("parts/*.npy")}
