"""The files of pages: bundles with names that change with the contents, packed once; and pages in one language."""

import gzip
import html
import itertools
import math
import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import brotli
import httpx
import pytest

from bridgehead.core.phrases import languages
from bridgehead.server.http import rendering
from bridgehead.server.http.assets import AT_ONCE, FOR_EVER, UNBUILT, Assets
from bridgehead.server.http.bundles import WITH_PAGES, strip_comments
from server.test_storage import Process
from waiting import wait_for

STATIC = rendering.WEB / "static"
NAMED = re.compile(r'(?:src|href)="(/static/[^"]+)"')
PAGES = [
    "/", "/new/barricade", "/new/forty_bridges", "/rules", "/rules/barricade", "/learn/barricade", "/puzzles/barricade",
    "/edit/barricade", "/position/barricade", "/study", "/replay", "/verify", "/lobby", "/me", "/tournaments", "/games",
    "/class", "/children", "/lab", "/nowhere",
]  # fmt: skip


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server as it is installed, which serves bundles."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(os.environ, UNBUILT)
        process = Process(tmp_path_factory.mktemp("data"))
    with httpx.Client(base_url=f"http://127.0.0.1:{process.port}", timeout=60) as client:
        yield client
    process.end(signal.SIGTERM)


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A copy of the pages' files, to be changed."""
    return Path(shutil.copytree(STATIC, tmp_path / "static"))


def names_of(page: str) -> list[str]:
    return NAMED.findall(page)


def test_a_page_names_one_script_one_sheet_and_what_may_be_kept_for_ever(http: httpx.Client) -> None:
    page = http.get("/new/barricade").text
    names = names_of(page)
    assert len([name for name in names if name.endswith(".css")]) == 1
    assert [name.partition("/static/")[2][17:] for name in names if name.endswith(".js")] == [
        "base/first.js",
        "people/new_table.js",
    ]
    for name in names:
        answer = http.get(name)
        assert answer.status_code == 200, name
        assert answer.headers["cache-control"] == FOR_EVER and "immutable" in FOR_EVER
        assert http.get(name, headers={"if-none-match": answer.headers["etag"]}).status_code == 304
    assert http.get("/new/barricade").headers["cache-control"] == "no-cache", "a page itself is always asked for"


@pytest.mark.parametrize("page", PAGES)
def test_all_that_a_page_names_is_there(page: str, http: httpx.Client) -> None:
    names = names_of(http.get(page).text)
    assert len(names) >= 4 and [name for name in names if http.get(name).status_code != 200] == []


def test_files_are_sent_in_the_form_that_a_browser_accepts(http: httpx.Client) -> None:
    script = next(name for name in names_of(http.get("/lobby").text) if name.endswith("lobby.js"))
    forms = {"": "", "gzip": "gzip", "gzip, deflate, br": "br", "gzip, br;q=0": "gzip", "identity": ""}
    plain = http.get(script, headers={"accept-encoding": ""}).content
    wait_for(lambda: http.get(script, headers={"accept-encoding": "br"}).headers.get("content-encoding") == "br")
    for accepted, form in forms.items():
        with http.stream("GET", script, headers={"accept-encoding": accepted}) as answer:
            raw = b"".join(answer.iter_raw())
        assert answer.headers.get("content-encoding", "") == form, accepted
        assert {"": bytes, "gzip": gzip.decompress, "br": brotli.decompress}[form](raw) == plain
        assert not form or len(raw) < 0.4 * len(plain)
        assert "accept-encoding" in answer.headers["vary"]


