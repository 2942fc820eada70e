"""WebAssembly modules that cannot be made: one clear sentence, in every language, and no file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import command_line
from bridgehead.core import wasm, wasm_module
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import languages, sentence

pytestmark = pytest.mark.wide
TABLE = np.arange(200_000)


def adds_words(state: Any) -> Any:
    return state + "word"


def solves(state: Any) -> Any:
    return np.linalg.det(np.ones((3, 3))) + state


def looks_up(state: Any) -> Any:
    return TABLE[int(state)]


def refused(name: str) -> list[str]:
    """The error of compiling a rule of this module, in all languages."""
    with pytest.raises(BridgeheadError) as caught:
        wasm.compile_module({"entry": wasm.ModuleFunction(globals()[name], (1,))}, {}, {})
    return [sentence(caught.value.whole, language) for language in sorted(languages())]


@pytest.mark.parametrize(("rule", "named"), [("adds_words", "adds_words"), ("solves", "numba_"), ("looks_up", "looks_up")])
def test_a_rule_that_no_module_can_have_is_named(compiled: Callable[[str], Any], rule: str, named: str) -> None:
    found = compiled("connect_four")("test_wasm", "refused", rule)
    assert all(named in each and "wasm_" not in each for each in found), found
    assert len(set(found)) == len(languages()), found


def test_what_the_command_cannot_do_is_said_in_a_line(tmp_path: Path) -> None:
    shown = command_line.run("wasm", "chess", tmp_path / "chess.wasm")
    assert shown.returncode == 2 and "chess" in shown.stderr and shown.stderr.count("\n") == 1
    shown = command_line.run("wasm", "forty_bridges", tmp_path / "forty.wasm", NUMBA_DISABLE_JIT="1")
    assert shown.returncode == 2 and "NUMBA_DISABLE_JIT" in shown.stderr and shown.stderr.count("\n") == 1
    assert not any(tmp_path.iterdir())


def unwritable(folder: str) -> list[str]:
    """The error of a file in a folder that does not exist."""
    from unittest import mock

    from bridgehead.core import registry
    from bridgehead.terminal import modules

    with mock.patch.object(modules.wasm, "module", lambda game: b"made"), pytest.raises(BridgeheadError) as caught:
        modules.write_module(registry.game("forty_bridges"), Path(folder) / "none" / "forty.wasm", "en")
    return [sentence(caught.value.whole, language) for language in sorted(languages())]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    assert all("forty.wasm" in each for each in unwritable(str(tmp_path)))


@pytest.mark.parametrize("value", [0, 1, 63, 64, 127, 128, 8191, 8192, 262_144, 2**20 - 1])
def test_numbers_of_a_module_are_written_as_they_are_read(value: int) -> None:
    """LEB128; where negative numbers may stand, bit 6 of the last byte is the sign."""
    assert wasm_module.SectionReader(wasm_module.number(value)).number() == value
    raw = wasm_module.encode_signed(value)
    assert wasm_module.SectionReader(raw).number() == value and raw[-1] < 64
