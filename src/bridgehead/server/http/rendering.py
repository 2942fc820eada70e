"""Renders the HTML pages from their templates. It needs no web framework, so a static site has the same pages."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.descriptions import About, about
from bridgehead.core.extras import is_installed
from bridgehead.core.glance import glance
from bridgehead.core.measured import often_has_no_winner
from bridgehead.core.phrases import ENGLISH, catalogue, languages
from bridgehead.core.spec import Spec
from bridgehead.core.svg import draw_svg
from bridgehead.core.tutorial import has_tutorial
from bridgehead.players import strengths
from bridgehead.players.puzzles import puzzles
from bridgehead.server.rooms import views
from bridgehead.server.tables.state import has_chance

WEB = Path(str(resources.files("bridgehead") / "web"))
SVG = "http://www.w3.org/2000/svg"
WORDS = catalogue(WEB)


@functools.cache
def english(game: str) -> About:
    """The English sentences about a game. Pages are sent in English."""
    return about(registry.spec(game), ENGLISH)


def say(game: str, part: str, *args: Any, kind: str = "say") -> Markup:
    """An HTML attribute with a sentence about a game (a part of `About`) in all languages but English."""
    parts = {language: getattr(about(registry.spec(game), language), part) for language in languages()}
    return translate_attribute({language: str(each(*args) if args else each) for language, each in parts.items()}, kind)


def translate_attribute(sentences: dict[str, str], kind: str = "say") -> Markup:
    """An HTML attribute with a sentence in all languages but English. The browser shows it in place of the English sentence."""
    others = {language: text for language, text in sentences.items() if text != sentences[ENGLISH]}
    return Markup(" data-{}='{}'").format(kind, json.dumps(others, ensure_ascii=False)) if others else Markup("")


templates = Environment(loader=FileSystemLoader(WEB / "templates"), autoescape=True)
templates.globals |= {"english": english, "say": say, "translated": translate_attribute}
templates.globals["sentence"] = WORDS.text
templates.globals["languages"] = {language: WORDS.text("language.name", language) for language in languages()}


def render_template(template: str, **values: Any) -> str:
    """A page from its template."""
    return templates.get_template(template).render(values)


# The pages that do not depend on a table


def home(games: Iterable[Spec] | None = None, boards: Sequence[Any] = (), preview: Any = None, hosted: bool = False) -> str:
    """The start page. games: by default all installed ones, here and below. boards: own boards (`site.boards`), first.

    preview: what other programs show of a link to the page (`previews`), here and below. hosted: a server serves it.
    """
    shown = _games(games)
    levels = {spec.id: strengths(spec) for spec in shown}
    puzzled = [spec.id for spec in shown if puzzles(spec)]
    return render_template(
        "home.html", games=views.listings(shown), lessons=lessons(), puzzled=puzzled, strengths=levels, boards=boards,
        undecided=[spec.id for spec in shown if often_has_no_winner(spec)], preview=preview, hosted=hosted,
    )  # fmt: skip


def new(
    spec: Spec, mode: str = "here", like: dict[str, object] | None = None, lab: bool | None = None, preview: Any = None
) -> str:
    """The page for a new table. like: the rules and seats to begin with; lab: whether it offers a study of the house rules."""
    chance, lab = has_chance(registry.open_game(spec.rules_id, "{}")), is_installed("lab") if lab is None else lab
    undecided = often_has_no_winner(spec)
    return render_template(
        "new.html", game=views.listing(spec), chance=chance, undecided=undecided, mode=mode, like=like, lab=lab, preview=preview
    )


def rulebooks(games: Iterable[Spec] | None = None) -> str:
    """The list of rulebooks."""
    return render_template("rules.html", games=views.listings(_games(games)), game=None)


def study(games: Iterable[Spec] | None = None) -> str:
    """The analysis board."""
    return render_template("study.html", games=views.listings(_games(games)))


def tournaments() -> str:
    """The tournaments, and a form for a new one."""
    return render_template("tournaments.html", games=views.listings(_games(None)))


def rules(spec: Spec, games: Iterable[Spec] | None = None, preview: Any = None) -> str:
    """The rulebook of a game, and the house rules that there are. The page itself asks for those in force at a table."""
    return render_template(
        "rules.html", games=views.listings(_games(games)), game=views.listing(spec), lessons=lessons(),
        sections=views.rule_sections(spec), options=house.describe(spec), preview=preview, pictures=glance_pictures(spec),
    )  # fmt: skip


@functools.cache
def glance_pictures(spec: Spec) -> list[tuple[Markup, int]]:
    """The pictures of a game at a glance, and the number of the sentences below each."""
    found = []
    for number, panel in enumerate(glance(spec), start=1):
        picture = draw_svg(panel.position, frame=panel.frame, marks=panel.marks).decode().partition("?>")[2]
        found.append((Markup(picture.replace("<svg ", '<svg aria-hidden="true" ', 1)), number))
    return found


def _games(games: Iterable[Spec] | None) -> list[Spec]:
    return list(registry.specs().values() if games is None else games)


def lessons() -> list[str]:
    """The games that have a tutorial."""
    return [spec.id for spec in registry.specs().values() if has_tutorial(spec)]


# Files that all pages share


@functools.cache
def words(language: str) -> bytes:
    """The sentences of the pages in a language, as JSON."""
    return json.dumps({key: WORDS.text(key, language) for key in sorted(WORDS.keys(ENGLISH))}, ensure_ascii=False).encode()


@functools.cache
def symbols() -> bytes:
    """All symbols in one SVG: the shared ones and those of all games."""
    ElementTree.register_namespace("", SVG)
    whole = ElementTree.Element(f"{{{SVG}}}svg")
    for file in [WEB / "art.svg", *(spec.folder / "art.svg" for spec in registry.specs().values())]:
        if file.exists():
            whole.extend(ElementTree.parse(file).getroot())
    return ElementTree.tostring(whole)
