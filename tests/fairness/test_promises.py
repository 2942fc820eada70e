"""The document on sealed chance promises no more than tests hold: each guarantee names them, and each alarm has its step."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/understand/fairness.md").read_text("utf-8")


def section(begin: str, end: str) -> str:
    return DOCUMENT.split(begin, 1)[1].split(end, 1)[0]


def test_each_guarantee_is_held_by_tests_that_exist() -> None:
    tests = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.M)
    }
    promised = re.findall(r"^(\d)\. \*\*", section("## What it guarantees", "##"), re.M)
    rows = re.findall(r"^\| (\d) \| (.*) \|$", section("Each guarantee is held", "## What it does not"), re.M)
    assert [number for number, _ in rows] == promised and len(promised) >= 5
    for number, row in rows:
        named = re.findall(r"`(test_\w+)`", row)
        assert named and tests.issuperset(named), (number, {*named} - tests)


def test_each_alarm_is_named_where_the_document_says_what_a_client_checks() -> None:
    words = tomllib.loads((ROOT / "src/bridgehead/fairness/languages/en.toml").read_text("utf-8"))
    alarms = {key.removeprefix("alarm.") for key in words if key.startswith("alarm.")}
    named = set(re.findall(r"`(\w+)`", section("### What a client checks", "### The proof")))
    assert len(alarms) > 25 and alarms <= named, alarms - named


def test_the_table_of_generated_cheats_says_that_nothing_went_unseen() -> None:
    rows = dict(
        re.findall(r"^\| (.+?) \| (\d+ \| \d+) \|$", section("### Cheating servers by generation", "Each guarantee"), re.M)
    )
    assert sum(int(number) for row in rows.values() for number in row.split(" | ")) == 1000 and rows["unseen"] == "0 | 0"
