"""The part of msgspec that Bridgehead uses, in plain Python: structs, validation by types, JSON and MessagePack.

It stands in for the real package where there is none, as in a browser. It gives the same bytes and the same errors; only the
place and the kind of a mistake in the JSON syntax may be worded differently. The server uses the real package, which is faster.
"""

from . import json, msgpack, structs
from .reading import convert
from .structs import UNSET, DecodeError, Meta, MsgspecError, Raw, Struct, UnsetType, ValidationError, defstruct
from .writing import to_builtins

__all__ = [
    "UNSET", "DecodeError", "Meta", "MsgspecError", "Raw", "Struct", "UnsetType", "ValidationError", "convert", "defstruct",
    "json", "msgpack", "structs", "to_builtins",
]  # fmt: skip
