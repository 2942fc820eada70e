"""Errors: a phrase with parameters and a place, in every language, whole out of another process; every key is in a catalogue."""

import ast
import json
import pickle
import re
import string
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import bridgehead
from bridgehead.core import registry
from bridgehead.core.errors import BoardError, BridgeheadError, OptionError, RecordError, convert_error
from bridgehead.core.phrases import catalogue, languages, phrase, sentence

ROOT = Path(bridgehead.__file__).parent
KEY = re.compile(r"(?:([a-z_]+):)?([a-z_0-9]+(?:\.[\w-]+)+)")
PACKAGES = {folder.parent.name: folder.parent for folder in ROOT.rglob("languages")}


def raised() -> Iterator[tuple[Path, str, str, set[str]]]:
    """Every call that names a sentence of an error: file, package, key, parameters."""
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or ast.unparse(node.func) == "Phrase":
                continue
            params = {str(keyword.arg) for keyword in node.keywords}
            if "None" in params:  # given by a dictionary
                continue
            if ast.unparse(node.func) == "refuse" and isinstance(node.args[1], ast.Constant):
                yield file, file.parent.name, f"error.{node.args[1].value}", params
            for given in node.args[:2]:
                value = given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""
                found = KEY.fullmatch(value) if "error." in value and not value.endswith(".html") else None
                if found:
                    yield file, found[1] or "core", found[2], params


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_every_error_has_a_sentence_with_its_parameters() -> None:
    found = [*raised()]
    assert len(found) > 350
    for file, package, key, params in found:
        words = catalogue(PACKAGES[package])
        assert words.has(key), f"{file.name}: {package}:{key}"
        assert fields(words.template(key)) <= params, f"{file.name}: {package}:{key}"


def test_no_error_is_raised_with_a_sentence_in_the_source() -> None:
    kinds = {each.__name__ for each in (BridgeheadError, *_below(BridgeheadError))}
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds and node.args:
                given = node.args[0]
                assert not isinstance(given, ast.JoinedStr) or ":error." in ast.unparse(given), f"{file}:{node.lineno}"
                assert not isinstance(given, ast.Constant) or " " not in str(given.value), f"{file}:{node.lineno}"


def _below(kind: type) -> list[type]:
    return [each for below in kind.__subclasses__() for each in (below, *_below(below))]


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_every_language_has_the_same_parameters_and_no_key_of_its_own(package: str) -> None:
    words = catalogue(PACKAGES[package])
    for language in languages():
        for key in words.keys(language):
            assert words.has(key) or key.removesuffix("_one") != key, (language, key)
            if words.has(key):
                assert fields(words.text(key, language)) <= fields(words.template(key)) | {"n"}, (language, key)


def test_an_error_is_a_sentence_in_english_and_a_phrase_in_every_language() -> None:
    error = RecordError("error.header_lacks", phrase("error.line", number=3), missing="seats")
    assert str(error) == "line 3: the header lacks seats"
    assert (error.what, error.where) == ("the header lacks seats", "line 3")
    assert sentence(error.whole, "de") == "Zeile 3: im Kopf fehlt seats"
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, RecordError) and again.phrase == error.phrase and str(again) == str(error)


def test_a_sentence_that_stands_in_no_catalogue_is_the_same_in_every_language() -> None:
    for text in ("seven is {too} many", "missing", "x: y"):
        error = OptionError(text, "seats")
        assert str(error) == f"seats: {text}" == sentence(error.whole, "de")


def test_an_error_of_a_game_is_found_from_everywhere() -> None:
    with pytest.raises(OptionError) as caught:
        registry.game("barricade", seats=6)
    assert sentence(caught.value.phrase, "de") == "das Brett hat 4 Häuser, zu wenige für 6 Spieler"
    with pytest.raises(BoardError) as board:
        registry.game("barricade", board={"name": "x"})
    assert sentence(board.value.phrase, "de") != board.value.what


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """Something with every kind of bound."""

    n: msgspec.Raw | int = 0


@pytest.mark.parametrize(
    ("kind", "value", "key"),
    [
        (int, "x", "wrong.type"),
        (bool, 3, "wrong.type"),
        (str, None, "wrong.type"),
    ],
)
def test_what_msgspec_refuses_has_a_phrase(kind: type, value: object, key: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert({"x": value}, dict[str, kind])  # type: ignore[valid-type]
    error = convert_error(caught.value)
    assert error.phrase.key == key and error.where == "$[...]"
    assert str(caught.value).startswith(error.what)


METAS = [
    (msgspec.Meta(ge=2), 1, "wrong.least"),
    (msgspec.Meta(le=2), 3, "wrong.most"),
]


def test_every_form_of_refusal_of_msgspec_is_known() -> None:
    """One that this version words in another way would stay English."""
    from typing import Annotated, Literal

    for meta, value, key in METAS:
        assert _key(value, Annotated[int, meta]) == key
    assert _key("abc", Annotated[str, msgspec.Meta(max_length=2)]) == "wrong.long"
    assert _key("", Annotated[str, msgspec.Meta(min_length=2)]) == "wrong.short"
    assert _key("abc", Annotated[str, msgspec.Meta(pattern="^x$")]) == "wrong.form"
    assert _key([1], tuple[int, int]) == "wrong.length"
    assert _key("abc", Literal["x"]) == "wrong.value"
    assert _key({"z": 1}, Wish) == "wrong.field"
    assert _key({}, msgspec.defstruct("Needy", [("x", int)])) == "wrong.missing"
    for text, key in ((b"{", "wrong.truncated"), (b"[1,}", "error.json"), (b"nope", "error.json")):
        with pytest.raises(msgspec.DecodeError) as caught:
            msgspec.json.decode(text)
        assert convert_error(caught.value).phrase.key == key, caught.value
    with pytest.raises(json.JSONDecodeError) as broken:
        json.loads("{")
    assert convert_error(broken.value).phrase.key == "error.json"


def _key(value: object, kind: object) -> str:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(value, kind)  # type: ignore[call-overload]
    return convert_error(caught.value).phrase.key
