"""The paper: its text has the figures that its data files have, and its data have the shapes of what makes them."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import paper  # noqa: E402


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    return paper.facts()


def test_the_paper_says_what_its_data_say(found: dict[str, str]) -> None:
    assert paper.PAGE.read_text("utf-8") == paper.filled(paper.TEXT.read_text("utf-8"), found), "make paper MORE=--write"


def test_the_page_for_training_has_the_papers_figures(found: dict[str, str]) -> None:
    page = paper.TRAIN.read_text("utf-8")
    for name in ("batch", "vector", "zoo", "shown"):
        assert found[name] in page, name
    assert paper.marked(page, found | {"shown": f"\n{found['shown']}\n"}) == page


def test_every_figure_of_the_text_is_a_name(found: dict[str, str]) -> None:
    """No rate, percentage or ratio is written by hand; what else has digits are names, dates and numbers of the design."""
    text = paper.TEXT.read_text("utf-8").partition("## References")[0]
    assert not re.search(r"\d[\d.,]* ?(%|M\b|k\b|times)", text)
    assert {name for name in re.findall(r"\{\{(\w+)\}\}", text)} <= found.keys()


def test_one_command_makes_every_data_file() -> None:
    made = {*paper.BENCHES, *paper.OWN, "machine"}
    there = {file.stem for file in (paper.PAPER / "data").iterdir()}
    assert made - {*paper.BENCHES} <= there <= made
    assert (paper.LATER in paper.PAGE.read_text("utf-8")) == (not made <= there), "what was not measured is said to be so"
    assert "tools/paper.py" in (ROOT / "Makefile").read_text("utf-8")
    assert all((ROOT / "bench" / script).exists() for script in paper.BENCHES.values())
