"""The examples for researchers run, and say what they are there to show."""

import re
import runpy
from pathlib import Path
from typing import Any

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


def test_the_example_of_learning_plays_itself_and_counts_against_random_opponents(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["learning_example.py", "--games", "8", "--minutes", "0.02"])
    runpy.run_path(str(EXAMPLES / "learning_example.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    shares = [float(share) for share in re.findall(r"decisions: ([\d.]+)% against random", "\n".join(lines))]
    assert len(shares) == len(lines) >= 2 and all(0 < share < 100 for share in shares)
    assert "0 decisions" in lines[0] and int(lines[-1].split()[2].replace(",", "")) % (8 * 32) == 0


def test_what_comes_next_counts_for_the_seat_that_acted() -> None:
    known = runpy.run_path(str(EXAMPLES / "learning_example.py"))
    import jax.numpy as jnp

    def column(*values: float) -> Any:
        return jnp.array(values, jnp.float32)[:, None]

    nothing = jnp.zeros((3, 1))
    actors = jnp.array([[0], [1], [1]], jnp.int32)
    moments = known["Moment"](nothing, nothing, actors, nothing, nothing, column(0.1, 0.2, 0.4), column(0, 0, 1), column(0, 0, 1))
    discount, trace = known["DISCOUNT"], known["TRACE"]
    third = 1 - 0.4  # the game ended there: nothing comes after it
    second = discount * 0.4 - 0.2 + discount * trace * third  # the same seat went on
    first = -discount * 0.2 - 0.1 - discount * trace * second  # the other seat went on
    found = known["gains"](moments, jnp.array([0], jnp.int32), jnp.array([0.9], jnp.float32))
    assert found[:, 0].tolist() == pytest.approx([first, second, third])


def test_the_page_for_researchers_says_what_works() -> None:
    page = (ROOT / "docs" / "do" / "train.md").read_text("utf-8")
    known: dict[str, object] = {}
    for code in re.findall(r"```python\n(.+?)```", page, re.S):
        exec(compile(f"import bridgehead, pyspiel\n{code}", "researchers.md", "exec"), known)  # noqa: S102 - it is our own page
    assert known["env"].agents == [] and str(known["game"]) == "bridgehead_forty_bridges(first=random,maxLength=500)"
