"""What the README says works as it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import bridgehead

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_library_example_plays_a_game_to_its_end() -> None:
    code = re.search(r"```python\n(.+?)```", README, re.S)
    assert code is not None
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code[1], "README.md", "exec"), {})  # noqa: S102 - it is our own page
    assert re.fullmatch(r"final \(\d,\)\n", said.getvalue())


def test_the_player_of_the_library_example_chooses_a_legal_action() -> None:
    code = re.findall(r"```python\n(.+?)```", README, re.S)[1]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(f"import bridgehead\n{code}", "README.md", "exec"), {})  # noqa: S102 - it is our own page
    assert int(said.getvalue()) in bridgehead.game("forty_bridges").start().legal


def test_every_link_of_the_documents_leads_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), (page.name, target)
