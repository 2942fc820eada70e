"""A game whose behaviour changed: records made under the rules before still replay, and everything says which rules they had."""

import gzip
import json
import pickle
from pathlib import Path

import pytest
from rich.console import Console

from bridgehead.core import link, record, registry
from bridgehead.core.errors import BridgeheadError, RecordError, UnknownGame
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.spec import Spec
from bridgehead.server.rooms import replays
from bridgehead.terminal import shows
from made_up_change import ROW


def played(spec: Spec) -> Match:
    match = Match(Game(spec, spec.options.Options()))
    for action in ROW:
        match.play(action)
    return match


@pytest.fixture
def old(misere: Spec) -> Match:
    """A match under rules 1."""
    spec = misere.of_rules("1")
    assert spec is not None
    return played(spec)


def test_a_record_of_older_rules_replays_under_them(misere: Spec, old: Match) -> None:
    text = record.dump(old)
    assert "\nrules: 1\n" in text and "three, seat 1 wins" in text
    assert "three, seat 2 wins" in record.dump(played(misere))
    for again, _ in (record.load(text), link.read(link.pack(old, ["", ""]))):
        assert again.game == old.game != registry.game("misere")
        assert again.outcome == old.outcome and again.positions == old.positions
    with pytest.raises(RecordError, match="three, seat 2 wins"):  # today's rules end the same actions otherwise
        record.load(text.replace("rules: 1", "rules: 2"))
    with pytest.raises(RecordError, match=r"line 3: made under rules 3, installed are rules 2 of Misere"):
        record.load(text.replace("rules: 1", "rules: 3"))


def test_older_rules_take_from_their_folder_what_is_there_and_the_rest_from_today(misere: Spec, old: Match) -> None:
    spec = old.game.spec
    assert spec is misere.of_rules("1") and misere.of_rules("2") is misere and misere.of_rules("0") is None
    assert (spec.rules.apply.__module__, misere.rules.apply.__module__) == ("misere.rules_1.rules", "misere.rules")
    assert {clause.id for clause in spec.rulebook.clauses} - {clause.id for clause in misere.rulebook.clauses} == {"T-3"}
    assert spec.words.name(old.position, 0) == "a1" and spec.folder == misere.folder
    assert pickle.loads(pickle.dumps(old.game)).spec is spec
    assert pickle.loads(pickle.dumps(old.position)) == old.position
    assert (spec.rules_id, misere.rules_id) == ("misere@1", "misere")
    assert (registry.open_game("misere@1", "{}"), registry.open_game("misere", "{}")) == (
        old.game,
        Game(misere, old.game.options),
    )
    with pytest.raises(UnknownGame, match="misere@3"):
        registry.open_game("misere@3", "{}")


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


def test_a_record_of_todays_rules_has_no_such_note(misere: Spec) -> None:
    film = json.loads(gzip.decompress(replays.film(record.dump(played(misere)), "en", 100)))
    assert film["notes"] == []