def test_names_change_with_contents_and_a_changed_module_is_in_its_bundle(static: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.http.assets.LOOK", math.inf)  # each keeps what it has read first, however slow this is
    table = rendering.render_template("table.html", "en", table="x", game_title="", game="")
    first, again = Assets(static), Assets(static)
    assert first.name_files(table) == again.name_files(table), "the same contents have the same names"
    module = static / "base" / "dom.js"
    module.write_text(module.read_text("utf-8") + 'export const changed = "since then";\n', "utf-8")
    after = Assets(static)
    assert after.version != first.version and not {*names_of(first.name_files(table))} & {*names_of(after.name_files(table))}
    old, new = first.find("table/table.js"), after.find("table/table.js")
    assert old and new and b"since then" in new.content and b"since then" not in old.content
    sheet = static / "base" / "page.css"
    sheet.write_text(sheet.read_text("utf-8") + ".changed { color: red }\n", "utf-8")
    styled = Assets(static)
    name = next(name for name in names_of(styled.name_files(table)) if name.endswith(".css"))
    found = styled.find(name.removeprefix(f"/static/{styled.version}/"))
    assert styled.version != after.version and found and b".changed" in found.content


def test_a_server_that_runs_serves_no_bundle_of_older_sources(static: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.http.assets.LOOK", 0)
    table = rendering.render_template("table.html", "en", table="x", game_title="", game="")
    running = Assets(static)
    before, old = running.name_files(table), running.find("table/table.js")
    module = static / "base" / "dom.js"
    module.write_text(module.read_text("utf-8") + 'export const changed = "since then";\n', "utf-8")
    after, new = running.name_files(table), running.find("table/table.js")
    assert not {*names_of(before)} & {*names_of(after)} and running.name_files(table) == after
    assert old and new and b"since then" in new.content and b"since then" not in old.content


def test_a_page_from_before_an_update_gets_the_parts_of_today(http: httpx.Client) -> None:
    answer = http.get(f"/static/{'0' * 16}/pages/settings.js")
    assert answer.status_code == 200 and answer.headers["cache-control"] == AT_ONCE
    assert http.get(f"/static/{'0' * 16}/pages/nowhere.js").status_code == 404


def test_addresses_that_others_know_stay(http: httpx.Client) -> None:
    for name in ("people/push_worker.js", "base/dom.js", "sealed/rules.json", "bip39.txt", "favicon.svg", "words/de.json"):
        answer = http.get(f"/static/{name}")
        assert answer.status_code == 200 and answer.headers["cache-control"] == AT_ONCE, name
    assert (STATIC / "people/push_worker.js").read_bytes() == http.get("/static/people/push_worker.js").content


def test_a_checkout_under_work_serves_its_modules() -> None:
    page = rendering.render_template("table.html", "en", table="x", game_title="", game="")
    assert Assets(STATIC, modules=True).name_files(page) == page
    assert "/static/table/table.js" in page and "/static/pages/every_page.js" in page


def test_parts_that_come_later_are_scripts_of_their_own_without_what_the_page_has() -> None:
    bundles = Assets(STATIC)._bundles
    table, menu = bundles.write_script("table/table"), bundles.write_script("table/table_menu")
    for name in ("base/dom", "board/board", "board/log", "table/presence", "table/prompt", "verify/seals"):
        assert f"__modules['{name}'] ??=" in table, name
    later = {part for parts in bundles._later.values() for part in parts}
    assert later >= WITH_PAGES, "each is imported when it is needed by some module"
    assert "__modules['table/table_menu']" not in table and 'import("../table/table_menu.js")' in table
    assert "__modules['table/table_menu'] ??=" in menu and "__modules['base/dom'] ??=" not in menu
    assert menu.rstrip().endswith("await __modules['table/table_menu']();") and "tableMenu" in menu


def test_no_module_has_a_text_that_looks_like_a_comment_or_has_two_lines() -> None:
    """What `strip_comments` relies on."""
    for file in STATIC.rglob("*.js"):
        text = file.read_text("utf-8")
        for line in strip_comments(text).splitlines():
            assert line.count("`") % 2 == 0 and "/**" not in line, (file, line)
        assert not re.search(r"""(["'`]).*/\*\*.*\1""", text), file


# Languages


def sentences() -> dict[str, set[str]]:
    """The sentences of pages and games by language: those that no other language has."""
    folders = [rendering.WEB, *(spec.folder for spec in rendering.registry.specs().values())]
    found: dict[str, set[str]] = {}
    for language in languages():
        words = [rendering.catalogue(folder) for folder in folders]
        texts = {each.text(key, language) for each in words for key in each.keys("en")}
        found[language] = {text for text in texts if " " in text.strip() and len(text) > 11 and "{" not in text}
    shared = {text for one in found for other in found if one != other for text in found[one] & found[other]}
    return {language: texts - shared for language, texts in found.items()}


def test_no_page_has_a_sentence_of_another_language(http: httpx.Client) -> None:
    known = sentences()
    for language in languages():
        others = {text for other, texts in known.items() if other != language for text in texts}
        for address in PAGES:
            page = http.get(address, headers={"accept-language": f"{language},en;q=0.5"}).text
            assert f' lang="{language}"' in page
            said = {html.unescape(text).strip() for text in re.findall(r'>([^<>]+)<|="([^"]*)"', page) for text in text}
            assert said & others == set(), (language, address)
            assert language == "en" or len(said & known[language]) > 3, (language, address)


def test_the_language_is_that_of_the_settings_else_the_first_one_that_the_browser_names(http: httpx.Client) -> None:
    for headers, language in (
        ({"accept-language": "de-AT,de;q=0.9"}, "de"), ({"accept-language": "pl,fr;q=0.8,de;q=0.7"}, "fr"),
        ({"accept-language": "pl"}, "en"), ({"accept-language": "de", "cookie": "lang=es"}, "es"),
        ({"accept-language": "de", "cookie": "lang=xx"}, "de"),
    ):  # fmt: skip
        answer = http.get("/me", headers=headers)
        assert f' lang="{language}"' in answer.text and f"words/{language}.json" in answer.text
        assert "cookie" in answer.headers["vary"] and "accept-language" in answer.headers["vary"]


@pytest.mark.parametrize("path", PAGES)
def test_the_order_of_layers_comes_before_all_rules_of_a_page(path: str, http: httpx.Client) -> None:
    (sheet,) = [name for name in names_of(http.get(path).text) if name.endswith(".css")]
    first, order, *_ = re.split(r"(@layer [^;{]+[;{])", http.get(sheet).text)
    assert "{" not in first and order == "@layer reset, base, parts, page, table, state;"


def test_stylesheets_put_together_in_other_ways_are_neither_kept_nor_packed() -> None:
    """Somebody who asks for all orders of all stylesheets takes no memory and no processor time of the others."""
    assets = Assets(STATIC)
    page = assets.name_files(rendering.render_template("study.html", "en", games=[]))
    named = next(name.partition("/static/")[2][17:] for name in names_of(page) if name.endswith(".css"))
    parts = named.removeprefix("styles/").removesuffix(".css").split("+")
    kept = assets.find(named)
    assert kept is not None and assets.find(named) is kept and len(parts) > 3
    before, waiting = len(assets._assets), assets._unpacked.qsize()
    for order in itertools.islice(itertools.permutations(parts), 1, 100):
        other = assets.find(f"styles/{'+'.join(order)}.css")
        assert (
            other is not None
            and "content-encoding" not in other.choose("br, gzip")[0]
            and len(other.content) == len(kept.content)
        )
    assert assets.find(f"styles/{'+'.join(parts[:1] * 1000)}.css") is None, "each one once"
    assert (len(assets._assets), assets._unpacked.qsize()) == (before, waiting)
