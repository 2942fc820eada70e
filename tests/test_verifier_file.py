"""The verifier in one file: the same bytes each time, those of the document, and nothing in it that asks a network."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

from bridgehead.core.phrases import ENGLISH, catalogue, languages
from bridgehead.terminal import verifier

DOCUMENT = Path(__file__).parents[1] / "docs" / "understand" / "fairness.md"


@pytest.fixture(scope="module")
def page() -> str:
    return verifier.render_verifier().decode()


def test_the_document_shows_the_hash_of_the_verifier(page: str, tmp_path: Path) -> None:
    digest = verifier.write_verifier(tmp_path / "verifier.html")
    assert digest == hashlib.sha256(page.encode()).hexdigest(), "two builds are equal"
    shown = re.search(r"Its SHA-256:\s+`([0-9a-f]{64})`", DOCUMENT.read_text("utf-8"))
    assert shown and shown[1] == digest, f"docs/understand/fairness.md has to show {digest}"


def test_its_policy_allows_its_own_script_and_style_and_nothing_else(page: str) -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    allowed = dict(part.split(" ", 1) for part in policy.split("; "))
    for kind in ("script", "style"):
        ((_, text),) = re.findall(rf"<{kind}( type=\"module\")?>(.*?)</{kind}>", page, re.S)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        more = " 'wasm-unsafe-eval'" if kind == "script" else ""  # the rules are WebAssembly
        assert allowed.pop(f"{kind}-src") == f"'sha256-{digest}'{more}"
    assert allowed == {name: "'none'" for name in ("default-src", "base-uri", "form-action")}
    assert not re.search(
        r"https?://|<link|src=|@import |localStorage",
        re.sub(r"http-equiv|http://www.w3.org/2000/svg|/\*\*.*?\*/", "", page, flags=re.S),
    )
    assert not re.search(r"^(import|export) ", page, re.M)


def test_it_has_every_sentence_that_it_can_show_in_every_language(page: str) -> None:
    web = catalogue(Path(verifier.__file__).parents[1] / "web")
    for key in ("check_dice", "proof_broken", "v_seen_draw", "stories_era", "by_bot", "check_offline", "not_proof"):
        assert key in web.keys(ENGLISH)
        for language in languages():
            assert web.text(key, language).replace('"', '\\\\\\"') in page, (key, language)
    assert "new_table" not in page
