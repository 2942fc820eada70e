"""`bridgehead verify`: a proof with what a seat saw, with what is missing, and two files that contradict each other."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from bridgehead.cli import app
from fairness.cheats import Server
from fairness.test_cheats import TwoStories


def run(*words: object) -> tuple[int, str]:
    """The status and the output of `bridgehead verify`."""
    told = CliRunner().invoke(app, ["verify", *map(str, words)])
    return told.exit_code, f"{told.output}{told.exception or ''}"


def write(file: Path, value: Any) -> Path:
    file.write_bytes(msgspec.json.encode(value))
    return file


@pytest.fixture(scope="module")
def server() -> Server:
    return Server(1).seal().run(6)


@pytest.fixture(scope="module")
def files(server: Server, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The proof of a finished game, and what seat 0 kept."""
    folder = tmp_path_factory.mktemp("files")
    proof = write(folder / "proof.json", server.proof(revealed=True))
    return proof, write(folder / "kept.json", server.parties[0].collect_evidence())


def test_a_proof_holds_with_what_a_seat_saw_and_is_open_without(server: Server, files: tuple[Path, Path]) -> None:
    proof, kept = files
    status, told = run(proof)
    assert status == 0 and "nothing that a seat saw was compared" in told and "what is named above is missing" in told
    status, told = run(proof, kept)
    assert status == 0 and "a seat that kept watch saw the same" in told
    assert "seat 1 by its program, seat 2 by its program, seat 3 by its program" in told, "who sealed each seat"
    party = server.parties[0]
    era = party.eras[1]
    known = ["--transcript", era.terms.transcript.hex(), "--key", server.public, "--seat-seed", f"0-{party.seeds[0].hex()}"]
    status, told = run(proof, *known, "--head", f"1:{era.listed.link}", "--json")
    assert status == 0 and json.loads(told)["verdict"] == "holds"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--transcript", "ab" * 32], "is not in this proof"),
        (["--key", "ab" * 32], "known is"),
        (["--seat-seed", "1-" + "ab" * 32], "seat 2: no era was sealed by the given seed"),
        (["--head", "1:" + "ab" * 32], "not so: the transcript is row 1"),
    ],
)
def test_what_somebody_saw_otherwise_breaks_the_proof(option: list[str], said: str, files: tuple[Path, Path]) -> None:
    status, told = run(files[0], *option)
    assert status == 1 and said in " ".join(told.split()) and "BROKEN" in told


@pytest.mark.parametrize("option", [["--seat-seed", "x"], ["--head", "7"], ["--key", "AB"], ["--transcript", "g" * 64]])
def test_options_that_cannot_be_read_are_named(option: list[str], files: tuple[Path, Path]) -> None:
    status, told = run(files[0], *option)
    assert status != 0 and option[0] in told and option[1].lower() in told


def test_two_files_prove_that_a_server_told_two_stories(files: tuple[Path, Path], tmp_path: Path) -> None:
    server = TwoStories(1).seal().run(3)
    one, two = (write(tmp_path / f"{seat}.json", server.parties[seat].collect_evidence()) for seat in (0, 1))
    status, told = run(one, two)
    assert status == 1 and "two signed transcripts for era 1" in told and server.public in " ".join(told.split())
    proof = write(tmp_path / "proof.json", server.proof(revealed=True))
    assert "two signed transcripts for era 1" in run(proof, one)[1]
    status, told = run(files[1], files[1])
    assert status == 0 and "none contradicts another" in told


def test_a_file_with_an_alarm_is_broken(server: Server, tmp_path: Path) -> None:
    kept = server.parties[0].collect_evidence()
    told = msgspec.to_builtins(kept) | {"alarms": [{"key": "draw", "n": 3, "era": 1, "text": "Draw 3: no.", "time": 1.0}]}
    status, said = run(write(tmp_path / "evidence.json", told))
    assert status == 1 and "Draw 3: no." in said
    status, said = run(write(tmp_path / "nothing.json", {"protocol": "bgf2 kept"}))
    assert status != 0 and "not a file that a client kept" in said
