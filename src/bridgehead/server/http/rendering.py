"""Renders the HTML pages from their templates. It needs no web framework, so a static site has the same pages."""

from __future__ import annotations

import contextlib
import functools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from jinja2 import Environment, FileSystemLoader, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.components import Area
from bridgehead.core.descriptions import About, about
from bridgehead.core.errors import OptionError
from bridgehead.core.extras import is_installed
from bridgehead.core.game import Game, Position
from bridgehead.core.glance import draw_presets, glance
from bridgehead.core.measured import often_has_no_winner
from bridgehead.core.phrases import ENGLISH, catalogue, languages
from bridgehead.core.scene import Item
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
KEYED = re.compile(r'(<[a-z][^<>]*? data-(?:t|tl|tp|tt)="[^<>]*>)([^<]*)')  # an element that names its sentences, and its text
KEY = re.compile(r' data-(t|tl|tp|tt)="([^"]*)"')


@pass_context
def describe(context: Context, game: str) -> About:
    """The sentences about a game, in the language of the page."""
    return about(registry.spec(game), context["language"] or ENGLISH)


@pass_context
def say(context: Context, game: str, part: str, *args: Any, kind: str = "say") -> Markup:
    """An HTML attribute with a sentence about a game (a part of `About`) in all languages but English, if the page has them."""
    if context["language"]:
        return Markup("")
    parts = {language: getattr(about(registry.spec(game), language), part) for language in languages()}
    return translate_attribute({language: str(each(*args) if args else each) for language, each in parts.items()}, kind)


@pass_context
def tell(context: Context, sentences: Mapping[str, str]) -> str:
    """A sentence that is given in all languages, in the language of the page."""
    return sentences[context["language"] or ENGLISH]


def translate_attribute(sentences: dict[str, str], kind: str = "say") -> Markup:
    """An HTML attribute with a sentence in all languages but English. The browser shows it in place of the English sentence."""
    others = {language: text for language, text in sentences.items() if text != sentences[ENGLISH]}
    return Markup(" data-{}='{}'").format(kind, json.dumps(others, ensure_ascii=False)) if others else Markup("")


templates = Environment(loader=FileSystemLoader(WEB / "templates"), autoescape=True)
templates.globals |= {"about": describe, "say": say, "tell": tell}
templates.globals["sentence"] = WORDS.text
templates.globals["languages"] = {language: WORDS.text("language.name", language) for language in languages()}


def read_templates() -> list[str]:
    """The text of each template."""
    return [file.read_text("utf-8") for file in sorted((WEB / "templates").glob("*.html"))]


def render_template(template: str, language: str = "", **values: Any) -> str:
    """A page from its template. Without a language it is in English and has the sentences about games in all of them.

    So a static site has it, of which the browser chooses the language; a server chooses it by the request.
    """
    page = templates.get_template(template).render(values, language=language)
    return translate_page(page, language) if language else page


def translate_page(page: str, language: str) -> str:
    """A page with the sentences of a language, where its elements name them, as `translate` in static/base/i18n.js has it."""

    def translate_element(match: re.Match[str]) -> str:
        tag, text = match[1], match[2]
        keys = dict(KEY.findall(tag))
        if (key := keys.get("t", "")) and WORDS.has(key):
            text = str(escape(WORDS.text(key, language)))
        if (key := keys.get("tt", "")) and WORDS.has(key):
            before, after = (str(escape(WORDS.text(key, each))) for each in (ENGLISH, language))
            text = text.replace(before, after)
        if (key := keys.get("tl") or keys.get("tp", "")) and WORDS.has(key):
            for name in ("aria-label", *(["placeholder"] if "tp" in keys else [])):
                attribute = f' {name}="{escape(WORDS.text(key, language))}"'
                tag = re.sub(rf' {name}="[^"]*"', "", tag)
                tag = tag.removesuffix(">") + attribute + ">"
        return tag + text

    return KEYED.sub(translate_element, page)


# The pages that do not depend on a table


def render_home(
    games: Iterable[Spec] | None = None, boards: Sequence[Any] = (), preview: Any = None, hosted: bool = False, language: str = ""
) -> str:
    """The start page. games: by default all installed ones, here and below. boards: own boards (`site.boards`), first.

    preview: what other programs show of a link to the page (`previews`), here and below. hosted: a server serves it. language: as
    for `render_template`, here and below.
    """
    shown = _games(games)
    levels = {spec.id: strengths(spec) for spec in shown}
    puzzled = [spec.id for spec in shown if puzzles(spec)]
    return render_template(
        "home.html", games=views.listings(shown), lessons=list_lessons(), puzzled=puzzled, strengths=levels, boards=boards,
        counts={spec.id: list_counts(spec) for spec in shown}, preview=preview, hosted=hosted, language=language,
        undecided=[spec.id for spec in shown if often_has_no_winner(spec)],
    )  # fmt: skip


