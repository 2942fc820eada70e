"""The examples for researchers run, and say what they are there to show."""

import re
import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.wide
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "researchers"


def said(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    runpy.run_path(str(EXAMPLES / f"{name}.py"))
    return capsys.readouterr().out


def test_the_example_of_pettingzoo_plays_observes_and_looks_ahead_in_copies(capsys: pytest.CaptureFixture[str]) -> None:
    told = said("pettingzoo_example", capsys)
    assert re.search(r"^  the die shows [1-6]$", told, re.M) and re.search(r"^  barricade: on \d+ squares$", told, re.M)
    assert re.search(r"first seat gets [+-][01]\.\d\d a game, over 20 games", told)
    assert len(re.findall(r"^  to [a-d]1: [+-][01]\.\d\d$", told, re.M)) == 4
    assert "the original game is unchanged: True" in told
    assert re.findall(r"^  (seat_\d) plays", told, re.M) == ["seat_0", "seat_1"] * 2


def test_the_example_of_openspiel_plays_writes_down_and_searches(capsys: pytest.CaptureFixture[str]) -> None:
    told = said("openspiel_example", capsys)
    assert "The Front Lines: EXPLICIT_STOCHASTIC, PERFECT_INFORMATION, ZERO_SUM" in told
    assert re.search(r"chance \(0\.025\): draw \w+$", told, re.M) and "seats get [" in told
    assert "(the same)" in told
    assert sum(int(visits) for visits in re.findall(r"(\d+) visits", told)) in (199, 200)


def test_the_page_for_researchers_says_what_works() -> None:
    page = (ROOT / "docs" / "do" / "train.md").read_text("utf-8")
    known: dict[str, object] = {}
    for code in re.findall(r"```python\n(.+?)```", page, re.S):
        exec(compile(f"import bridgehead, pyspiel\n{code}", "researchers.md", "exec"), known)  # noqa: S102 - it is our own page
    assert known["env"].agents == [] and str(known["game"]) == "bridgehead_forty_bridges(first=random,maxLength=500)"
