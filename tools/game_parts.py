"""The tables of docs/do/add_a_game.md, made of the docstrings of core/interface.py and core/evaluation.py.

`tools/game_parts.py` writes them there.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "src" / "bridgehead" / "core" / name for name in ("interface.py", "evaluation.py")]
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
    nodes = [node for source in SOURCES for node in ast.parse(source.read_text("utf-8")).body]
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
    return "\n".join(_part(name, classes) for name in PARTS)


def _part(name: str, classes: dict[str, ast.ClassDef]) -> str:
    found = classes[name]
    about = (ast.get_docstring(found) or "").replace("`, or in `rules.py`", "`")
    title = about[0].upper() + about[1:] if name not in ELSEWHERE else f"{about} [`{ELSEWHERE[name]}`]"
    rows = [f"**{title}**\n", "| member | |", "|---|---|"]
    for base in (classes[ast.unparse(each)] for each in found.bases if ast.unparse(each) in classes):
        rows += [f"| | *{ast.get_docstring(base)}* |", *_rows(base)]
    return "\n".join([*rows, *_rows(found)]) + "\n"


def _rows(found: ast.ClassDef) -> list[str]:
    rows = []
    for node, after in zip(found.body, [*found.body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in node.args.args if argument.arg != "self"]
            needed = any(isinstance(each, ast.Name) and each.id == "abstractmethod" for each in node.decorator_list)
            rows.append(_row(f"{node.name}({', '.join(names)})", needed, ast.get_docstring(node) or ""))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            assert isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant), node.target.id
            needed = node.value is None and "Default" not in str(after.value.value)
            rows.append(_row(node.target.id, needed, str(after.value.value)))
    return rows


def _row(name: str, needed: bool, text: str) -> str:
    mark = "**" if needed else ""
    return f"| {mark}`{name}`{mark} | {' '.join(text.split()).replace('|', chr(92) + '|')} |"


def page() -> str:
    """The page with the tables as they are now."""
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    return before + BEGIN + "\n" + table() + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
