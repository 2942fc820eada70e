"""House rules: reading them from text, validation, and the difference from the standard."""

from __future__ import annotations

import functools
import json
import re
import types
import typing
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from bridgehead.core.defaults import House as House
from bridgehead.core.defaults import camel as camel
from bridgehead.core.errors import OptionError, convert_error
from bridgehead.core.phrases import ENGLISH, Phrase, catalogue, join_phrases, phrase
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready

# Names in `OptionInfo.allowed` for values that are not listed, and their keys in the catalogue.
RECOMMENDED = "recommended"  # the preset of this name stands beside the original rules
KINDS = {
    "none": "allowed.none", "a text": "allowed.text", "a board": "allowed.board", "a list": "allowed.list",
    "a whole number": "allowed.number", "true": "allowed.true", "false": "allowed.false",
}  # fmt: skip


class OptionInfo(NamedTuple):
    """One house rule: its name, default, allowed values in words and as a list, description, and clause."""

    name: str
    default: Any
    allowed: str
    values: tuple[Any, ...]
    description: str
    clause: str


@functools.cache
def describe(spec: Spec) -> tuple[OptionInfo, ...]:
    """All house rules of a game, in the order of its struct. `values` is empty if the allowed values are too many to list."""
    infos, words = [], catalogue(spec.folder)
    for field in msgspec.structs.fields(spec.options.Options):
        meta, kind = _unwrap(field.type)
        name, clause = field.encode_name, ((meta and meta.extra) or {}).get("clause", "")
        description = words.text(f"option.{name}.text", ENGLISH, (meta and meta.description) or "")
        infos.append(OptionInfo(name, field.default, *_allowed(kind, meta), description, clause))
    return tuple(infos)


class Control(NamedTuple):
    """How a form asks for a house rule: values to press (none is None), and beside them a number, a text or a file.

    low, high: the bounds of a whole number, both None where there is none; steps: the numbers that its buttons lead to; first:
    the number to begin with where none is the default.
    """

    values: tuple[Any, ...]
    low: int | None = None
    high: int | None = None
    steps: tuple[int, ...] = ()
    first: int = 0
    is_text: bool = False
    is_file: bool = False


@functools.cache
def list_controls(spec: Spec) -> dict[str, Control]:
    """How a form asks for each house rule, by its name."""
    found = {}
    for field in msgspec.structs.fields(spec.options.Options):
        name, bounds = field.encode_name, (None, None)
        values, bare = list[Any](), set[Any]()
        for meta, kind in _parts(field.type):
            if kind is int:
                bounds = getattr(meta, "ge", None), getattr(meta, "le", None)
            elif kind in (bool, type(None)) or typing.get_origin(kind) is typing.Literal:
                values.extend(_tried(kind, meta))
            bare.add(typing.get_origin(kind) or kind)
        low, high = bounds
        steps = tuple(each for each in tries(spec)[name] if each is not None) if low is not None else ()
        first = next((each[name] for each in spec.options.PRESETS.values() if name in each), 100 if 100 in steps else low)
        values.sort(key=lambda value: value is not None)
        is_text, is_file = str in bare, bool(bare & {dict, tuple})
        found[name] = Control(tuple(values), low, high, steps, first if steps else 0, is_text, is_file)
    return found


def find_recommended_preset(spec: Spec) -> str:
    """The preset that pages offer beside the original rules, which are the default of everything; "" where there is none."""
    return RECOMMENDED if RECOMMENDED in spec.options.PRESETS else ""


@functools.cache
def list_board_parts(spec: Spec) -> dict[str, str]:
    """The house rules that make up the board: `extra={"board": "own"}` may hold one that people drew, "setup" is part of it."""
    fields = ((field.encode_name, _unwrap(field.type)[0]) for field in msgspec.structs.fields(spec.options.Options))
    return {name: meta.extra["board"] for name, meta in fields if meta and "board" in (meta.extra or {})}


def brings_board(spec: Spec, values: Mapping[str, Any]) -> bool:
    """Whether these house rules hold a board that people drew: data or a text, not the name of one of the game's boards."""
    for name, role in list_board_parts(spec).items():
        value = values.get(name)
        if role == "own" and value is not None and value not in list_controls(spec)[name].values:
            return True
    return False


def leave_board(spec: Spec, preset: Mapping[str, Any]) -> dict[str, Any]:
    """A preset for an own board: without the house rules that would change the board."""
    return {name: value for name, value in preset.items() if name not in list_board_parts(spec)}


