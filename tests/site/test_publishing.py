"""Own boards and own games on a static site, and where its Python comes from."""

import base64
import hashlib
import importlib
import io
import json
import re
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path
from unittest import mock

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BoardError, BridgeheadError
from bridgehead.core.spec import Spec
from bridgehead.players import wasm
from bridgehead.site import boards, build, msgspec_wheel, npm_packages

ROOT = Path(__file__).parents[2]
MINI = ROOT / "src" / "bridgehead" / "games" / "barricade" / "boards" / "mini.json"
STAR = ROOT / "tests" / "boards" / "burning_bridges_star3.json"


def games(*names: str) -> dict[str, Spec]:
    return {name: registry.specs()[name] for name in names or registry.specs()}


def test_a_board_is_for_the_only_game_that_reads_it_and_stands_first_on_the_start_page(tmp_path: Path) -> None:
    (own := tmp_path / "My moat.json").write_text(MINI.read_text().replace('"name":"mini"', '"name":"<Moat>"'))
    board, star = boards.read(own, games().values()), boards.read(STAR, games().values())
    assert (board.game.spec.id, board.name, star.game.spec.id) == ("barricade", "<Moat>", "burning_bridges")
    assert star.game.seats == 2, "the fewest seats: the standard is more than this board has room for"
    page = build.pages(games(), [board])["index.html"].decode()
    first, second, *_ = re.findall(r"<article .+?<h2>(.+?)</h2>", page[page.index('<section class="games"') :], re.S)
    assert (first, second) == ("&lt;Moat&gt;", registry.specs()["burning_bridges"].title)
    found = re.search(r'href="new-barricade.html\?mode=computer#o=z([\w-]+)"', page)
    assert found
    rules = json.loads(zlib.decompress(base64.urlsafe_b64decode(found[1] + "=" * (-len(found[1]) % 4))))["rules"]
    assert registry.game("barricade", **rules).law.tobytes() == board.game.law.tobytes()
    assert "#o=" not in build.pages(games())["index.html"].decode()


def test_a_board_of_no_game_or_of_several_is_refused_with_each_games_reason(tmp_path: Path) -> None:
    (wrong := tmp_path / "wrong.json").write_text('{"families": 3}')
    with pytest.raises(BoardError, match="No game of this site.*40 Bridges: .*Barricade: board.families"):
        boards.read(wrong, games().values())
    with pytest.raises(BoardError, match="wrong.json: not JSON"):
        wrong.write_text("{")
        boards.read(wrong, games().values())
    with pytest.raises(BoardError, match="ends in .json"):
        boards.read(tmp_path / "mini", games().values())
    with pytest.raises(BoardError, match="Several games"):
        boards.read(MINI, [registry.specs()["barricade"]] * 2)


def test_a_board_with_another_layout_has_a_module_of_its_own() -> None:
    board = boards.read(STAR, games("burning_bridges").values())
    with mock.patch.object(build, "_load_or_compile", lambda games, parts: [game.spec.id.encode() for game in games]):
        usual, more = (build.modules(games("burning_bridges").values(), own) for own in ((), (board,)))
    assert more.keys() >= usual.keys() | {f"wasm/burning_bridges-{wasm.layout(board.game)}.wasm"}


def test_an_own_game_of_another_package_has_pages_a_module_and_its_sources() -> None:
    with mock.patch.object(sys, "path", [*sys.path, str(ROOT / "examples")]):
        spec = importlib.import_module("connect_four").SPEC
        with mock.patch.dict(registry.specs(), {spec.id: spec}):
            pages = build.pages({spec.id: spec})
    assert "new-connect_four.html" in pages and "Connect Four" in pages["index.html"].decode()
    assert "edit-connect_four.html" not in pages and "learn-connect_four.html" not in pages


def packed(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return made.getvalue()


def test_pyodide_is_fetched_once_and_other_files_than_the_known_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))
    package = packed({"package/pyodide.mjs": b"a"})
    monkeypatch.setattr(npm_packages, "fetch_package", lambda wanted: package)
    with pytest.raises(BridgeheadError, match="other files than those of pyodide"):
        npm_packages.folder(npm_packages.PYODIDE)
    assert not list(tmp_path.rglob("pyodide.mjs"))
    hashed = base64.b64encode(hashlib.sha512(package).digest()).decode()
    known = npm_packages.PYODIDE._replace(integrity=f"sha512-{hashed}")
    assert (npm_packages.folder(known) / "pyodide.mjs").read_bytes() == b"a"
    monkeypatch.setattr(npm_packages, "fetch_package", lambda wanted: pytest.fail("it is there already"))
    assert (npm_packages.folder(known) / "pyodide.mjs").is_file()


def test_without_a_registry_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("npm_config_offline", "true")
    monkeypatch.setenv("npm_config_cache", "/nonexistent/cache")
    with pytest.raises(BridgeheadError, match="npm package pyodide 314.0.7.*put it into node_modules"):
        npm_packages.fetch_package(npm_packages.PYODIDE)


def test_the_wheel_of_msgspec_is_that_of_the_server_and_fetched_once_and_its_hash_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"\nmsgspec=={msgspec_wheel.VERSION}\n" in (ROOT / "constraints.txt").read_text()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    (shop := tmp_path / "shop").mkdir()
    monkeypatch.setenv("PIP_FIND_LINKS", str(shop))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))
    with pytest.raises(BridgeheadError, match=r"The wheel msgspec-.*put it into .*kept"):
        msgspec_wheel.load_files()
    with zipfile.ZipFile(shop / msgspec_wheel.FILE, "w") as wheel:
        wheel.writestr("msgspec/__init__.py", "")
        wheel.writestr("msgspec/__init__.pyi", "")
        wheel.writestr(
            f"msgspec-{msgspec_wheel.VERSION}.dist-info/METADATA",
            f"Metadata-Version: 2.1\nName: msgspec\nVersion: {msgspec_wheel.VERSION}\n",
        )
        wheel.writestr(f"msgspec-{msgspec_wheel.VERSION}.dist-info/WHEEL", "Wheel-Version: 1.0\n")
        wheel.writestr(f"msgspec-{msgspec_wheel.VERSION}.dist-info/RECORD", "")
    with pytest.raises(BridgeheadError, match="other files than those of msgspec"):
        msgspec_wheel.load_files()
    assert not list((tmp_path / "kept").rglob("*.whl"))
    monkeypatch.setattr(msgspec_wheel, "SHA256", hashlib.sha256((shop / msgspec_wheel.FILE).read_bytes()).hexdigest())
    assert [*msgspec_wheel.load_files()] == ["msgspec/__init__.py"]
    (shop / msgspec_wheel.FILE).unlink()
    assert [*msgspec_wheel.load_files()] == ["msgspec/__init__.py"], "it is kept"


@pytest.mark.parametrize("package", [npm_packages.PYODIDE, npm_packages.XZ])
def test_the_pinned_hash_is_that_of_the_lock_file(package: npm_packages.Package) -> None:
    known = json.loads((ROOT / "package-lock.json").read_text())["packages"][f"node_modules/{package.name}"]
    assert (known["version"], known["integrity"]) == (package.version, package.integrity)
