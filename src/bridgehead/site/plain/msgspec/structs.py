"""Structs: classes with typed fields, and functions for them."""

from __future__ import annotations

import sys
import types
import typing
from typing import Any, NamedTuple


class MsgspecError(Exception):
    """Base of the errors below."""


class DecodeError(MsgspecError):
    """Data that is no JSON or MessagePack."""


class ValidationError(DecodeError):
    """Data of another type than expected."""


class UnsetType:
    """The type of UNSET, the value of fields that are left out."""

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "UNSET"


UNSET = UnsetType()


class _NoDefault:
    def __repr__(self) -> str:
        return "NODEFAULT"


NODEFAULT = _NoDefault()


class Raw(bytes):
    """JSON to embed as it is."""


class Meta:
    """Bounds and notes of an annotated type."""

    NAMES = (
        "gt", "ge", "lt", "le", "multiple_of", "pattern", "min_length", "max_length", "tz", "title", "description", "examples",
        "extra_json_schema", "extra",
    )  # fmt: skip

    def __init__(self, **given: Any) -> None:
        for name in self.NAMES:
            setattr(self, name, given.pop(name, None))
        if given:
            raise TypeError(f"unknown: {', '.join(given)}")

    def __eq__(self, other: object) -> bool:
        return type(other) is Meta and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self.NAMES[:8]))


class StructConfig(NamedTuple):
    """How a struct behaves; as in msgspec."""

    frozen: bool = False
    eq: bool = True
    kw_only: bool = False
    array_like: bool = False
    gc: bool = True
    omit_defaults: bool = False
    forbid_unknown_fields: bool = False
    tag: str | None = None
    tag_field: str | None = None
    rename: Any = None


class FieldInfo(NamedTuple):
    """A field of a struct."""

    name: str
    encode_name: str
    type: Any
    default: Any = NODEFAULT
    default_factory: Any = NODEFAULT

    @property
    def required(self) -> bool:
        return self.default is NODEFAULT and self.default_factory is NODEFAULT


class _Field(NamedTuple):
    encode_name: str
    default: Any
    kw_only: bool


MUTABLE = (list, dict, set, bytearray)  # empty ones as defaults are copied