def build(spec: Spec, preset: str = "", values: Mapping[str, Any] | None = None) -> Any:
    """The options of a game: its defaults, changed by a preset, changed by `values` (explicit ones win, ALLQ-4).

    A preset leaves an own board as it was drawn.
    """
    presets = spec.options.PRESETS
    if preset and preset not in presets:
        known_ones = ", ".join(presets) or phrase("allowed.none")
        raise OptionError("error.no_preset", "preset", title=spec.title, preset=repr(preset), presets=known_ones)
    base = presets.get(preset, {})
    if brings_board(spec, values or {}):
        base = leave_board(spec, base)
    wanted = {name: _plain(value) for name, value in {**base, **(values or {})}.items()}
    known = {info.name: info for info in describe(spec)}
    for name in wanted:
        if name not in known:
            raise OptionError("error.no_house_rule", name, title=spec.title, name=repr(name), known=", ".join(known))
    try:
        return msgspec.convert(wanted, ready(spec.options.Options))
    except msgspec.ValidationError as error:
        found = convert_error(error)
        name, what = re.split(r"[.[]", found.where.removeprefix("$."))[0], found.phrase
        if name in known:
            given = repr(wanted.get(name))[:40]
            what = phrase("error.allowed", given=given, what=what, allowed=describe_allowed(known[name].allowed))
        raise OptionError(what, name) from None


def _plain(value: Any) -> Any:
    """A value as a record gives it back: numbers of NumPy as Python's, the keys of a board sorted, since actions are numbered by
    their order."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in sorted(value.items(), key=lambda item: str(item[0]))}
    return value.item() if hasattr(value, "item") and not getattr(value, "shape", ()) else value


def describe_allowed(text: str) -> Phrase | str:
    """`OptionInfo.allowed` as a phrase."""
    return join_phrases("list", [_part(part) for part in text.split(", ")])


def _part(part: str) -> Phrase | str:
    if bounds := re.fullmatch("(-?[0-9]+) to (-?[0-9]+)", part):
        return phrase("allowed.range", low=bounds[1], high=bounds[2])
    return phrase(KINDS[part]) if part in KINDS else part


def read(spec: Spec, words: str, own_board: bool = False) -> dict[str, Any]:
    """House rules typed as `name=value,name=value` (or separated by blanks), and names of presets; explicit ones win.

    A part without `=` belongs to the value before it, with its comma or blank: `homes=1,4 pass=always`.
    own_board: the rules are for a board that people drew, which presets leave as it is.
    """
    known = {info.name for info in describe(spec)}
    preset: dict[str, Any] = {}
    values: dict[str, Any] = {}
    name = ""
    pieces = re.split("([ ,]+)", words.strip(" ,"))
    for gap, part in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        head, equals, value = part.partition("=")
        if equals:
            name = head
            values[name] = value
        elif part in spec.options.PRESETS:
            preset |= spec.options.PRESETS[part]
        elif part and name:
            values[name] += ("," if "," in gap else " ") + part
        elif part:
            raise OptionError("error.name_value_preset_got", part, part=repr(part))
    for name in values:
        if name not in known:
            raise OptionError("error.no_house_rule", name, title=spec.title, name=repr(name), known=", ".join(sorted(known)))
    preset = leave_board(spec, preset) if own_board else preset
    return preset | {name: _value(spec, name, value) for name, value in values.items()}


def list_differences(options: Any) -> dict[str, Any]:
    """The house rules that differ from the standard, by the rulebook's names, as plain JSON values."""
    plain = msgspec.to_builtins(options)
    standard = msgspec.to_builtins(type(options)())
    return {name: value for name, value in plain.items() if value != standard[name]}


def numbers(options: Any) -> dict[str, int]:
    """House rules as whole numbers by field, for a law: true is 1, a word is its index among the allowed ones, none is 0.

    A field that may hold a text, a board or a list is left out.
    """
    kinds = {field.name: _kinds(field.type) for field in msgspec.structs.fields(type(options))}
    return {name: _number(getattr(options, name), each) for name, each in kinds.items() if all(map(_is_number, each))}


@functools.cache
def kinds(spec: Spec) -> dict[str, tuple[Any, ...]]:
    """The types of each house rule, by its name, without annotations."""
    return {field.encode_name: _kinds(field.type) for field in msgspec.structs.fields(spec.options.Options)}


def _kinds(kind: Any) -> tuple[Any, ...]:
    """The types of a field without annotations; a union gives each of its types."""
    return tuple(bare for _, bare in _parts(kind))


