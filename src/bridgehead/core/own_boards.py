"""Boards that people drew: their data, their names, and the command line that gives the same game again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from bridgehead.core import options as house
from bridgehead.core.caching import cached_per_game
from bridgehead.core.editing import CORE
from bridgehead.core.errors import BoardError
from bridgehead.core.game import Game
from bridgehead.core.phrases import phrase
from bridgehead.core.spec import Spec

MOST_DRAWS = 120  # of chance, before the first decision


def find_own_board(game: Game) -> Any:
    """The content of the board file of a game on a board that people drew; None on a board of the game."""
    differences = _plain(game.differences)
    if not house.brings_board(game.spec, differences):
        return None
    holders = [name for name, role in house.list_board_parts(game.spec).items() if role == "own"]
    return next(differences[name] for name in holders if differences.get(name) is not None)


def find_board_name(game: Game) -> str:
    """The name that its designer gave to an own board; "" without one."""
    board = find_own_board(game)
    return str(board.get("name", "")) if isinstance(board, dict) else ""


@cached_per_game
def headline(game: Game) -> str:
    """The title of the game; of an own board first its name."""
    name = find_board_name(game)
    return f"{name} ({game.spec.title})" if name else game.spec.title


def list_credits(game: Game, language: str) -> list[str]:
    """Who drew an own board, and the note on it, as far as its file says so."""
    board, note = find_own_board(game), find_note(game)
    author = str(board.get("author", "")) if isinstance(board, dict) else ""
    return [*([CORE.tell(phrase("board.by", author=author), language)] if author else []), *([note] if note else [])]


def find_note(game: Game) -> str:
    """The note on an own board."""
    board = find_own_board(game)
    return str(board.get("note", "")) if isinstance(board, dict) else ""


def list_board_notes(game: Game, language: str) -> list[str]:
    """Sentences on what the house rules change on an own board."""
    return [game.words.tell(each, language) for each in game.spec.options.list_board_changes(game.options, game.board)]


def count_steps(game: Game, seat: int) -> int | None:
    """How far a seat starts from its goal, in the game's measure; None where there is none."""
    position = game.start()
    for _ in range(MOST_DRAWS):
        if not position.is_chance:
            break
        position = position.play(position.legal[0])
    found = None if position.is_over else game.spec.progress.distance(position, seat)
    return int(found.numbers[0]) if found else None


def name_file(game: Game) -> str:
    """The name under which the editor saves an own board."""
    name = re.sub(r"[^\w-]+", "-", find_board_name(game)).strip("-")
    return f"{name or game.spec.id}.json"


def rules_of_file(spec: Spec, content: Any) -> dict[str, Any]:
    """The house rules that a board file, or the name of a board, stands for. Errors: BoardError."""
    if not spec.is_editable or isinstance(content, str) and "board" in house.list_board_parts(spec):
        return {"board": content}
    if not isinstance(content, dict):
        return spec.editor.rules(spec.editor.read(content))
    holder = next(name for name, role in house.list_board_parts(spec).items() if role == "own")
    try:
        return {**spec.editor.rules(spec.editor.read(content)), holder: content}
    except BoardError as error:
        raise BoardError(error.phrase, f"{holder}.{error.where}".rstrip(".")) from None


def write_board(game: Game, file: Path | None = None) -> str:
    """The text of the board file of an own board, written into a file if one is named."""
    text = json.dumps(find_own_board(game), ensure_ascii=False) + "\n"
    if file is not None:
        file.write_text(text, "utf-8")
    return text


def write_arguments(game: Game, file: str = "") -> list[str]:
    """The arguments of a command that give this game: `--board FILE` of an own board, and `--rules` for the rest.

    file: where the board file is; without one, as the editor names it.
    """
    rules, given, board = _plain(game.differences), list[str](), find_own_board(game)
    if board is not None:
        by_file = rules_of_file(game.spec, board)
        whole = _plain(msgspec.to_builtins(game.options))
        rules |= {name: whole[name] for name in by_file}
        rules = {name: value for name, value in rules.items() if name not in by_file or by_file[name] != value}
        given += ["--board", file or name_file(game)]
    text = " ".join(f"{name}={_typed(value)}" for name, value in rules.items())
    return [*given, "--rules", text] if text else given


def leave_signature(rules: dict[str, Any]) -> dict[str, Any]:
    """House rules without what does not change the game: name, author and note of an own board."""

    def bare(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        left = {key: each for key, each in value.items() if key not in ("name", "author", "note")}
        return left["layout"] if [*left] == ["layout"] else left

    return {name: bare(value) for name, value in _plain(rules).items()}


def _plain(rules: dict[str, Any]) -> dict[str, Any]:
    """House rules as a file holds them: layouts as lists."""
    found: dict[str, Any] = json.loads(json.dumps(rules))
    return found


def _typed(value: Any) -> str:
    return value if isinstance(value, str) else "none" if value is None else json.dumps(value, separators=(",", ":"))
