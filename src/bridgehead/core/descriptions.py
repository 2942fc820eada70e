"""What the pages say of a game itself, in a language: who can play, house rules, headings. English is what the game declares."""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Sequence
from typing import Any

from bridgehead.core.spec import Spec

# What `OptionInfo.allowed` says where any number or text may stand.
ALLOWED = {
    "de": {
        "none": "keine", "a text": "ein Text", "a board": "ein Brett", "a list": "eine Liste",
        "a whole number": "eine ganze Zahl", "true": "ja", "false": "nein",
    },
}  # fmt: skip
TO = {"de": " bis "}


class About:
    """A game in one language: from the table of that language in `about.toml` in its folder, else as the game declares it."""

    def __init__(self, spec: Spec, told: dict[str, Any], language: str) -> None:
        self._spec, self._told, self._language = spec, told, language

    @property
    def players(self) -> str:
        return str(self._told.get("players", self._spec.players))

    @property
    def line(self) -> str:
        return str(self._told.get("line", self._spec.line))

    @property
    def refused(self) -> dict[str, str]:
        """What is refused, by the sentence in English, with braces in place of what changes."""
        return dict(self._told.get("refused", {}))

    def section(self, title: str) -> str:
        """A heading of the rulebook."""
        return str(self._told.get("sections", {}).get(title, title))

    def title(self, clause: str, title: str) -> str:
        """The title of a clause, by its id."""
        return str(self._told.get("titles", {}).get(clause, title))

    def name(self, option: str) -> str:
        """What a house rule is called; in English as in the rulebook."""
        return str(self._option(option).get("name", option))

    def text(self, option: str, description: str) -> str:
        """What a house rule does. description: as the game declares it."""
        return str(self._option(option).get("text", description))

    def value(self, option: str, value: Any) -> str:
        """A value of a house rule in words; a value that is no word is told as JSON."""
        if isinstance(value, str):
            return str(self._option(option).get("values", {}).get(value, value))
        return self._allowed("none" if value is None else json.dumps(value, ensure_ascii=False))

    def short(self, option: str, value: Any) -> str:
        """A value in words, not too long; a board by its name."""
        text = str(value.get("name", "…")) if isinstance(value, dict) else self.value(option, value)
        return text if isinstance(value, str) or len(text) <= 60 else text[:57] + "…"

    def allowed(self, option: str, allowed: str, values: Sequence[Any]) -> str:
        """What may stand there, in words: these values, else as the game declares it."""
        if values:
            return ", ".join(self.value(option, value) for value in values)
        return ", ".join(self._allowed(part) for part in allowed.split(", "))

    def preset(self, name: str) -> str:
        """What a set of house rules is called."""
        return str(self._told.get("presets", {}).get(name, {}).get("name", name))

    def preset_text(self, name: str) -> str:
        """What a set of house rules changes; "" where nobody says."""
        return str(self._told.get("presets", {}).get(name, {}).get("text", ""))

    def _option(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self._told.get("options", {}).get(name, {})
        return found

    def _allowed(self, part: str) -> str:
        return ALLOWED.get(self._language, {}).get(part, part.replace(" to ", TO.get(self._language, " to ")))


@functools.cache
def about(spec: Spec, language: str) -> About:
    """A game in a language."""
    file = spec.folder / "about.toml"
    told = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return About(spec, told.get(language, {}), language)
