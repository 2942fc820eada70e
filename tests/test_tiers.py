"""The three parts of the tests: `make test`, `make test-all` and `make test-long`. Together they are all tests, each once."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHOSEN = re.compile(r"^(run-tests|test-all|test-long):.*\n(?:\t.*\n)*?\t\$\(PYTEST\) -m (.+)$", re.M)
PARTS = dict(CHOSEN.findall((ROOT / "Makefile").read_text("utf-8")))
MARKED = """
import pytest

def test_quick(): ...
@pytest.mark.wide
def test_wide(): ...
@pytest.mark.long
def test_long(): ...
@pytest.mark.wide
@pytest.mark.long
def test_both(): ...
"""
QUICK = (  # what `make test` has at least
    "games/test_barricade.py", "games/test_burning_bridges.py", "games/test_forty_bridges.py", "games/test_front_lines.py",
    "test_conformance.py", "test_clauses.py", "proof/test_goldens.py", "server/test_protocol.py", "server/test_table.py",
    "server/test_storage.py", "server/test_hash_chain.py", "site/test_build.py", "e2e/test_whole_games.py",
    "e2e/test_screen_reader.py", "e2e/test_newcomer.py", "test_pseudo_language.py", "core/test_languages.py", "test_house.py",
)  # fmt: skip


def test_each_test_is_in_one_part(tmp_path: Path) -> None:
    (tmp_path / "test_marked.py").write_text(MARKED)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  wide\n  long\n")
    found = {}
    for part, chosen in PARTS.items():
        command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "-m", chosen.strip('"')]
        shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        found[part] = re.findall(r"::test_(\w+)", shown)
    assert found == {"run-tests": ["quick"], "test-all": ["wide"], "test-long": ["long", "both"]}


def test_continuous_integration_runs_the_first_two_parts() -> None:
    assert (ROOT / ".ci/run").read_text("utf-8").endswith("\nmake test\nmake test-all\n")


@pytest.mark.parametrize("file", QUICK)
def test_the_quick_part_has_the_most_important_of_everything(file: str) -> None:
    text = (ROOT / "tests" / file).read_text("utf-8")
    assert re.search(r"^def test_|import \*", text, re.M) and not re.search(r"^pytestmark\b.*(?:wide|long)", text, re.M)


def test_other_tests_of_the_browser_are_left_to_the_wide_part() -> None:
    files = [file for file in (ROOT / "tests/e2e").glob("test_*.py") if f"e2e/{file.name}" not in QUICK]
    assert len(files) > 30
    assert [file.name for file in files if not re.search(r"^pytestmark\b.*(?:wide|long)", file.read_text("utf-8"), re.M)] == []
