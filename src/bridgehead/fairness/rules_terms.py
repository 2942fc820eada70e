"""What decides the draws of a game, as the transcript of BGF2 binds it: rules, their sources, house rules."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from bridgehead.core import options as house
from bridgehead.core.game import Game
from bridgehead.fairness import bgf2

LEFT_OUT = {"__pycache__", "languages"}  # folders without influence on an outcome


class RulesTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts of the rules hash. options: the house rules as canonical JSON; sources, salt: hex.

    salt: hides concealed house rules from those who could try all of them, until the proof reveals it.
    """

    game: str
    version: str
    sources: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    options: str
    salt: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]

    @property
    def hash(self) -> bytes:
        sources, salt = bytes.fromhex(self.sources), bytes.fromhex(self.salt)
        return bgf2.rules_hash(self.game, self.version, sources, self.options, salt)


def rules_of(game: Game, salt: bytes, sources: str = "") -> RulesTerms:
    """The rules of a game. sources: the digest, if it is not that of the installed ones."""
    return RulesTerms(
        game.spec.id,
        game.spec.version,
        sources or digest_installed_rules(game.spec.package),
        house.canonical(game.options),
        salt.hex(),
    )


@functools.cache
def digest_installed_rules(package: str) -> str:
    """The digest of the installed sources of a game's package (or module), hex."""
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.origin is not None, package
    if not spec.submodule_search_locations:
        return bgf2.sources_hash([(Path(spec.origin).name, Path(spec.origin).read_bytes())]).hex()
    folder = Path(spec.origin).parent
    files = [file for file in folder.rglob("*") if file.is_file() and LEFT_OUT.isdisjoint(file.relative_to(folder).parts)]
    return bgf2.sources_hash((file.relative_to(folder).as_posix(), file.read_bytes()) for file in files).hex()
