"""A game whose behaviour changed: records made under the rules before still replay, and everything says which rules they had."""

import gzip
import importlib
import json
import pickle
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from rich.console import Console

from bridgehead.core import link, record, registry
from bridgehead.core.errors import BridgeheadError, RecordError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.spec import Spec
from bridgehead.server.rooms import replays
from bridgehead.terminal import shows
from bridgehead.terminal.new_game import write

ROW = ("a1", "a2", "b1", "b2", "c1")  # seat 1 gets three in a row with the last of them


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A game under rules 2: three in a row loses. Under rules 1 it won."""
    root = tmp_path_factory.mktemp("older")
    write("misere", root)
    folder = root / "misere"
    (folder / "rules_1").mkdir()
    shutil.copy(folder / "rules.py", folder / "rules_1")
    shutil.copy(folder / "rulebook.toml", folder / "rules_1")
    for file, old, new in (
        ("rules.py", "state.winner = seat", "state.winner = 1 - seat"),
        ("__init__.py", 'version="1"', 'version="2", older=("1",)'),
        ("rulebook.toml", 'id = "T-3"', 'id = "T-4"'),
    ):
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), "utf-8")
    sys.path.insert(0, str(root))
    yield folder
    sys.path.remove(str(root))


@pytest.fixture
def today(package: Path, monkeypatch: pytest.MonkeyPatch) -> Spec:
    spec: Spec = importlib.import_module("misere").SPEC
    known: Mapping[str, Spec] = {**registry.specs(), "misere": spec}
    monkeypatch.setattr(registry, "specs", lambda: known)
    return spec


def played(spec: Spec) -> Match:
    match = Match(Game(spec, spec.options.Options()))
    for action in ROW:
        match.play(action)
    return match


@pytest.fixture
def old(today: Spec) -> Match:
    """A match under rules 1."""
    spec = today.of_rules("1")
    assert spec is not None
    return played(spec)


def test_a_record_of_older_rules_replays_under_them(today: Spec, old: Match) -> None:
    text = record.dump(old)
    assert "\nrules: 1\n" in text and "three, seat 1 wins" in text
    assert "three, seat 2 wins" in record.dump(played(today))
    for again, _ in (record.load(text), link.read(link.pack(old, ["", ""]))):
        assert again.game == old.game != registry.game("misere")
        assert again.outcome == old.outcome and again.positions == old.positions
    with pytest.raises(RecordError, match="three, seat 2 wins"):  # today's rules end the same actions otherwise
        record.load(text.replace("rules: 1", "rules: 2"))
    with pytest.raises(RecordError, match=r"line 3: made under rules 3, installed are rules 2 of Misere"):
        record.load(text.replace("rules: 1", "rules: 3"))


def test_older_rules_take_from_their_folder_what_is_there_and_the_rest_from_today(today: Spec, old: Match) -> None:
    spec = old.game.spec
    assert spec is today.of_rules("1") and today.of_rules("2") is today and today.of_rules("0") is None
    assert (spec.rules.apply.__module__, today.rules.apply.__module__) == ("misere.rules_1.rules", "misere.rules")
    assert {clause.id for clause in spec.rulebook.clauses} - {clause.id for clause in today.rulebook.clauses} == {"T-3"}
    assert spec.words.name(old.position, 0) == "a1" and spec.folder == today.folder
    assert pickle.loads(pickle.dumps(old.game)).spec is spec
    assert pickle.loads(pickle.dumps(old.position)) == old.position


def test_the_terminal_and_the_page_say_which_rules_a_replay_has(old: Match, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record.dump(old), "utf-8")
    console = Console(record=True, width=200)
    shows.replay(str(file), True, "", "en", False, console)
    assert "Played under rules 1, which differ from today's (rules 2)." in console.export_text()
    film = json.loads(gzip.decompress(replays.film(record.dump(old), "de", 100)))
    assert film["notes"][0] == {"at": 0, "text": "Nach Regeln 1 gespielt; heute gelten Regeln 2."}


def test_a_game_under_older_rules_is_not_played_on(old: Match) -> None:
    with pytest.raises(BridgeheadError, match="played under rules 1: such a game can be replayed, but not played on"):
        replays.beginning(record.dump(old), 2, 100)


def test_a_record_of_todays_rules_has_no_such_note(today: Spec) -> None:
    film = json.loads(gzip.decompress(replays.film(record.dump(played(today)), "en", 100)))
    assert film["notes"] == []
