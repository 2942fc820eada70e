"""Write docs/learn/puzzles.md: three puzzles a game, an easy, a middling and a hard one, and docs/pictures/puzzles."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core import registry
from bridgehead.core.phrases import ENGLISH
from bridgehead.core.spec import Spec
from bridgehead.players.puzzles import Puzzle, pose_puzzle, puzzles

DOCS = Path(__file__).parents[1] / "docs"
PAGE, PICTURES = DOCS / "learn" / "puzzles.md", DOCS / "pictures" / "puzzles"
WIDTH = 400  # of a picture, in pixels
HEAD = """# Puzzles

A puzzle is a position with one best action: it wins, or all others lose, or it is better than they are by a wide margin. Some
ask for a second action after it, and after the best reply. Deep searches have agreed on it
([how](../understand/players.md#puzzles)). `make play` and *Puzzles* on the page have {few} to {many} of each game. Here are three
of each; the answers are at the end.
"""
KINDS = {"win": "one action wins", "hold": "all actions but one lose", "best": "one action is best"}


def chosen(spec: Spec) -> list[Puzzle]:
    """The easiest puzzle, the one in the middle, and the hardest one that a level finds."""
    found = [each for each in puzzles(spec) if each.level]
    return [found[place] for place in (0, len(found) // 2, -1)]


def pictures() -> dict[str, bytes]:
    """The pictures by the name of their file. They need the extra `film`."""
    from bridgehead.printing import film

    return {
        f"{spec.id}-{number}.webp": film.render_film([film.Shot(pose_puzzle(spec, each).position)], ENGLISH, "webp", 1.0, WIDTH)
        for spec in registry.specs().values()
        for number, each in enumerate(chosen(spec), 1)
    }


def page() -> str:
    """The page."""
    numbers = [len(puzzles(spec)) for spec in registry.specs().values()]
    parts, answers = [HEAD.format(few=min(numbers), many=max(numbers))], ["## Answers\n"]
    for spec in registry.specs().values():
        parts.append(f"## {spec.title}\n")
        for number, each in enumerate(chosen(spec), 1):
            position = pose_puzzle(spec, each).position
            rules = ", ".join(f"{name} {value}" for name, value in each.options.items())
            who = position.game.words.tell(position.game.seat_phrases[position.actor], ENGLISH)
            under = f" ({rules})" if rules else ""
            several = f"; {1 + len(each.line)} actions are to be found" if each.line else ""
            parts += [
                f"**{number}.** {who} to act{under}: {KINDS[each.kind]}{several}. Levels from {each.level} on find it.\n",
                f"![{spec.title}, puzzle {number}](../pictures/puzzles/{spec.id}-{number}.webp)\n",
                f"    {each.position}\n",
            ]
            after, next_best = (f"{100 * chance:.0f} %" for chance in (each.chance, each.other))
            found = f"`{each.best}`{tell_line(each)}"
            answers.append(f"- {spec.title} {number}: {found}; win chance {after}, with the next best action {next_best}.")
    return "\n".join([*parts, *answers]) + "\n"


def tell_line(puzzle: Puzzle) -> str:
    """What is to be found after the action, with the replies between."""
    told = (" after " + ", ".join(f"`{reply}`" for reply in each.replies) if each.replies else "" for each in puzzle.line)
    return "".join(f", then{replies} `{each.best}`" for replies, each in zip(told, puzzle.line, strict=True))


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, made in pictures().items():
        (PICTURES / name).write_bytes(made)
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
