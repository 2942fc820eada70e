"""A game's own sentences: who can play, its house rules, the headings and clauses of its rulebook (docs/do/add_a_language.md)"""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Sequence
from typing import Any

from bridgehead.core import options as house
from bridgehead.core.measured import figures
from bridgehead.core.phrases import Phrase, catalogue, phrase
from bridgehead.core.spec import Spec

NAMED = re.compile(r"(?:`(\w+)`|\b([a-z]+[A-Z]\w*)\b)(?:( |=)([\w-]+))?")  # a house rule in a clause, and the word after it


class About:
    """A game's descriptions in one language: the catalogue's sentences, else the texts that the game declares."""

    def __init__(self, spec: Spec, language: str) -> None:
        self._spec, self._language, self._words = spec, language, catalogue(spec.folder)

    def _text(self, key: str, default: str) -> str:
        return self._words.text(key, self._language, default)

    @property
    def players(self) -> str:
        return self._text("game.players", self._spec.players)

    @property
    def line(self) -> str:
        return self._text("game.line", self._spec.line)

    @property
    def in_short(self) -> list[str]:
        """The rules in a few sentences, `short.1`, `short.2` ...; empty if the catalogue has none."""
        sentences = (self._text(f"short.{number}", "") for number in itertools.count(1))
        return list(itertools.takewhile(bool, sentences))

    def glance_title(self, number: int) -> str:
        """The title of a panel of the game at a glance, counted from 1."""
        return self._text(f"glance.{number}.title", "")

    def glance_text(self, number: int) -> str:
        """The text of a panel of the game at a glance."""
        return self._text(f"glance.{number}.text", "")

    def section(self, name: str) -> str:
        """A heading of the rulebook."""
        return self._text(f"section.{name}", name)

    def title(self, clause: str) -> str:
        """The title of the clause with this id; "" if it has none."""
        return self._text(f"title.{clause}", "")

    def clause(self, clause: str) -> str:
        """The sentence of the clause with this id; house rules and their values stand in it in words."""
        return NAMED.sub(self._name_rule, self._text(f"clause.{clause}", ""))

    def _name_rule(self, found: re.Match[str]) -> str:
        """A house rule that a sentence names, with its value if one follows: `pass` onlyIfBlocked."""
        option, after = found[1] or found[2], found[4] or ""
        control = house.list_controls(self._spec).get(option)
        if control is None:
            return found[0]
        value = next((each for each in control.values if each is not None and str(each).casefold() == after.casefold()), None)
        if value is None:
            return self._words.tell(phrase("rule.named", name=self.name(option)), self._language) + (found[3] or "") + after
        return self._words.tell(phrase("rule.valued", name=self.name(option), value=self.value(option, value)), self._language)

    def name(self, option: str) -> str:
        """The title of a house rule."""
        return self._text(f"option.{option}.title", option)

    def text(self, option: str, description: str = "") -> str:
        """The description of a house rule. description: the default, as the game declares it."""
        return self._text(f"option.{option}.text", description)

    def value(self, option: str, value: Any) -> str:
        """A value of a house rule in words: none as the catalogue calls it there (`option.NAME.none`), yes or no, other values by
        their own sentence. Numbers without one, lists and boards are written as JSON."""
        if isinstance(value, bool):
            return self._words.tell(Phrase("yes" if value else "no"), self._language)
        if value is None:
            key = f"option.{option}.none"
            return self._words.tell(Phrase(key if self._words.has(key) else "allowed.none"), self._language)
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return self._text(f"option.{option}.value.{text}", text)

    def short(self, option: str, value: Any) -> str:
        """A value in at most 60 characters; a board is represented by its name."""
        text = str(value.get("name", "…")) if isinstance(value, dict) else self.value(option, value)
        return text if isinstance(value, str) or len(text) <= 60 else text[:57] + "…"

    def describe_allowed(self, option: str, allowed: str, values: Sequence[Any]) -> str:
        """The allowed values in words: those listed in `values`, else the declaration `allowed`."""
        if values:
            return ", ".join(self.value(option, value) for value in values)
        return ", ".join(self._part(option, part) for part in allowed.split(", "))

    def _part(self, option: str, part: str) -> str:
        phrase = house.describe_allowed(part)
        return self._words.tell(phrase, self._language) if isinstance(phrase, Phrase) else self.value(option, part)

    def reason(self, code: str) -> str:
        """A way in which the game ends, by its code in records."""
        return self._text(f"reason.{code}", code)

    def preset(self, name: str) -> str:
        """The title of a set of house rules."""
        return self._text(f"preset.{name}.title", name)

    def preset_text(self, name: str) -> str:
        """The description of a set of house rules, with the figures measured for it; "" if there is none."""
        key = f"preset.{name}.text"
        return self._words.tell(Phrase(key, figures(self._spec, name)), self._language) if self._words.has(key) else ""

    def preset_brief(self, name: str) -> str:
        """What a set of house rules changes, in a few words; "" if the catalogue has none."""
        return self._text(f"preset.{name}.brief", "")

    @property
    def again_recommended(self) -> str:
        """Words on a button: again, by the recommended rules. "" if the catalogue has none."""
        return self._text("preset.recommended.again", "")


@functools.cache
def about(spec: Spec, language: str) -> About:
    """The descriptions of a game in a language."""
    return About(spec, language)
