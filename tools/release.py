"""The artefacts of a release, the same bit for bit wherever they are made: wheel, source distribution, static site, bill of
materials, verifier of proofs, hashes.

tools/release.py [FOLDER]        default: dist; --without-site: all but the site, which takes minutes, with the modules there are

Times in the archives are those of the commit (or SOURCE_DATE_EPOCH). The bill of materials (CycloneDX 1.6) lists what a host
installs, with the hashes of deploy/requirements.lock. SHA256SUMS is for `sha256sum --check`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import uuid
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FINISHED = ROOT / "src" / "bridgehead" / "site" / "finished.zip"  # where the wheel has it (site/finished.py)
SHIPPED = ROOT / "src" / "bridgehead" / "shipped"  # the modules in which levels search (players/shipped_modules.py)
PACKAGE = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?: ; (?P<marker>[^\\]+?))? *\\?$")
HASH = re.compile(r"^ +--hash=sha256:([0-9a-f]{64})")
NAMESPACE = uuid.UUID("2f0b8a52-3d8e-5c41-9a55-0d8d2c6a4a3e")  # of the serial numbers of our bills of materials


def epoch() -> int:
    """The time of all files in the archives: SOURCE_DATE_EPOCH, else that of the commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    shown = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(shown.stdout)


def locked() -> list[dict[str, Any]]:
    """The packages of deploy/requirements.lock as components of a bill of materials."""
    found: list[dict[str, Any]] = []
    for line in (ROOT / "deploy" / "requirements.lock").read_text("utf-8").splitlines():
        if package := PACKAGE.match(line):
            name = re.sub(r"[-_.]+", "-", package["name"]).lower()
            purl = f"pkg:pypi/{name}@{package['version']}"
            files = f"https://pypi.org/project/{name}/{package['version']}/#files"
            found.append({
                "type": "library", "bom-ref": purl, "name": name, "version": package["version"], "purl": purl,
                "externalReferences": [{"type": "distribution", "url": files, "hashes": []}],
            })  # fmt: skip
            if package["marker"]:
                found[-1]["properties"] = [{"name": "bridgehead:marker", "value": package["marker"]}]
        elif digest := HASH.match(line):
            found[-1]["externalReferences"][0]["hashes"].append({"alg": "SHA-256", "content": digest[1]})
    return found


def materials(version: str, files: list[Path], moment: int) -> bytes:
    """The bill of materials of a release in CycloneDX 1.6, in one form."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    direct = {re.sub(r"[-_.]+", "-", re.split(r"[<>=!~\[; ]", each, maxsplit=1)[0]).lower() for each in project["dependencies"]}
    components, own = locked(), f"pkg:pypi/bridgehead@{version}"
    bill: dict[str, Any] = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)),
            "component": {
                "type": "application", "bom-ref": own, "name": "bridgehead", "version": version, "purl": own,
                "description": project["description"], "licenses": [{"license": {"id": project["license"]}}],
                "externalReferences": [
                    {"type": "distribution", "url": file.name, "hashes": [{"alg": "SHA-256", "content": sha256(file)}]}
                    for file in files
                ],
            },
        },
        "components": components,
        "dependencies": [{"ref": own, "dependsOn": [each["bom-ref"] for each in components if each["name"] in direct]}],
    }  # fmt: skip
    text = json.dumps(bill, indent=1, sort_keys=True)
    bill["serialNumber"] = f"urn:uuid:{uuid.uuid5(NAMESPACE, text)}"
    return (json.dumps(bill, indent=1, sort_keys=True) + "\n").encode()


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def run(code: str, *words: str, **more: str) -> str:
    """What a program of this checkout prints. Compiling is the same each time only under one seed of Python's hashes."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT / "src"), **more}
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def games() -> list[str]:
    """The project's own games, in the order of the start page. Exits if the environment lacks one, as its site would."""
    own = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["bridgehead.games"]
    found = [name for name in run("import bridgehead; print(*bridgehead.games())").split() if name in own]
    if missing := set(own) - set(found):
        sys.exit(f"not installed here: {', '.join(sorted(missing))}. `make release` installs them.")
    return found


def site(file: Path, moment: int) -> None:
    """The static site of all games as an archive, and the modules for the package. Nothing of an earlier build is used."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        chosen = [word for name in games() for word in ("--games", name)]
        run("from bridgehead.cli import main; main()", "site", folder, *chosen, BRIDGEHEAD_CACHE=cache)
        shutil.rmtree(SHIPPED, ignore_errors=True)
        run("import sys; sys.path.insert(0, 'tools'); import modules; modules.make_modules()", BRIDGEHEAD_CACHE=cache)
        with zipfile.ZipFile(file, "w") as packed:
            for each in sorted(Path(folder).rglob("*")):
                if each.is_file():
                    about = zipfile.ZipInfo(f"bridgehead-site/{each.relative_to(folder).as_posix()}", time.gmtime(moment)[:6])
                    about.external_attr = 0o644 << 16
                    packed.writestr(about, each.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def packages(folder: Path, moment: int) -> None:
    """The wheel and the source distribution. The wheel carries the finished site, if there is one."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "SOURCE_DATE_EPOCH": str(moment)}, check=True, stdout=subprocess.DEVNULL)


def note_missing_tag(version: str) -> str:
    """What to say if the commit has no tag of its version; "" if it has."""
    ran = subprocess.run(["git", "tag", "--points-at", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    if f"v{version}" in ran.stdout.split():
        return ""
    return f"A trial: this commit has no tag v{version}. Whoever releases it makes the tag first (docs/do/release.md)."


def make(folder: Path, with_site: bool = True) -> list[Path]:
    """Make all artefacts in an empty or missing folder; returns them."""
    moment = epoch()
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder} is not empty")
    folder.mkdir(parents=True, exist_ok=True)
    FINISHED.unlink(missing_ok=True)
    try:
        if with_site:
            site(FINISHED, moment)  # first, since the wheel carries it
        packages(folder, moment)
        built = sorted(folder.iterdir())
        version = next(file.name.split("-")[1] for file in built if file.suffix == ".whl")
        if with_site:
            shutil.copyfile(FINISHED, folder / f"bridgehead-site-{version}.zip")
    finally:
        FINISHED.unlink(missing_ok=True)  # a site that is built here shall be new
    bill = folder / f"bridgehead-{version}.cdx.json"
    bill.write_bytes(materials(version, built, moment))
    verifier = folder / f"bridgehead-verifier-{version}.html"
    sys.path.insert(0, str(ROOT / "src"))
    from bridgehead.terminal.verifier import write_verifier

    write_verifier(verifier)
    made = [*built, bill, verifier, *folder.glob("bridgehead-site-*.zip")]
    sums = folder / "SHA256SUMS"
    sums.write_text("".join(f"{sha256(file)}  {file.name}\n" for file in made))
    return [*made, sums]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    parser.add_argument("--without-site", action="store_true")
    given = parser.parse_args()
    made = make(given.folder.resolve(), not given.without_site)
    for file in made:
        print(f"{sha256(file)}  {file.name}")
    wheel = next(file for file in made if file.suffix == ".whl")
    print(note_missing_tag(wheel.name.split("-")[1]), file=sys.stderr)


if __name__ == "__main__":
    main()
