"""Structs and plain values as JSON, and as plain values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .structs import UNSET, Raw, Struct, UnsetType

quoted = json.encoder.encode_basestring


def encode_value(value: Any) -> str:
    """A value as JSON, without spaces. Errors: TypeError."""
    kind = type(value)
    return (WRITERS.get(kind) or _writer(kind))(value)


def _number(value: float) -> str:
    text = repr(value)
    if "e" in text:
        digits, _, exponent = text.partition("e")
        if exponent == "-05":
            sign, digits = ("-", digits[1:]) if digits[0] == "-" else ("", digits)
            return f"{sign}0.0000{digits.replace('.', '')}"
        return f"{digits}e{int(exponent)}"
    return "null" if text in ("nan", "inf", "-inf") else text


def _array(value: Any) -> str:
    return f"[{','.join([(WRITERS.get(type(each)) or _writer(type(each)))(each) for each in value])}]"


def _object(value: dict[Any, Any]) -> str:
    return f"{{{','.join([f'{_key(key)}:{encode_value(each)}' for key, each in value.items()])}}}"


def _key(key: Any) -> str:
    if type(key) is str:
        return quoted(key)
    if isinstance(key, str | int | float) and not isinstance(key, bool):
        return f'"{encode_value(key)}"'
    raise TypeError("Only dicts with str-like or number-like keys are supported")


WRITERS: dict[type, Callable[[Any], str]] = {
    str: quoted, int: repr, float: _number, bool: lambda value: "true" if value else "false", type(None): lambda _: "null",
    list: _array, tuple: _array, set: _array, frozenset: _array, dict: _object, Raw: lambda value: value.decode(),
}  # fmt: skip


def _writer(kind: type) -> Callable[[Any], str]:
    """The writer of a type, made at its first use."""
    if issubclass(kind, Struct):
        made = _struct(kind)
    else:
        for base in (str, int, float, tuple, list, dict):
            if issubclass(kind, base):
                made = WRITERS[base] if base is not int else lambda value: repr(int(value))
                break
        else:
            raise TypeError(f"Encoding objects of type {kind.__name__} is unsupported")
    WRITERS[kind] = made
    return made


def _struct(kind: Any) -> Callable[[Any], str]:
    """A function that writes a struct."""
    config, fields = kind.__struct_config__, kind.__struct_all__
    names = {"encode_value": encode_value, "WRITERS": WRITERS, "_writer": _writer, "UNSET": UNSET}
    if config.array_like:
        inside = ", ".join(f"encode_value(value.{name})" for name in fields)
        tag = f"{quoted(config.tag)!r}, " if config.tag else ""
        exec(f"def write(value): return '[' + ','.join(({tag}{inside},)) + ']'", names)  # noqa: S102 - names of fields
        return names["write"]  # type: ignore[return-value]
    lines = ["def write(value):", "    parts = []", "    add = parts.append"]
    if config.tag:
        lines.append(f"    add({f'{quoted(config.tag_field)}:{quoted(config.tag)}'!r})")
    for index, (name, field) in enumerate(fields.items()):
        names[f"_default{index}"] = field.default
        lines.append(f"    each = value.{name}")
        write = f"add({f'{quoted(field.encode_name)}:'!r} + (WRITERS.get(type(each)) or _writer(type(each)))(each))"
        if config.omit_defaults and isinstance(field.default, list | dict | set):
            lines.append(f"    if (type(each) is not type(_default{index}) or each) and each is not UNSET: {write}")
        elif config.omit_defaults:
            lines.append(f"    if each is not _default{index} and each is not UNSET: {write}")
        else:
            lines.append(f"    if each is not UNSET: {write}")
    lines.append("    return '{' + ','.join(parts) + '}'")
    exec("\n".join(lines), names)  # noqa: S102 - names of fields
    return names["write"]  # type: ignore[return-value]


def to_builtins(value: Any) -> Any:
    """A value of numbers, texts, lists and dicts only."""
    if isinstance(value, Struct):
        config, fields = value.__struct_config__, value.__struct_all__  # type: ignore[attr-defined]
        if config.array_like:
            return ([config.tag] if config.tag else []) + [to_builtins(getattr(value, name)) for name in fields]
        made = {config.tag_field: config.tag} if config.tag else {}
        for name, field in fields.items():
            each = getattr(value, name)
            left_out = config.omit_defaults and (
                each is field.default or (each == field.default and isinstance(each, list | dict | set))
            )
            if not isinstance(each, UnsetType) and not left_out:
                made[field.encode_name] = to_builtins(each)
        return made
    if isinstance(value, dict):
        return {to_builtins(key): to_builtins(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        kind = tuple if isinstance(value, tuple) else list
        return kind(to_builtins(each) for each in value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise TypeError(f"Encoding objects of type {type(value).__name__} is unsupported")
