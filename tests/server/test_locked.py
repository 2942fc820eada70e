"""What a host installs is pinned and hashed, and a look for known holes never calls no answer a good one."""

import json
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from programs import program

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)", re.MULTILINE)


def pins(file: str) -> dict[str, str]:
    """The versions that a file pins, by name as package indexes compare them."""
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in PIN.findall((ROOT / file).read_text("utf-8"))}


@pytest.mark.parametrize("file", ["deploy/requirements.lock", "deploy/modules.lock"])
def test_what_a_host_installs_has_hashes_and_the_pinned_versions(file: str) -> None:
    locked, pinned = pins(file), pins("constraints.txt")
    assert locked and {name: version for name, version in locked.items() if pinned.get(name, version) != version} == {}
    text = (ROOT / file).read_text("utf-8")
    for entry in re.split(r"\n(?=\S)", text):
        if "==" in entry:
            assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), entry[:80]
    assert "://" not in text, "it names no place that packages come from"


def test_nothing_that_is_needed_is_missing_from_the_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["cluster"]]
    asked += project["build-system"]["requires"]
    names = {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=~;! ]", each)[0]).lower() for each in asked}
    assert names - pins("deploy/requirements.lock").keys() == set()
    container = (ROOT / "deploy/Containerfile").read_text("utf-8")
    assert "--require-hashes" in container and "--no-deps --no-build-isolation" in container


def test_a_compiler_makes_the_modules_of_the_image_and_is_not_in_it() -> None:
    _, build, worker = (ROOT / "deploy/Containerfile").read_text("utf-8").split("\nFROM ")
    assert "--requirement modules.lock" in build and "tools/modules.py" in build and "hatchling build" in build
    assert "--from=wheel /app/dist" in worker and "modules.lock" not in worker
    assert "numba" in pins("deploy/modules.lock") and "numba" not in pins("deploy/requirements.lock")


@pytest.fixture
def audit() -> Any:
    return program("audit")


def answer(status: int, **packages: dict[str, Any]) -> tuple[int, str, str]:
    told = [{"name": name, "version": "1", "vulns": [], **more} for name, more in packages.items()]
    return status, json.dumps({"dependencies": told, "fixes": []}), ""


UNKNOWN = answer(0, one={"skip_reason": "Dependency not found"}, two={})
AWAY = (1, "", "Traceback\nrequests.exceptions.ConnectionError: no such host")


@pytest.mark.parametrize(
    ("answers", "status", "said"),
    [
        ((answer(0, one={}, two={}), AWAY), 0, "No hole is known in the 2 packages"),
        ((AWAY, answer(0, one={}, two={})), 0, "(osv)"),
        ((AWAY, AWAY), 2, "NOT AUDITED: no advisory service answered"),
        ((UNKNOWN, AWAY), 2, "NOT AUDITED"),
        ((answer(0, one={}), AWAY), 2, "1 of 2 packages looked up"),
        (((0, "nothing", ""), (0, "[]", "")), 2, "NOT AUDITED"),
        ((answer(1, one={"vulns": [{"id": "CVE-1"}]}, two={}), AWAY), 1, "KNOWN HOLE: one 1: CVE-1"),
        ((answer(1, one={"vulns": [{"id": "CVE-1"}]}, two={"skip_reason": "?"}), AWAY), 1, "NOT AUDITED"),
    ],
)
def test_no_answer_is_no_good_answer(
    answers: Any, status: int, said: str, audit: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pins"
    file.write_text("one==1\ntwo==1\n", "utf-8")
    waiting = iter(answers)
    assert audit.main(file, lambda *_: next(waiting)) == status
    assert said in capsys.readouterr().out
