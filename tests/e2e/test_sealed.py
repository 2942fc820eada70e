"""Sealed dice in real browsers: two people at their own pages, the verifier page, and its arithmetic."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

import in_node
from bridgehead.client import PERSON, Host, computer
from bridgehead.core import registry
from bridgehead.fairness import proof, statements
from e2e.axe import DESK, check
from e2e.clicker import OFFERED, Clicker
from e2e.conftest import Opener, Server, at_the_end, come_true, link, post_table, shot
from fairness.referees import FOLLOWER, referee
from server.live import Live

pytestmark = [pytest.mark.browser, pytest.mark.wide]
WORDS = re.compile(r"^[a-z]+( [a-z]+){3}$")
PERSONS = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]


def play_out(pages: list[Page]) -> None:
    """Both play by clicking until the game is over."""
    clickers = [Clicker(page, seed=7 + i) for i, page in enumerate(pages)]
    for _ in range(6000):
        offered = [page.evaluate(OFFERED) for page in pages]
        if any(each["over"] for each in offered):
            return
        if not any([clicker.touch_one(each) for clicker, each in zip(clickers, offered, strict=True)]):
            pages[0].wait_for_timeout(25)
    raise AssertionError("the game takes too long")


def test_two_people_seal_play_and_check_their_dice(open_page: Opener, server: Server, tmp_path: Path) -> None:
    table = post_table(server, "barricade", PERSONS, options={"board": "mini", "seats": 2, "turnLimit": 20})
    ada = open_page(f"{link(table, 0)}&h={table['host']}")
    expect(ada.locator("#say")).to_contain_text("Waiting for Ben to sit down")
    expect(ada.locator("#begin button")).to_be_visible()
    shot(ada, "sealed_waiting.png")
    ben = open_page(link(table, 1), 360, 740)
    for page in (ada, ben):
        expect(page.locator("#say")).to_contain_text("pawn")
        expect(page.locator("#begin")).to_be_hidden()
        expect(page.locator("#words strong")).to_have_text(WORDS)
    words = [page.locator("#words strong").inner_text() for page in (ada, ben)]
    assert words[0] == words[1], "both compare the same words"
    shot(ada, "sealed_words.png")
    shot(ben, "sealed_words_phone.png")
    ben.locator("#words button").click()
    expect(ben.locator("#words")).to_be_hidden()
    assert "&d=0-" in ada.url and "&d=1-" in ben.url, "the address carries the seeds to another device"
    assert ada.url.endswith(f"&h={table['host']}"), "and what makes her the host"
    ada.reload()
    expect(ada.locator("#say")).to_contain_text("pawn")
    expect(ada.locator("#words strong")).to_have_text(words[0])
    ada.locator("[data-settings]:visible").first.click()
    expect(ada.locator("#chance")).to_contain_text(f"The four words: {words[0]}.")
    expect(ada.locator("#chance")).to_contain_text("Ada, Ben")
    shot(ada, "sealed_settings.png")
    ada.locator("#settings button.main").click()
    play_out([ada, ben])
    expect(ada.locator("[role=alert]:visible")).to_have_count(0)
    at_the_end(ada)
    ada.locator("#check").click()
    expect(ada.locator("#verdict")).to_contain_text("All holds")
    check(ada, "verify", [DESK])
    for said in ("server's list of everything sealed", "A page saw this game", words[0], "seat 2 by a person's page"):
        expect(ada.locator("#results")).to_contain_text(said)
    ada.locator("#results summary").click()
    shot(ada, "verify.png", full_page=True)

    with ada.expect_download() as download:
        ada.locator("#kept").click()
    kept = statements.read(download.value.path().read_bytes())
    assert kept.whole and len(kept.draws) > 5 and not kept.alarms
    whole = ada.request.get(f"{server.url}/api/tables/{table['table']}/proof").json()
    findings = proof.verify(proof.read(json.dumps(whole)), proof.Observed(kept=[kept]))
    assert proof.verdict(findings) == "holds", "and the command finds the same"
    for name, forge, said in FORGERIES:
        forged = json.loads(json.dumps(whole))
        forge(forged)
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(forged), "utf-8")
        ben.goto(server.url + "/verify")
        ben.set_input_files("#file", file)
        expect(ben.locator("#verdict")).to_contain_text("Broken")
        expect(ben.locator("#results .broken").first).to_contain_text(said)
    shot(ben, "verify_broken.png", full_page=True)
    late: list[Route] = []
    ben.add_init_script(TAKEN)
    ben.route("**/proof?*", lambda route: late.append(route))
    ben.goto(f"{server.url}/verify/{table['table']}")
    ben.set_input_files("#file", file)
    expect(ben.locator("#verdict")).to_contain_text("Broken")
    while not late:
        ben.wait_for_timeout(20)
    late[0].continue_()
    come_true(ben, "window.taken")
    verdict = "(({ hidden, className }) => [hidden, className])(document.getElementById('verdict'))"
    assert ben.evaluate(verdict) == [False, "verdict panel pad broken"], (
        "the table's own proof comes too late to say that all holds"
    )


def other_roll(told: dict[str, Any]) -> None:
    draw = told["draws"][3]
    draw["outcome"] = (draw["outcome"] + 1) % len(draw["weights"])


FORGERIES: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("roll", other_roll, "Draw 4"),
    ("secret", lambda told: told["eras"][0].update(secret="0" * 64), "does not belong to what the server had sealed"),
    ("link", lambda told: told["eras"][0]["opening"].__setitem__(1, "0" * 64), "does not belong to what it had sealed"),
]

# `taken` once a page has the proof that it asked for.
TAKEN = """(() => {
    const json = Response.prototype.json;
    Response.prototype.json = async function () {
        const told = await json.call(this);
        if (this.url.includes("/proof")) setTimeout(() => { window.taken = true; });
        return told;
    };
})()"""
CHECK = """
import { check, read } from "./sealed/checks.js";
const told = [];
for (const { text, kept, rules } of given) {
  const findings = [...check(read(text), { kept: [kept], follower: await ready(rules) })];
  told.push(findings.map(({ name, verdict }) => [name, verdict]));
}
console.log(JSON.stringify(told));
"""
GAMES: list[tuple[str, dict[str, Any], list[dict[str, str]]]] = [
    ("barricade", {"board": "mini", "seats": 2, "turnLimit": 12}, [PERSON, computer("random")]),
    ("barricade", {"board": "mini", "seats": 2, "turnLimit": 9}, [PERSON, PERSON]),
    ("front_lines", {"seats": 2}, [PERSON, PERSON]),
    ("burning_bridges", {"seats": 2, "roundLimit": 3}, [PERSON, PERSON]),
]


@pytest.mark.parametrize("level", [1, 2])
def test_every_game_that_was_sealed_passes_both_verifiers(level: int, tmp_path: Path) -> None:
    own = Live(tmp_path)  # which is patient with those who have to answer for a draw
    host, found = Host(own.url), []
    for number in range(8):
        game, options, seats = GAMES[number % len(GAMES)]
        with host.create(game, seats, options=options, level=level) as table:
            lot = random.Random(number)
            while table.view["outcome"] is None:
                table.wait_for_turn()
                if table.choices:
                    table.play(lot.choice(table.choices)["action"])
            assert table.party.alarms == []
            text = own.http.get(f"/api/tables/{table.table}/proof").text
            found.append((text, table.party.collect_evidence(), referee(registry.game(game, **options))))
    own.stop()
    for text, kept, _ in found:
        findings = proof.verify(proof.read(text), proof.Observed(kept=[kept]))
        assert proof.verdict(findings) == "holds", findings
    given = [{"text": text, "kept": json.loads(msgspec.json.encode(kept)), "rules": rules} for text, kept, rules in found]
    for told in in_node.run(tmp_path, FOLLOWER + CHECK, given):
        assert {verdict for _, verdict in told} == {"holds"}, told