def render_new_table(
    spec: Spec, mode: str = "here", like: dict[str, object] | None = None, lab: bool | None = None, preview: Any = None,
    language: str = "",
) -> str:  # fmt: skip
    """The page for a new table. like: the rules and seats to begin with; lab: whether it offers a study of the house rules."""
    chance, lab = has_chance(registry.open_game(spec.rules_id, "{}")), is_installed("lab") if lab is None else lab
    undecided = often_has_no_winner(spec)
    return render_template(
        "new.html", game=views.listing(spec), chance=chance, undecided=undecided, mode=mode, like=like, lab=lab, preview=preview,
        language=language, controls=house.list_controls(spec), pictures=preset_pictures(spec, language or ENGLISH),
        boards=list_board_seats(spec), parts=house.list_board_parts(spec),
    )  # fmt: skip


def render_rulebook_list(games: Iterable[Spec] | None = None, language: str = "") -> str:
    """The page with the list of rulebooks."""
    return render_template("rules.html", language, games=views.listings(_games(games)), game=None)


def render_study(games: Iterable[Spec] | None = None, language: str = "") -> str:
    """The page of the analysis board."""
    return render_template("study.html", language, games=views.listings(_games(games)))


def render_tournaments(language: str = "") -> str:
    """The tournaments, and a form for a new one."""
    return render_template("tournaments.html", language, games=views.listings(_games(None)))


def render_rulebook(spec: Spec, games: Iterable[Spec] | None = None, preview: Any = None, language: str = "") -> str:
    """The rulebook of a game, and the house rules that there are. The page itself asks for those in force at a table."""
    return render_template(
        "rules.html", games=views.listings(_games(games)), game=views.listing(spec), lessons=list_lessons(),
        sections=views.rule_sections(spec), options=house.describe(spec), preview=preview,
        glance=glance_pictures(spec, language or ENGLISH), language=language,
    )  # fmt: skip


@functools.cache
def glance_pictures(spec: Spec, language: str) -> tuple[Markup, list[tuple[Markup, int]]]:
    """The pictures of a game at a glance with their words in a language, and the number of the sentences below each.

    Before them stand the shapes that they share.
    """
    shapes, pictures = _draw(((panel.position, panel.frame, panel.marks) for panel in glance(spec)), language)
    return shapes, [(picture, number) for number, picture in enumerate(pictures, 1)]


@functools.cache
def preset_pictures(spec: Spec, language: str) -> tuple[Markup, dict[str, Markup]]:
    """A picture of what each preset changes, and of the rules as written (""); none for those without one.

    Before them stand the shapes that they share.
    """
    drawings = draw_presets(spec)
    shapes, pictures = _draw(drawings.values(), language)
    return shapes, dict(zip(drawings, pictures, strict=True))


def _draw(drawings: Iterable[tuple[Position, Area, Sequence[Item]]], language: str) -> tuple[Markup, list[Markup]]:
    """An SVG of the shapes that pictures share, and the pictures."""
    shapes = ElementTree.Element("defs")
    pictures = [
        draw_svg(position, language, frame=frame, marks=marks, shared=shapes).decode().partition("?>")[2]
        for position, frame, marks in drawings
    ]
    shared = ElementTree.tostring(shapes, "unicode")
    hidden = '<svg aria-hidden="true" '
    return Markup(f'{hidden}class="hidden">{shared}</svg>'), [Markup(each.replace("<svg ", hidden, 1)) for each in pictures]


@functools.cache
def list_counts(spec: Spec, board: str = "") -> list[int]:
    """The numbers of seats of a game, by the rules as written, perhaps on one of its boards."""
    low, high = spec.seats
    counts = []
    for seats in range(low, high + 1):
        with contextlib.suppress(OptionError):
            Game(spec, house.build(spec, "", {"seats": seats, **({"board": board} if board else {})}))
            counts.append(seats)
    return counts


@functools.cache
def list_board_seats(spec: Spec) -> dict[str, int]:
    """The largest number of seats that each board of a game is for; empty where the game has one board."""
    controls = house.list_controls(spec)
    return {board: max(list_counts(spec, board)) for board in (controls["board"].values if "board" in controls else ())}


def _games(games: Iterable[Spec] | None) -> list[Spec]:
    return list(registry.specs().values() if games is None else games)


def list_lessons() -> list[str]:
    """The games that have a tutorial."""
    return [spec.id for spec in registry.specs().values() if has_tutorial(spec)]


# Files that all pages share


@functools.cache
def encode_words(language: str) -> bytes:
    """The sentences of the pages in a language, as JSON."""
    return json.dumps({key: WORDS.text(key, language) for key in sorted(WORDS.keys(ENGLISH))}, ensure_ascii=False).encode()


@functools.cache
def encode_symbols(game: str = "") -> bytes:
    """Symbols in one SVG: the shared ones, and those of a game, by default of all games."""
    ElementTree.register_namespace("", SVG)
    whole = ElementTree.Element(f"{{{SVG}}}svg")
    for file in [WEB / "art.svg", *(spec.folder / "art.svg" for name, spec in registry.specs().items() if game in (name, ""))]:
        if file.exists():
            whole.extend(ElementTree.parse(file).getroot())
    return ElementTree.tostring(whole)
