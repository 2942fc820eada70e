"""The reports in docs/reports come from the code of today, in every language, under the standard rules and seats."""

import importlib.util
import json
from pathlib import Path

import pytest

from bridgehead.core.phrases import languages

TOOL = Path(__file__).parents[2] / "tools" / "reports.py"
SPEC = importlib.util.spec_from_file_location("reports", TOOL)
assert SPEC and SPEC.loader
reports = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(reports)


PRINTS = json.loads(reports.PRINTS.read_text("utf-8"))


@pytest.mark.parametrize("name", list(PRINTS))
def test_a_shipped_report_comes_from_the_code_of_today(name: str) -> None:
    """If not, `make reports` makes it again."""
    assert PRINTS[name] == reports.fingerprint(name)
    assert not {"--rules", "--versus", "--board"} & set(reports.STUDIES[name])
    for language in languages():
        text = reports.page_of(name, language).read_text("utf-8")
        assert f'<html lang="{language}">' in text and "--games" in text


def test_no_other_report_is_shipped() -> None:
    pages = {reports.page_of(name, language) for name in PRINTS for language in languages()}
    assert set(reports.PAGES.glob("*.html")) == pages
