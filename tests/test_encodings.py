"""Every command prints on every encoding; what an encoding lacks is replaced."""

import codecs
import encodings.aliases
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bridgehead.core import record, registry
from bridgehead.core.match import Match
from bridgehead.core.remarks import Remark

COMMANDS = (["--lang", "fr", "rules", "barricade"], ["--lang", "de", "games"], ["replay", "RECORD"])


def texts() -> list[str]:
    """The encodings of text that Python knows."""
    names = sorted({*encodings.aliases.aliases.values()} - {"mbcs", "oem", "idna", "punycode", "undefined"})
    return [name for name in names if codecs.lookup(name)._is_text_encoding]


def said(encoding: str, words: list[str], folder: Path) -> bytes:
    match = Match(registry.game("forty_bridges"))
    match.play(match.position.legal[0])
    match.remarks[1] = Remark("😀 “Züge” — ♞ 李雷")
    file = folder / "record.txt"
    file.write_text(record.dump(match, ["Zoë", "Анна"]), "utf-8")
    command = [sys.executable, "-m", "bridgehead", *(str(file) if word == "RECORD" else word for word in words)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONIOENCODING": encoding, "TERM": "dumb"}, capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 0 and not done.stderr, done.stderr[-500:]
    return done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[-2] if words[-1] == "RECORD" else words[-1])
def test_a_command_prints_on_the_encoding_of_a_terminal(encoding: str, words: list[str], tmp_path: Path) -> None:
    assert len(said(encoding, words, tmp_path).decode(encoding)) > 50


@pytest.mark.wide
@pytest.mark.parametrize("encoding", texts())
def test_a_command_prints_on_every_encoding(encoding: str, tmp_path: Path) -> None:
    assert len(said(encoding, ["replay", "RECORD"], tmp_path).decode(encoding)) > 50
