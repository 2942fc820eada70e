"""A release is made twice and is the same bit for bit; its bill of materials names what a host installs."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

import bridgehead
from bridgehead.players import shipped_modules
from bridgehead.site import finished
from programs import program

pytestmark = pytest.mark.wide
ROOT = Path(__file__).parents[1]
EPOCH = 1_750_000_000
VERSION = bridgehead.__version__
WORKFLOWS = ROOT / ".github" / "workflows"


def source(folder: Path, mode: int, moment: float) -> Path:
    """A copy of what git has, or would have, with other times and permissions."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file() and not name.startswith(("docs/", "tests/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
            (folder / name).chmod(mode)
            os.utime(folder / name, (moment, moment))
    return folder


def released(folder: Path, *more: str) -> dict[str, bytes]:
    command = [sys.executable, str(folder / "tools" / "release.py"), str(folder / "out"), *more]
    subprocess.run(command, env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}, check=True, stdout=subprocess.DEVNULL)
    return {file.name: file.read_bytes() for file in (folder / "out").iterdir()}


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    first = source(tmp_path_factory.mktemp("first"), 0o644, 1.0e9)
    second = source(tmp_path_factory.mktemp("second") / "deeper", 0o600, time.time())
    return [released(first, "--without-site"), released(second, "--without-site")]


@pytest.mark.long
def test_a_release_made_twice_is_the_same_bit_for_bit(twice: list[dict[str, bytes]]) -> None:
    first, second = twice
    kinds = {name.partition(VERSION)[0] + "*" + name.partition(VERSION)[2] for name in first}
    assert kinds == {
        "SHA256SUMS*",
        "bridgehead-*-py3-none-any.whl",
        "bridgehead-*.tar.gz",
        "bridgehead-*.cdx.json",
        "bridgehead-verifier-*.html",
    }
    assert first == second
    sums = dict(reversed(line.split("  ")) for line in first["SHA256SUMS"].decode().splitlines())
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in first.items() if name != "SHA256SUMS"}


@pytest.mark.long
def test_the_site_of_a_release_is_the_same_bit_for_bit(tmp_path: Path) -> None:
    release = program("release")
    files = tmp_path / "one.zip", tmp_path / "two.zip"
    for file in files:
        release.site(file, EPOCH)
    assert files[0].read_bytes() == files[1].read_bytes()
    names = zipfile.ZipFile(files[0]).namelist()
    assert {f"bridgehead-site/new-{game}.html" for game in bridgehead.games()} < {*names} and "bridgehead-site/python.xz" in names


def test_a_site_without_the_games_is_not_released(monkeypatch: pytest.MonkeyPatch) -> None:
    release = program("release")
    assert release.games() == [name for name in bridgehead.games() if name in release.games()] and len(release.games()) == 4
    monkeypatch.setattr(release, "run", lambda *words: "barricade forty_bridges")
    with pytest.raises(SystemExit, match="burning_bridges, front_lines"):
        release.games()


def test_the_environment_of_a_release_has_the_project_itself_installed() -> None:
    """Its games are found by the entry points of an installed package."""
    [steps] = re.findall(r"^\$\(VENV\)/\.release: .*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert re.search(r"pip install .*--no-deps .* \.$", steps, re.MULTILINE)
    assert re.search(r"pip install .* numba$", steps, re.MULTILINE), "what compiles its modules"


WITH_SITE = """
import release
from pathlib import Path
release.site = lambda file, moment: file.write_bytes(b"a site")
release.make(Path("out"))
"""


def test_the_site_is_an_artefact_and_the_wheel_carries_it_and_the_modules(tmp_path: Path) -> None:
    folder = source(tmp_path, 0o644, 1.0e9)
    shipped = folder / shipped_modules.FOLDER.relative_to(ROOT)
    shipped.mkdir()
    for name in ("modules.json", "game-layout.wasm"):
        (shipped / name).write_text(f"{name} of the levels")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH), "PYTHONPATH": str(folder / "tools")}
    subprocess.run([sys.executable, "-c", WITH_SITE], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    made = {file.name: file.read_bytes() for file in (folder / "out").iterdir()}
    assert made[f"bridgehead-site-{VERSION}.zip"] == b"a site" and f"bridgehead-site-{VERSION}.zip" in made["SHA256SUMS"].decode()
    place = finished.FILE.relative_to(ROOT)
    wheel = zipfile.ZipFile(io.BytesIO(made[f"bridgehead-{VERSION}-py3-none-any.whl"]))
    assert wheel.read(place.relative_to("src").as_posix()) == b"a site"
    with tarfile.open(fileobj=io.BytesIO(made[f"bridgehead-{VERSION}.tar.gz"])) as sources:
        names = sources.getnames()
        assert not [name for name in names if name.endswith(place.name)]
    for each in ("modules.json", "game-layout.wasm"):
        assert wheel.read(f"bridgehead/shipped/{each}").decode() == f"{each} of the levels"
        assert [name for name in names if name.endswith(f"src/bridgehead/shipped/{each}")]
    assert not (folder / place).exists(), "the next site is built anew"


def test_the_bill_of_materials_names_every_locked_package_with_its_hashes(twice: list[dict[str, bytes]]) -> None:
    bill: dict[str, Any] = next(json.loads(data) for name, data in twice[0].items() if name.endswith(".cdx.json"))
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    lock = (ROOT / "deploy" / "requirements.lock").read_text("utf-8")
    locked = {
        (name.lower().replace("_", "-"), version) for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.MULTILINE)
    }
    assert {(each["name"], each["version"]) for each in bill["components"]} == locked
    hashes = [each["content"] for part in bill["components"] for each in part["externalReferences"][0]["hashes"]]
    assert sorted(hashes) == sorted(re.findall(r"--hash=sha256:([0-9a-f]{64})", lock))
    refs = [each["bom-ref"] for each in bill["components"]]
    [tree] = bill["dependencies"]
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert len(refs) == len(set(refs)) and set(tree["dependsOn"]) <= set(refs) and len(tree["dependsOn"]) == len(wanted)