def _is_number(kind: Any) -> bool:
    return kind in (bool, int, type(None)) or typing.get_origin(kind) is typing.Literal


def _number(value: Any, kinds: tuple[Any, ...]) -> int:
    if isinstance(value, str):
        return next(typing.get_args(kind).index(value) for kind in kinds if value in typing.get_args(kind))
    return int(value or 0)


def find_hidden_options(options: Any) -> frozenset[str]:
    """The house rules whose values the players may not see (`extra={"hidden": True}`), such as cards laid out face down."""
    kind: Any = type(options)
    return _hidden(kind)


@functools.cache
def _hidden(kind: type) -> frozenset[str]:
    fields = ((field.encode_name, _unwrap(field.type)[0]) for field in msgspec.structs.fields(kind))
    return frozenset(name for name, meta in fields if meta and (meta.extra or {}).get("hidden"))


def canonical(options: Any, concealed: bool = False) -> str:
    """The differences as one line of JSON: equal options, equal text. concealed: leave out the hidden ones."""
    kept = {
        name: value
        for name, value in list_differences(options).items()
        if not (concealed and name in find_hidden_options(options))
    }
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _value(spec: Spec, name: str, text: str) -> Any:
    if text == "none" and type(None) in kinds(spec)[name]:
        return None
    for bare in kinds(spec)[name]:
        if bare is bool and text in ("true", "false"):
            return text == "true"
        literals = typing.get_args(bare) if typing.get_origin(bare) is typing.Literal else ()
        numbers = bare is int or (text not in literals and any(isinstance(value, int) for value in literals))
        if numbers and re.fullmatch("-?[0-9]{1,12}", text):
            return int(text)
    return text


STEPS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100, 200, 500, 1000)  # numbers to try in a wide range


@functools.cache
def tries(spec: Spec) -> dict[str, tuple[Any, ...]]:
    """The values of each house rule that a search may try, from its declaration: both truth values, all words, "none", and
    the numbers of a range, in STEPS if it is wide. Texts, lists and boards have too many: their house rules have none.
    """
    found: dict[str, tuple[Any, ...]] = {}
    for field in msgspec.structs.fields(spec.options.Options):
        found[field.encode_name] = tuple(value for meta, bare in _parts(field.type) for value in _tried(bare, meta))
    return found


def _parts(kind: Any) -> list[tuple[Any, Any]]:
    """The types of a field without annotations, each with its Meta; a union gives each of its types."""
    meta, bare = _unwrap(kind)
    several = isinstance(bare, types.UnionType) or typing.get_origin(bare) is typing.Union
    return [(inner or meta, each) for inner, each in map(_unwrap, typing.get_args(bare))] if several else [(meta, bare)]


def _tried(kind: Any, meta: Any) -> tuple[Any, ...]:
    if kind in (bool, type(None)):
        return (False, True) if kind is bool else (None,)
    if typing.get_origin(kind) is typing.Literal:
        return typing.get_args(kind)
    low, high = getattr(meta, "ge", None), getattr(meta, "le", None)
    if kind is not int or low is None or high is None:
        return ()
    return tuple(range(low, high + 1)) if high - low < 12 else tuple(each for each in STEPS if low <= each <= high)


def _unwrap(kind: Any) -> tuple[Any, Any]:
    """The Meta of an Annotated type (or None), and the type inside."""
    if typing.get_origin(kind) is typing.Annotated:
        inner, *notes = typing.get_args(kind)
        metas = [note for note in notes if isinstance(note, msgspec.Meta)]
        return (metas[0] if metas else None), inner
    return None, kind


def _allowed(kind: Any, meta: Any) -> tuple[str, tuple[Any, ...]]:
    """Allowed values in words, and as a list where there are few."""
    if kind is bool:
        return "true, false", (False, True)
    if typing.get_origin(kind) is typing.Literal:
        values = typing.get_args(kind)
        return ", ".join(str(v) for v in values), values
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        parts = []
        for each in typing.get_args(kind):
            inner_meta, bare = _unwrap(each)
            parts.append("none" if bare is type(None) else _allowed(bare, inner_meta or meta)[0])
        return ", ".join(sorted(parts, key=lambda part: part != "none")), ()
    if kind is int:
        low, high = getattr(meta, "ge", None), getattr(meta, "le", None)
        return (f"{low} to {high}" if low is not None and high is not None else "a whole number"), ()
    return {str: "a text", dict: "a board"}.get(typing.get_origin(kind) or kind, "a list"), ()
