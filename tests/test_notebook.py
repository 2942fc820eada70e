"""The notebook is short: an entry has a date and at most ten lines, its figures are in tables, and no figure stands twice."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted((DOCS / "notebook").glob("*.md"))
DATE = re.compile(r"\b\d{1,2}(?: and \d{1,2})? November 2026\b|\b\d{1,2} [A-Z][a-z]+ 20\d\d\b")
CODE_OR_TARGET = re.compile(r"`[^`]*`|\]\([^)]*\)")
NUMBER = re.compile(r"(?<![\w.,])\d[\d,.]*")
MOST_LINES, WIDEST, MOST_NUMBERS = 10, 180, 5
# Pages whose tables a tool makes from stored results, which another page may show too.
MADE = (DOCS / "lookup" / "games", DOCS / "paper")


def split_entries(text: str) -> Iterator[tuple[str, str]]:
    """Each heading of a page with the text up to the next one, code blocks left out."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    parts = re.split(r"^(#+ .+)$", text, flags=re.MULTILINE)
    yield from zip(parts[1::2], parts[2::2], strict=True)


def list_prose(text: str) -> list[str]:
    """The lines that are read: no tables, no pictures, no code."""
    lines = [line for line in text.splitlines() if not line.startswith("    ")]
    return [line for line in lines if line.strip() and not line.startswith(("|", "!", "<!--"))]


def list_figure_rows(page: Path) -> list[str]:
    """The rows of tables with three figures or more."""
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("|")]
    return [row for row in rows if len(NUMBER.findall(CODE_OR_TARGET.sub("", row))) >= 3]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_an_entry_has_a_date_and_at_most_ten_lines(page: Path) -> None:
    entries = list(split_entries(page.read_text("utf-8")))
    is_page_dated = bool(DATE.search(" ".join(entries[0])))
    for title, text in entries:
        lines = list_prose(text)
        assert len(lines) <= MOST_LINES, f"{page.name}: {title} has {len(lines)} lines"
        assert not [line for line in lines if len(line) > WIDEST], f"{page.name}: {title} has lines above {WIDEST} characters"
        is_lead = title.startswith("# ") and len(entries) > 1
        assert is_lead or is_page_dated or not text.strip() or DATE.search(title + text), f"{page.name}: {title} has no date"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_sentence_has_more_than_five_numbers(page: Path) -> None:
    for title, text in split_entries(page.read_text("utf-8")):
        prose = CODE_OR_TARGET.sub("", DATE.sub("", "\n".join(list_prose(text)).replace("40 Bridges", "")))
        for sentence in re.split(r"(?<=[.:;!?])\s+|\n- ", prose):
            assert len(NUMBER.findall(sentence)) <= MOST_NUMBERS, f"{page.name}: {title}: {sentence}"


def test_no_row_of_figures_stands_twice() -> None:
    pages = [page for page in DOCS.rglob("*.md") if not {*MADE} & {*page.parents}]
    rows = Counter(row for page in pages for row in list_figure_rows(page))
    assert not [row for row, times in rows.items() if times > 1]