class StructMeta(type):
    """Makes struct classes."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any) -> Any:
        defaults = {}
        annotated = _annotations(namespace)
        for each in annotated:
            if each in namespace:
                defaults[each] = namespace.pop(each)
        namespace["__slots__"] = tuple(annotated)
        generic = [each for each in bases if not isinstance(each, StructMeta)]
        if any(each is typing.Generic for each in generic):
            namespace["__slots__"] = tuple(annotated)
        return super().__new__(mcls, name, bases, {**namespace, "__struct_own_defaults__": defaults, "__struct_own__": config})

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any) -> None:
        super().__init__(name, bases, namespace)
        fields: dict[str, _Field] = {}
        inherited = StructConfig()
        for base in reversed([each for each in bases if isinstance(each, StructMeta)]):
            fields |= getattr(base, "__struct_all__", {})
            inherited = getattr(base, "__struct_config__", inherited)
        tag = config.pop("tag", None)
        settings = inherited._replace(
            **{key: value for key, value in config.items() if key in StructConfig._fields and value is not None}
        )
        if settings.tag_field or tag:
            settings = settings._replace(tag=tag if isinstance(tag, str) else name, tag_field=settings.tag_field or "type")
        defaults, rename = cls.__dict__["__struct_own_defaults__"], settings.rename
        for each in _annotations(cls.__dict__):
            fields.pop(each, None)
            fields[each] = _Field(
                (rename(each) or each) if rename else each, defaults.get(each, NODEFAULT), bool(config.get("kw_only"))
            )
        ordered = {key: each for key, each in fields.items() if not each.kw_only} | {
            key: each for key, each in fields.items() if each.kw_only
        }
        setter: Any = super().__setattr__
        setter("__struct_all__", ordered)
        setter("__struct_config__", settings)
        setter("__struct_fields__", tuple(ordered))
        setter("__struct_encode_fields__", tuple(each.encode_name for each in ordered.values()))
        setter("__match_args__", tuple(key for key, each in ordered.items() if not each.kw_only))
        setter("__init__", _made_init(cls, ordered))
        if settings.frozen:
            setter("__hash__", _hash)
            setter("__setattr__", _refuse)
        elif settings.eq:
            setter("__hash__", None)


def _annotations(namespace: Any) -> dict[str, Any]:
    """The annotations of a class, from its namespace."""
    found = namespace.get("__annotations__")
    if found is None and (annotate := namespace.get("__annotate_func__") or namespace.get("__annotate__")):
        found = annotate(1)  # annotationlib.Format.VALUE, the only one that the function of a class knows by itself
    return {name: kind for name, kind in (found or {}).items() if not str(kind).startswith(("ClassVar", "typing.ClassVar"))}


def _made_init(cls: Any, fields: dict[str, _Field]) -> Any:
    """A constructor. Mutable defaults are made anew for each struct."""
    names: dict[str, Any] = {}
    head, body, starred = ["self"], [], False
    for index, (name, field) in enumerate(fields.items()):
        if field.kw_only and not starred:
            head.append("*")
            starred = True
        default = field.default
        if default is NODEFAULT:
            if not starred and any("=" in each for each in head):
                raise TypeError(f"required field {name!r} cannot follow optional fields")
            head.append(name)
        else:
            names[f"_default{index}"] = default
            head.append(f"{name}=_default{index}")
            if isinstance(default, MUTABLE):
                body.append(f"    if {name} is _default{index}: {name} = _type{index}()")
                names[f"_type{index}"] = type(default)
        names[f"_set{index}"] = getattr(cls, name).__set__
        body.append(f"    _set{index}(self, {name})")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    exec(f"def __init__({', '.join(head)}):\n" + "\n".join(body or ["    pass"]), names)  # noqa: S102 - names of fields
    return names["__init__"]


def _hash(self: Any) -> int:
    return hash(tuple(getattr(self, name) for name in self.__struct_fields__))


def _refuse(self: Any, name: str, value: Any) -> None:
    raise AttributeError(f"immutable type: {type(self).__name__!r}")


class Struct(metaclass=StructMeta):
    """Base of all structs."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__struct_fields__)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__)  # type: ignore[attr-defined]
        return f"{type(self).__name__}({inside})"

    def __copy__(self) -> Any:
        return replace(self)

    def __reduce__(self) -> Any:
        return _remade, (type(self), asdict(self))

    def __replace__(self, **changes: Any) -> Any:
        return replace(self, **changes)


def _remade(kind: Any, values: dict[str, Any]) -> Any:
    return kind(**values)


def replace(struct: Any, **changes: Any) -> Any:
    """A copy with other values for some fields."""
    return type(struct)(**{**asdict(struct), **changes})


def asdict(struct: Any) -> dict[str, Any]:
    """The fields that have a value, by name."""
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def astuple(struct: Any) -> tuple[Any, ...]:
    """The values of all fields."""
    return tuple(getattr(struct, name) for name in struct.__struct_fields__)


def force_setattr(struct: Any, name: str, value: Any) -> None:
    """Set a field, also of a frozen struct."""
    object.__setattr__(struct, name, value)


def fields(kind: Any) -> tuple[FieldInfo, ...]:
    """The fields of a struct, with their types."""
    hints = types_of(kind)
    return tuple(
        FieldInfo(name, each.encode_name, hints[name], NODEFAULT, type(each.default))
        if isinstance(each.default, MUTABLE)
        else FieldInfo(name, each.encode_name, hints[name], each.default)
        for name, each in kind.__struct_all__.items()
    )


def types_of(kind: Any) -> dict[str, Any]:
    """The types of a struct's fields, by name."""
    own = {base.__name__: base for base in kind.__mro__}
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        module = sys.modules.get(base.__module__)
        names = {**own, **(vars(module) if module else {})}
        for name, each in _annotations(base.__dict__).items():
            found[name] = eval(each, names) if isinstance(each, str) else each  # noqa: S307 - annotations of our own classes
    return found


def defstruct(name: str, fields: Any, *, bases: tuple[type, ...] = (), **config: Any) -> Any:
    """A struct class. fields: name, type, and default if any."""
    namespace: dict[str, Any] = {"__annotations__": {each[0]: each[1] for each in fields}, "__module__": __name__}
    namespace |= {each[0]: each[2] for each in fields if len(each) > 2}
    return types.new_class(name, bases or (Struct,), config, lambda made: made.update(namespace))
