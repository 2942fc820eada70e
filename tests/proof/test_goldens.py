"""Records and action numbers of earlier days are still those of today: a change needs a new rules version."""

import json
from pathlib import Path
from typing import Any

import pytest
from make_records import ACTIONS, GAMES, RECORDS, digest, listing

from bridgehead.core import record, registry
from bridgehead.core.errors import RecordError

FILES = sorted(RECORDS.glob("*.txt"))
CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def test_there_are_five_records_a_game_with_house_rules_among_them() -> None:
    assert [file.name for file in FILES] == [f"{name}-{i}.txt" for name in sorted(GAMES) for i in range(1, 6)]
    told = (RECORDS / "README.md").read_text("utf-8")
    assert all(f"`{file.name}`" in told for file in FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_record_replays_to_the_same_text_and_result(file: Path, counted: Any) -> None:
    text = file.read_text("utf-8")
    match, names = record.load(text)
    counted(match.game.spec.id, len(match.log), "actions")
    assert record.dump(match, names) == text


@pytest.mark.parametrize("version", ["0", "2", "99", "1.1", ""])
@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_record_of_other_rules_is_refused_with_what_to_install(name: str, version: str) -> None:
    text, spec = (RECORDS / f"{name}-1.txt").read_text("utf-8"), registry.spec(name)
    assert f"\nrules: {spec.version}\n" in text  # every record tells its rules
    assert record.load(text)[0].game.key[:2] == (name, spec.version)  # and so does every match
    with pytest.raises(RecordError) as refused:
        record.load(text.replace(f"\nrules: {spec.version}\n", f"\nrules: {version}\n", 1))
    assert refused.value.where == "line 3"
    assert f"rules {version}" in refused.value.what and f"rules {spec.version} of {spec.title}" in refused.value.what
    assert "install the bridgehead release that has them" in refused.value.what and "CHANGELOG.md" in refused.value.what


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_changelog_tells_the_rules_version_of_every_game(name: str) -> None:
    spec = registry.spec(name)
    assert f"{spec.title} (rules {spec.version})" in CHANGELOG.read_text("utf-8")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_action_numbers_keep_their_texts(name: str) -> None:
    text = (ACTIONS / f"{name}.txt").read_text("utf-8")
    assert listing(name) == text
    assert json.loads((ACTIONS / "digests.json").read_text("utf-8"))[name] == digest(text)


@pytest.mark.parametrize("file", FILES[::5], ids=lambda file: file.stem)
def test_a_record_without_its_last_turn_is_refused(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    with pytest.raises(RecordError):
        record.load("\n".join(lines[:-1]) + "\n")
