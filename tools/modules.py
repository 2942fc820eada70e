"""The WebAssembly modules that a package carries (players/shipped_modules.py): those in which levels, hints and analyses search,
and the rules alone. They are not in git.

tools/modules.py                 makes them, in about a minute on two quiet cores
tools/modules.py --stale         only where there are none of the present sources, as `make play` does
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from bridgehead.core import registry  # noqa: E402
from bridgehead.core.phrases import Phrase, sentence  # noqa: E402
from bridgehead.core.spec import Spec  # noqa: E402
from bridgehead.players import shipped_modules  # noqa: E402
from bridgehead.site import build  # noqa: E402


def own_games() -> dict[str, Spec]:
    """The project's own games."""
    own = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["bridgehead.games"]
    return {name: registry.spec(name) for name in own}


def make_modules() -> list[Path]:
    """Compile and write the modules of the project's own games."""
    specs = own_games()
    sources = {name: shipped_modules.hash_game(spec) for name, spec in specs.items()}
    built = build.modules(specs.values(), progress=show, rules_alone=True)
    made = {Path(name).name: content for name, content in built.items()}
    shipped_modules.write_modules(made, sources)
    return [shipped_modules.FOLDER / name for name in sorted(made)]


def show(stage: Phrase) -> None:
    print(sentence(stage, "en"), file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stale", action="store_true")
    given = parser.parse_args()
    if given.stale and all(shipped_modules.is_current(spec) for spec in own_games().values()):
        return
    for file in make_modules():
        print(f"{file.stat().st_size:>8,} {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
