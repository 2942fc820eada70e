"""Proofs of BGF1 stay readable: they are at best open, and every change of what was told breaks them, and says where."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import bridgehead
from bridgehead.core import record as records
from bridgehead.core.errors import RecordError
from bridgehead.core.match import Match
from bridgehead.fairness import proof_bgf1 as proof
from bridgehead.fairness.findings import Finding, verdict
from bridgehead.fairness.proof import read, verify
from bridgehead.fairness.seals import Seals
from bridgehead.fairness.seals import proof_bgf1_of as proof_of
from bridgehead.players import player
from bridgehead.terminal import shows
from fairness import made_bgf1

GAME_ID = bytes(range(16))
NONE = "0" * 64


def sealed(decisions: int = 40) -> tuple[Match, Seals]:
    """Some decisions of a game with sealed dice: a person and a seat for which the server sealed."""
    game = bridgehead.game("barricade", board="mini", seats=2)
    seals = made_bgf1.sealed(game, b"s" * 32, GAME_ID, [False, True])
    match, chooser = Match(game), player("random", "x")
    match.deal(seals)
    for _ in range(decisions):
        match.play(chooser.choose(match.position))
        match.deal(seals)
    return match, seals


def told(game: tuple[Match, Seals], revealed: bool, last: int = 0) -> proof.Era:
    """What may be told of the only era: all, or the keys of the last events."""
    match, seals = game
    (era,) = seals.disclose_eras(match.chances, revealed, last)[0]
    return era


def at_best_open(findings: list[Finding]) -> bool:
    """Is the only thing that is missing what BGF1 does not guarantee?"""
    return verdict(findings) == "open" and [f.verdict for f in findings].count("open") == 1


@pytest.fixture(scope="module")
def game() -> tuple[Match, Seals]:
    return sealed()


def test_a_sealed_match_proves_its_dice(game: tuple[Match, Seals]) -> None:
    match = game[0]
    findings = verify(read(msgspec.json.encode(proof_of(match, [told(game, True)]))))
    assert at_best_open(findings) and "made by BGF1, the first version" in findings[0].what
    assert f"{match.chances} of {match.chances} outcomes" in findings[-2].what and match.chances > 15
    assert "the list of draws is what the record says" in findings[-1].what


def test_dice_are_proved_one_by_one_before_the_secret_is_out(game: tuple[Match, Seals]) -> None:
    match = game[0]
    findings = verify(proof_of(match, [told(game, False, match.chances)]))
    assert [f.verdict for f in findings].count("open") == 2 and verdict(findings) == "open"
    assert f"{match.chances} of {match.chances} outcomes" in findings[-2].what


def test_what_was_never_revealed_is_open_not_proved(game: tuple[Match, Seals]) -> None:
    match = game[0]
    findings = verify(proof_of(match, [told(game, False, 3)]))
    assert any(f"{match.chances - 3} outcomes of chance cannot be checked" in f.what for f in findings)
    assert verdict(findings) == "open"


def swapped(link: proof.SeatLink) -> proof.SeatLink:
    return msgspec.structs.replace(link, value=NONE)


@pytest.mark.parametrize(
    "change",
    [
        lambda era: {"secret": NONE},
        lambda era: {"root": NONE},
        lambda era: {"transcript": NONE},
        lambda era: {"game_id": "0" * 32},
        lambda era: {"depth": 7},
        lambda era: {"beacon": "00"},
        lambda era: {"first": 1},
        lambda era: {"links": [swapped(era.links[0]), era.links[1]]},
        lambda era: {"seats": [msgspec.structs.replace(era.seats[0], head=NONE), era.seats[1]]},
        lambda era: {"seats": [msgspec.structs.replace(era.seats[0], source=2), era.seats[1]]},
        lambda era: {"seats": era.seats[:1]},
        lambda era: {"secret": "", "keys": {"0": msgspec.structs.replace(era.keys["0"], key=NONE)}},
        lambda era: {"secret": "", "keys": {"1": era.keys["0"]}},
        lambda era: {"secret": "", "keys": {"x": era.keys["0"]}},
    ],
)
def test_a_change_of_anything_that_was_told_breaks_it(
    change: Callable[[proof.Era], dict[str, object]], game: tuple[Match, Seals]
) -> None:
    match, era = game[0], told(game, True)
    keys = {str(i): event for i, event in enumerate(told(game, False, match.chances).keys.values())}
    era = msgspec.structs.replace(era, keys={"0": keys["0"]})
    assert at_best_open(verify(proof_of(match, [era])))
    changed = msgspec.structs.replace(era, **change(era))
    assert verdict(verify(proof_of(match, [changed]))) == "broken"


def test_one_other_roll_breaks_it(game: tuple[Match, Seals]) -> None:
    match = game[0]
    short = match.fork(0)
    first = match.log[0].action
    other = next(action for action in short.position.legal if action != first)
    short.play(other)
    findings = verify(proof_of(short, [told(game, True)]))
    assert any(f.verdict == "broken" and "chance event 0: sealed was" in f.what for f in findings)


def test_another_house_rule_is_another_transcript(game: tuple[Match, Seals]) -> None:
    match = game[0]
    other = Match(bridgehead.game("barricade", board="mini", seats=2, turnLimit=400))
    changed = msgspec.structs.replace(proof_of(match, [told(game, True)]), record=records.dump(other))
    assert verify(changed)[1].verdict == "broken"


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[" * 10_000, '{"protocol": "bgf3", "record": "", "eras": []}', '{"protocol": "bgf1", "record": "", "eras": []}'],
)
def test_what_is_no_proof_is_refused_by_name(text: str) -> None:
    with pytest.raises(RecordError, match="not a proof of chance"):
        read(text)


def test_a_signature_of_a_beacon_that_was_not_agreed_is_no_part_of_a_draw(game: tuple[Match, Seals]) -> None:
    """The grinding that BGF1 let pass: the value enters every draw, and no transcript binds it."""
    era = msgspec.structs.replace(told(game, True), beacon_signature="00ff")
    assert "a beacon's signature enters" in next(f.what for f in verify(proof_of(game[0], [era])) if f.verdict == "broken")


def test_the_command_line_verifies_a_file(game: tuple[Match, Seals], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = game[0]
    for revealed, last, result, said in (
        (True, 0, "open", "what is named above is missing"),
        (False, 3, "open", "what is named above is missing"),
    ):
        file = tmp_path / f"{result}-{revealed}.json"
        file.write_bytes(msgspec.json.encode(proof_of(match, [told(game, revealed, last)])))
        assert shows.verify_proofs([file], [], as_json=False)
        assert said in capsys.readouterr().out.splitlines()[-1]
        shows.verify_proofs([file], [], as_json=True)
        assert json.loads(capsys.readouterr().out)["verdict"] == result
    broken = msgspec.structs.replace(told(game, True), root=NONE)
    file.write_bytes(msgspec.json.encode(proof_of(match, [broken])))
    assert not shows.verify_proofs([file], [], as_json=False)
    assert "BROKEN" in capsys.readouterr().out
    file.write_text("{}", "utf-8")
    with pytest.raises(RecordError, match="not a proof of chance") as error:
        shows.verify_proofs([file], [], as_json=False)
    assert str(file) in str(error.value)