def test_a_release_says_when_its_commit_has_no_tag_of_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = program("release")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert "no tag v1.2.3" in release.note_missing_tag("1.2.3"), "no repository"
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "--quiet"], ["commit", "--quiet", "--allow-empty", "--message", "One"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    assert "no tag v1.2.3" in release.note_missing_tag("1.2.3")
    subprocess.run([*git, "tag", "--annotate", "v1.2.3", "--message", "x"], cwd=tmp_path, check=True)
    assert release.note_missing_tag("1.2.3") == "" and "no tag v1.2.4" in release.note_missing_tag("1.2.4")


def test_every_place_that_names_the_version_names_this_one() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["license"]
    assert (cited["version"], cited["license"]) == (VERSION, named)
    headings = re.findall(r"^## (\S+) \((\S+)\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == (VERSION, str(cited["date-released"])), "the newest heading, with the day of the release"
    pages = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]
    assert pages["site_name"] == f"Bridgehead {VERSION}", "the site of the documentation"


def test_the_changelog_of_a_release_has_at_most_forty_lines() -> None:
    newest = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1]
    assert len([line for line in newest.splitlines() if line.strip()]) <= 40


def test_the_supported_versions_of_python_are_tested_and_named_alike() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = [kind.rpartition(" ")[2] for kind in project["classifiers"] if re.search(r":: 3\.\d+$", kind)]
    flow = yaml.safe_load((WORKFLOWS / "test.yml").read_text("utf-8"))
    assert flow["jobs"]["test"]["strategy"]["matrix"]["python"] == versions
    assert project["requires-python"] == f">={versions[0]}"
    told = (ROOT / "docs" / "lookup" / "promises.md").read_text("utf-8")
    assert f"Python **{', '.join(versions[:-1])} and {versions[-1]}**" in told
    for page in ("README.md", "docs/do/add_a_game.md", "Makefile"):
        assert f"Python {versions[0]} or newer" in (ROOT / page).read_text("utf-8"), page
    image = re.search(r"^FROM python:(\S+)-slim$", (ROOT / "deploy" / "Containerfile").read_text("utf-8"), re.MULTILINE)
    assert image is not None and image[1] in versions


def test_the_workflows_test_fuzz_and_release_with_few_rights() -> None:
    flows = {file.stem: yaml.safe_load(file.read_text("utf-8")) for file in WORKFLOWS.glob("*.yml")}
    assert set(flows) == {"test", "weekly", "fuzz", "release", "pages"}
    for name, flow in flows.items():
        assert flow["permissions"] == {"contents": "read"}, name
        text = (WORKFLOWS / f"{name}.yml").read_text("utf-8")
        for action, at in re.findall(r"uses: ([\w/.-]+)@(\S+)", text):
            assert re.fullmatch(r"[0-9a-f]{40}", at), (name, action)
    commands = {
        name: "\n".join(step.get("run", "") for job in flow["jobs"].values() for step in job["steps"])
        for name, flow in flows.items()
    }
    assert commands["test"].endswith("\nmake test\nmake test-all")
    assert "make test-long" in commands["weekly"] and "make audit" in commands["weekly"]
    assert "make fuzz" in commands["fuzz"] and "make release" in commands["release"]
    assert "make site" in commands["pages"] and "make release" in commands["release"]
    assert flows["pages"]["jobs"]["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert flows["weekly"][True]["schedule"] and flows["fuzz"][True]["schedule"]
    publish = flows["release"]["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"} and publish["environment"] == "pypi"
    assert not re.search(r"secrets\.|password:", (WORKFLOWS / "release.yml").read_text("utf-8")), "trusted publishing needs none"
    rights = flows["release"]["jobs"]["build"]["permissions"]
    assert rights == {"contents": "read", "id-token": "write", "attestations": "write"}
    show = flows["release"]["jobs"]["show"]
    assert show["permissions"] == {"contents": "write"} and show["needs"] == "build"
    assert "gh release create" in commands["release"] and "dist/SHA256SUMS" in commands["release"], (
        "each release shows its hashes"
    )
