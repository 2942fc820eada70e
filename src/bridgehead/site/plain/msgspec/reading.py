"""Plain values read as types, with msgspec's errors."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from .structs import NODEFAULT, Meta, Struct, UnsetType, ValidationError, types_of

Read = Callable[[Any], Any]
ARRAYS = {list: list, tuple: tuple, set: set, frozenset: frozenset, Sequence: list, AbstractSet: set}
OBJECTS = (dict, Mapping, MutableMapping)
ORDER = ("any", "bool", "int", "float", "str", "bytes", "object", "array", "null")
NAMES = {
    bool: "bool", int: "int", float: "float", str: "str", bytes: "bytes", dict: "object", list: "array", tuple: "array",
    set: "array", frozenset: "array", type(None): "null",
}  # fmt: skip


class Wrong(Exception):
    """A wrong value, and the path to it from the inside out."""

    def __init__(self, text: str, *path: str) -> None:
        self.text, self.path = text, list(path)

    @property
    def sentence(self) -> str:
        if not self.path:
            return self.text
        key = self.path[0] == "key"
        where = "$" + "".join(reversed(self.path[1:] if key else self.path))
        return f"{self.text} - at `key` in `{where}`" if key else f"{self.text} - at `{where}`"


class Streamed:
    """Does the value come from JSON? There msgspec counts the items of an array only after it has read them."""

    now = False
    keys = False  # are numbers as keys written as texts, as in JSON?


def convert(value: Any, type: Any, *, str_keys: bool = False, **_: Any) -> Any:
    """A plain value as a type. Errors: ValidationError."""
    return read_as(reader(type), value, text_keys=str_keys)


def read_as(read: Read, value: Any, streamed: bool = False, text_keys: bool = False) -> Any:
    """A plain value by a reader. Errors: ValidationError."""
    Streamed.now, Streamed.keys = streamed, streamed or text_keys
    try:
        return read(value)
    except Wrong as wrong:
        raise ValidationError(wrong.sentence) from None
    finally:
        Streamed.now = False


def _stray(name: str, tag: str) -> Wrong:
    """The error for a tag that no struct has."""
    shown = f"'{tag}'" if Streamed.now else repr(tag)
    return Wrong(f"Invalid value {shown}", f".{name}")


def _counted(count: int, least: int, most: int, text: str) -> None:
    """Check the length of an array. Errors: Wrong."""
    if not least <= count <= most:
        raise Wrong(text if Streamed.now else f"{text}, got {count}")


def _tag(name: str, tag: Any) -> str:
    """The tag of a struct. Errors: Wrong."""
    if type(tag) is not str:
        raise Wrong("Expected `str`" if Streamed.now else f"Expected `str`, got `{type(tag).__name__}`", f".{name}")
    return tag


def reader(kind: Any) -> Read:
    """The function that reads values as a type."""
    try:
        return _readers[kind]
    except KeyError:
        made = _readers[kind] = _made(_shape(kind))
        return made
    except TypeError:  # not hashable
        return _made(_shape(kind))


_readers: dict[Any, Read] = {}


class Shape(NamedTuple):
    """The parts of a type: one for each kind of JSON value that it allows."""

    parts: dict[str, Read]
    values: frozenset[Any] = frozenset()  # of literals
    loose: bool = False  # also other texts or numbers than those values

    @property
    def name(self) -> str:
        return " | ".join(sorted(self.parts, key=ORDER.index))


def _shape(kind: Any) -> Shape:
    bare, metas = kind, []
    while typing.get_origin(bare) is typing.Annotated:
        bare, *more = typing.get_args(bare)
        metas += [each for each in more if isinstance(each, Meta)]
    origin, args = typing.get_origin(bare), typing.get_args(bare)
    if bare is Any or bare is object or isinstance(bare, typing.TypeVar):
        return Shape({"any": _same})
    if origin in (typing.Union, types.UnionType):
        return _union(args)
    if origin is typing.Literal:
        return _literal(args)
    if bare is None or bare is type(None):
        return Shape({"null": _same})
    if bare is UnsetType:
        return Shape({})
    if bare in (bool, str, int, bytes):
        return Shape({NAMES[bare]: _bounded(_same, NAMES[bare], metas)})
    if bare is float:
        read = _bounded(float, "float", metas)
        return Shape({"float": read})
    if isinstance(bare, type) and issubclass(bare, Struct):
        return Shape({"array" if bare.__struct_config__.array_like else "object": _struct(bare)})  # type: ignore[attr-defined]
    if isinstance(bare, type) and issubclass(bare, tuple) and hasattr(bare, "_fields"):
        return Shape({"array": _named(bare)})
    if (origin or bare) in ARRAYS:
        return Shape({"array": _bounded(_array(ARRAYS[origin or bare], args), "array", metas)})
    if (origin or bare) in OBJECTS:
        return Shape({"object": _bounded(_dict(*(args or (Any, Any))), "object", metas)})
    raise TypeError(f"type {kind!r} is not supported")


def _same(value: Any) -> Any:
    return value


def _made(shape: Shape) -> Read:
    """The function that reads a value of one of several kinds."""
    parts, whole = shape.parts, shape.name
    if "any" in parts:
        return _same

    def read(value: Any) -> Any:
        kind = NAMES.get(type(value)) or _kind(value)
        part = parts.get(kind)
        if part is None:
            if kind == "int" and "float" in parts:
                part = parts["float"]
            elif isinstance(value, Struct):
                part = parts.get("object") or parts.get("array")
            if part is None:
                raise Wrong(f"Expected `{whole}`, got `{kind}`")
        return part(value)

    return read


def _kind(value: Any) -> str:
    for base in (str, int, float, dict, list, tuple, set, frozenset):
        if isinstance(value, base):
            return NAMES[base]
    return type(value).__name__


def _union(args: tuple[Any, ...]) -> Shape:
    """A union: structs are told apart by their tags."""
    structs, literals, shapes = [], [], []
    for each in args:
        bare = each
        while typing.get_origin(bare) is typing.Annotated:
            bare = typing.get_args(bare)[0]
        if typing.get_origin(bare) in (typing.Union, types.UnionType):
            shapes.append(_union(typing.get_args(bare)))
        elif isinstance(bare, type) and issubclass(bare, Struct):
            structs.append(bare)
        elif typing.get_origin(bare) is typing.Literal:
            literals += typing.get_args(bare)
        else:
            shapes.append(_shape(each))
    parts: dict[str, Read] = {}
    for shape in shapes:
        parts |= shape.parts
    if literals:
        parts = _literal(tuple(literals)).parts | parts
    if len(structs) == 1:
        parts |= _shape(structs[0]).parts
    elif structs:
        parts["object"] = _tagged(structs)
    return Shape(parts)


def _tagged(structs: list[Any]) -> Read:
    by_tag = {each.__struct_config__.tag: each for each in structs}
    field = structs[0].__struct_config__.tag_field

    def read(value: Any) -> Any:
        if isinstance(value, Struct):
            return value
        if field not in value:
            raise Wrong(f"Object missing required field `{field}`")
        tag = _tag(field, value[field])
        if tag not in by_tag:
            raise _stray(field, tag)
        return reader(by_tag[tag])(value)

    return read


def _literal(values: tuple[Any, ...]) -> Shape:
    flat = [
        inner for each in values for inner in (typing.get_args(each) if typing.get_origin(each) is typing.Literal else (each,))
    ]
    parts: dict[str, Read] = {}
    for kind, name in ((str, "str"), (int, "int"), (type(None), "null")):
        chosen = frozenset(each for each in flat if type(each) is kind)
        if chosen:
            parts[name] = _one_of(chosen)
    return Shape(parts)


def _one_of(values: frozenset[Any]) -> Read:
    def read(value: Any) -> Any:
        if value not in values:
            raise Wrong(f"Invalid enum value {value!r}")
        return value

    return read


def _bounded(read: Read, name: str, metas: list[Meta]) -> Read:
    """The same with the bounds of the annotations."""
    checks: list[tuple[Callable[[Any], bool], str]] = []
    for meta in metas:
        number = float if name == "float" else int
        if meta.ge is not None:
            checks.append((lambda value, bound=meta.ge: value >= bound, f">= {number(meta.ge)}"))  # type: ignore[misc]
        if meta.gt is not None:
            text = f">= {meta.gt + 1}" if name == "int" else f"> {float(meta.gt)}"
            checks.append((lambda value, bound=meta.gt: value > bound, text))  # type: ignore[misc]
        if meta.le is not None:
            checks.append((lambda value, bound=meta.le: value <= bound, f"<= {number(meta.le)}"))  # type: ignore[misc]
        if meta.lt is not None:
            text = f"<= {meta.lt - 1}" if name == "int" else f"< {float(meta.lt)}"
            checks.append((lambda value, bound=meta.lt: value < bound, text))  # type: ignore[misc]
        if meta.min_length is not None:
            checks.append((lambda value, bound=meta.min_length: len(value) >= bound, f"of length >= {meta.min_length}"))  # type: ignore[misc]
        if meta.max_length is not None:
            checks.append((lambda value, bound=meta.max_length: len(value) <= bound, f"of length <= {meta.max_length}"))  # type: ignore[misc]
        if meta.pattern is not None:
            form = re.compile(meta.pattern)
            checks.append((lambda value, form=form: form.search(value) is not None, f"matching regex {meta.pattern!r}"))  # type: ignore[misc]
    if not checks:
        return read

    def check_all(value: Any) -> None:
        for check, text in checks:
            if not check(value):
                raise Wrong(f"Expected `{name}` {text}")

    def bounded(value: Any) -> Any:
        if name in ("array", "object") and not Streamed.now:
            check_all(value)
        made = read(value)
        check_all(made)
        return made

    return bounded


def _array(kind: Any, args: tuple[Any, ...]) -> Read:
    if kind is tuple and args and args[-1] is not Ellipsis:
        return _fixed(args)
    inner = reader(args[0]) if args else _same

    def read(value: Any) -> Any:
        made = []
        for each in value:
            try:
                made.append(inner(each))
            except Wrong as wrong:
                wrong.path.append(f"[{len(made)}]")
                raise
        return made if kind is list else kind(made)

    return read


def _fixed(args: tuple[Any, ...]) -> Read:
    inner = [reader(each) for each in args if each != ()]

    def read(value: Any) -> Any:
        return tuple(_items(value, inner, len(inner), f"Expected `array` of length {len(inner)}"))

    return read


def _items(values: Any, readers: Sequence[Read], least: int, text: str) -> list[Any]:
    """The items of an array that has a reader for each. text: the error if there are too few or too many."""
    if not Streamed.now:
        _counted(len(values), least, len(readers), text)
    made = []
    for each, read in zip(values, readers, strict=False):
        try:
            made.append(read(each))
        except Wrong as wrong:
            wrong.path.append(f"[{len(made)}]")
            raise
    _counted(len(values), least, len(readers), text)
    return made


def _named(kind: Any) -> Read:
    hints = typing.get_type_hints(kind, include_extras=True)
    inner, least = [reader(hints[name]) for name in kind._fields], len(kind._fields) - len(kind._field_defaults)

    def read(value: Any) -> Any:
        bound = f"{least} to {len(inner)}" if least < len(inner) else len(inner)
        return kind(*_items(value, inner, least, f"Expected `array` of length {bound}"))

    return read


def _dict(key: Any, inside: Any) -> Read:
    read_key, read_inside, number = reader(key), reader(inside), _is_number(key)

    def read(value: Any) -> Any:
        made = {}
        for name, each in value.items():
            try:
                known = int(name) if number and Streamed.keys and re.fullmatch("-?(0|[1-9][0-9]*)", name) else name
                known = read_key(known)
            except Wrong as wrong:
                wrong.path.append("key")
                raise
            try:
                made[known] = read_inside(each)
            except Wrong as wrong:
                wrong.path.append("[...]")
                raise
        return made

    return read


def _is_number(key: Any) -> bool:
    while typing.get_origin(key) is typing.Annotated:
        key = typing.get_args(key)[0]
    return key is int


Fields = dict[str, tuple[str, Read]]  # by the name in JSON: a field's name, and the function that reads it


def _struct(kind: Any) -> Read:
    """The function that reads a struct. Its fields are looked up at the first use, because types may refer to each other."""
    known: Fields = {}

    def fields() -> Fields:
        if not known:
            hints = types_of(kind)
            known.update({field.encode_name: (name, reader(hints[name])) for name, field in kind.__struct_all__.items()})
        return known

    read = _read_array if kind.__struct_config__.array_like else _read_object
    return lambda value: value if isinstance(value, kind) else read(kind, fields(), value)


def _read_object(kind: Any, known: Fields, value: Any) -> Any:
    """A struct from an object of JSON."""
    if isinstance(value, Struct):
        raise Wrong(f"Expected `object`, got `{type(value).__name__}`")
    config = kind.__struct_config__
    given: dict[str, Any] = {}
    for key, each in value.items():
        found = known.get(key)
        if found is None:
            if config.tag and key == config.tag_field:
                if _tag(key, each) != config.tag:
                    raise _stray(key, each)
            elif config.forbid_unknown_fields:
                raise Wrong(f"Object contains unknown field `{key}`")
            continue
        try:
            given[found[0]] = found[1](each)
        except Wrong as wrong:
            wrong.path.append(f".{key}")
            raise
    return _built(kind, given)


def _read_array(kind: Any, known: Fields, value: Any) -> Any:
    """A struct from an array of JSON."""
    required = sum(field.default is NODEFAULT for field in kind.__struct_all__.values())
    readers = [read for _, read in known.values()]
    if len(value) < required:
        if Streamed.now:
            _items(value, readers[: len(value)], 0, "")
        raise Wrong(f"Expected `array` of at least length {required}, got {len(value)}")
    made = _items(value[: len(known)], readers, 0, "")
    if kind.__struct_config__.forbid_unknown_fields:
        _counted(len(value), required, len(known), f"Expected `array` of at most length {len(known)}")
    return _built(kind, {name: each for (name, _), each in zip(known.values(), made, strict=False)})


def _built(kind: Any, given: dict[str, Any]) -> Any:
    """The struct with these fields, if none is missing."""
    for name, field in kind.__struct_all__.items():
        if name not in given and field.default is NODEFAULT:
            raise Wrong(f"Object missing required field `{field.encode_name}`")
    try:
        return kind(**given)
    except (ValueError, TypeError) as error:  # of __post_init__
        raise Wrong(str(error)) from None
