"""Write the generated parts of docs/lookup/games/*.md: options and levels. `--check` only reports whether they are up to date.

The text around them is written by hand. A generated part stands between `<!-- NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.spec import Spec
from bridgehead.players.levels import NAMES

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "lookup" / "games"
RATINGS = ROOT / "docs" / "notebook" / "ratings"


def cell(value: object) -> str:
    """A value as the command line takes it, safe inside a table."""
    shown = "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{shown}`".replace("|", "\\|")


def options(spec: Spec) -> str:
    """All house rules with default, allowed values, meaning and clause; then the presets."""
    lines = ["| option | default | allowed | what it changes | clause |", "|---|---|---|---|---|"]
    for each in house.describe(spec):
        allowed = each.allowed.replace("|", "\\|")
        lines.append(f"| `{each.name}` | {cell(each.default)} | {allowed} | {each.description} | {each.clause} |")
    for name, values in spec.options.PRESETS.items():
        changes = ", ".join(f"`{option}={cell(value)[1:-1]}`" for option, value in values.items())
        lines.append(f"\nPreset `{name}`: {changes}.")
    return "\n".join(lines)


def levels(spec: Spec) -> str:
    """The eight levels with their ratings, and the rules and seats they were measured at."""
    found = json.loads((RATINGS / f"{spec.id}.json").read_text("utf-8"))
    rated = found["ratings"]
    lines = ["| level | name | Elo above level 1 |", "|---|---|---|"]
    for number, name in enumerate(NAMES, 1):
        lines.append(f"| {number} | {name} | {round(rated[name][0])} |")
    at = found["options"] if found["options"] != "{}" else "the standard rules"
    link = "[ratings](../../notebook/ratings.md)"
    lines.append(f"\nMeasured at {at}, each level against the one below it, and in part the one below that ({link}).")
    return "\n".join(lines)


def page(spec: Spec) -> str:
    """The page of a game with its generated parts made again."""
    text = (PAGES / f"{spec.id}.md").read_text("utf-8")
    for name, made in (("options", options(spec)), ("levels", levels(spec))):
        head, begin, rest = text.partition(f"<!-- {name} -->\n")
        assert begin, f"{spec.id}.md lacks <!-- {name} -->"
        text = head + begin + made + "\n" + rest[rest.index("<!-- end -->") :]
    return text


def main() -> None:
    stale = [spec.id for spec in registry.specs().values() if page(spec) != (PAGES / f"{spec.id}.md").read_text("utf-8")]
    if "--check" in sys.argv:
        sys.exit(f"out of date, run tools/game_pages.py: {', '.join(stale)}" if stale else 0)
    for name in stale:
        (PAGES / f"{name}.md").write_text(page(registry.spec(name)), "utf-8")


if __name__ == "__main__":
    main()
