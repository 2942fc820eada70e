"""Extras: each names its packages; tests/test_bare_machine.py tries what happens without them."""

import importlib.util
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import bridgehead
from bridgehead.core import extras
from programs import program

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(("extra", "package"), [(extra, each) for extra, found in extras.PACKAGES.items() for each in found])
def test_an_extra_is_missing_without_any_one_of_its_packages(extra: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == package else find(name) or True)
    with pytest.raises(extras.MissingExtra, match=rf"^This needs the extra `{extra}`: pip install 'bridgehead\[{extra}\]'$"):
        extras.require(extra)


def test_the_packages_of_each_extra_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    offered = set(project["optional-dependencies"]) - {"test", "mutants", "docs", "fuzz"}
    assert offered == set(extras.PACKAGES) == set(program("bare_machine").CODES)
    base = " ".join(project["dependencies"])
    assert not [name for names in extras.PACKAGES.values() for name in names if f"{name}>" in base]


def test_python_m_bridgehead_is_the_command(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def run(*arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "bridgehead", *arguments], capture_output=True, text=True, cwd=tmp_path, env=environment,
            timeout=120, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    code = "import sys; sys.argv = ['bridgehead']; import bridgehead.cli"  # without any argument too
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, timeout=120, check=False).returncode == 0
    assert run("--version") == (0, f"bridgehead {bridgehead.__version__}\n", "")
    code, out, err = run("rules", "barricade", "BA-R.5")
    assert code == 0 and "BA-R.5" in out and not err
    code, out, err = run("rules", "chess")
    assert code == 2 and not out and err.startswith("bridgehead: ") and err.count("\n") == 1
