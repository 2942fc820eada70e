"""The documentation site: `make docs` builds it without a warning."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from programs import program

ROOT = Path(__file__).parents[1]


@pytest.mark.long
def test_the_site_builds_without_a_warning_and_has_the_api(tmp_path: Path) -> None:
    for name in ("docs", "src"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.xz"))
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    (tmp_path / "docs" / "lookup" / "clauses.md").write_text(program("rulings").page(), "utf-8")
    zensical = Path(sys.executable).with_name("zensical")
    built = subprocess.run([zensical, "build", "--strict"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]
    site = tmp_path / "build" / "docs"
    assert "Position" in (site / "lookup" / "api.html").read_text("utf-8")
    assert {page.stem for page in (site / "lookup" / "games").glob("*.html")} == {
        path.stem for path in (ROOT / "docs" / "lookup" / "games").glob("*.md")
    }
    raw = [page.name for page in site.rglob("*.html") if "```" in page.read_text("utf-8")]
    assert not raw, f"blocks of code that are shown as text: {raw}"
    assert (site / "search.json").exists() or list(site.rglob("*search*")), "the site can be searched"
