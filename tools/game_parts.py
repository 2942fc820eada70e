"""The tables of docs/do/add_a_game.md, made of the docstrings of core/interface.py: `tools/game_parts.py` writes them there."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "bridgehead" / "core" / "interface.py"
PAGE = ROOT / "docs" / "do" / "add_a_game.md"
BEGIN, END = "<!-- interface -->\n", "<!-- /interface -->"
PARTS = (
    "OptionsModule",
    "BoardModule",
    "StateModule",
    "RulesModule",
    "WordsModule",
    "TextModule",
    "SceneModule",
    "ProgressModule",
    "EvaluateModule",
    "ObservationModule",
    "SymmetriesModule",
    "EditorModule",
    "PositionEditorModule",
    "ComponentsModule",
)
ELSEWHERE = {
    "OptionsModule": "rules.py",
    "StateModule": "rules.py",
    "EvaluateModule": "rules.py",
    "WordsModule": "scene.py",
    "TextModule": "scene.py",
}


def table() -> str:
    """One table for each part of a game."""
    classes = {node.name: node for node in ast.parse(SOURCE.read_text("utf-8")).body if isinstance(node, ast.ClassDef)}
    return "\n".join(_part(name, classes[name]) for name in PARTS)


def _part(name: str, found: ast.ClassDef) -> str:
    about = (ast.get_docstring(found) or "").replace("`, or in `rules.py`", "`")
    title = about[0].upper() + about[1:] if name not in ELSEWHERE else f"{about} [`{ELSEWHERE[name]}`]"
    rows = [f"**{title}**\n", "| member | |", "|---|---|"]
    for node, after in zip(found.body, [*found.body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in node.args.args if argument.arg != "self"]
            needed = any(isinstance(each, ast.Name) and each.id == "abstractmethod" for each in node.decorator_list)
            rows.append(_row(f"{node.name}({', '.join(names)})", needed, ast.get_docstring(node) or ""))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            assert isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant), node.target.id
            needed = node.value is None and "Default" not in str(after.value.value)
            rows.append(_row(node.target.id, needed, str(after.value.value)))
    return "\n".join(rows) + "\n"


def _row(name: str, needed: bool, text: str) -> str:
    mark = "**" if needed else ""
    return f"| {mark}`{name}`{mark} | {' '.join(text.split()).replace('|', chr(92) + '|')} |"


def page() -> str:
    """The page with the tables as they are now."""
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    return before + BEGIN + "\n" + table() + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
