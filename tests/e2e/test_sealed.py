"""Sealed dice in real browsers: two people at their own pages, the verifier page, and its arithmetic."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from bridgehead.client import PERSON, Host, computer
from bridgehead.fairness import proof
from e2e.clicker import OFFERED, Clicker
from e2e.conftest import Server, come_true, link, post_table, shot
from server.live import Live

pytestmark = pytest.mark.browser
Opener = Callable[..., Page]
PERSONS = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]
VECTORS = Path(__file__).parents[1] / "fairness" / "vectors.json"


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
        expect(page.locator("#say")).to_contain_text("rolled")
        expect(page.locator("#begin")).to_be_hidden()
    assert "&d=0-" in ada.url and "&d=1-" in ben.url, "the address carries the seeds to another device"
    assert ada.url.endswith(f"&h={table['host']}"), "and what makes her the host"
    ada.reload()
    expect(ada.locator("#say")).to_contain_text("rolled")
    ada.locator("[data-settings]:visible").first.click()
    expect(ada.locator("#chance")).to_contain_text("one that was changed to cheat can still steer it")
    expect(ada.locator("#chance")).to_contain_text("Ada, Ben")
    shot(ada, "sealed_settings.png")
    ada.locator("#settings button.main").click()
    play_out([ada, ben])
    expect(ada.locator("[role=alert]:visible")).to_have_count(0)
    ada.locator("#check").click()
    expect(ada.locator("#verdict")).to_contain_text("All holds")
    expect(ada.locator("#findings")).to_contain_text("server's list of everything sealed")
    ada.locator("#all summary").click()
    shot(ada, "verify.png", full_page=True)

    whole = ada.request.get(f"{server.url}/api/tables/{table['table']}/proof").json()
    for name, forge, said in FORGERIES:
        forged = json.loads(json.dumps(whole))
        forge(forged)
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(forged), "utf-8")
        ben.goto(server.url + "/verify")
        ben.set_input_files("#file", file)
        expect(ben.locator("#verdict")).to_contain_text("Broken")
        expect(ben.locator("#findings .broken").first).to_contain_text(said)
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
    draw["index"] = (draw["index"] + 1) % len(draw["weights"])


def other_secret(told: dict[str, Any]) -> None:
    told["eras"][0]["secret"] = "0" * 64


FORGERIES: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("roll", other_roll, "Draw 4"),
    ("secret", other_secret, "is not the one it had sealed"),
    ("link", lambda told: told["eras"][0]["links"][1].update(value="0" * 64), "does not belong to what it had sealed"),
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
CHECK = """async (proofs) => {
  const {check, read} = await import('/static/checks.js');
  return proofs.map((proof) => [...check(read(proof))].map(([verdict, key]) => [verdict, key]));
}"""
GAMES: list[tuple[str, dict[str, Any], list[dict[str, str]]]] = [
    ("barricade", {"board": "mini", "seats": 2, "turnLimit": 12}, [PERSON, computer("random")]),
    ("barricade", {"board": "mini", "seats": 2, "turnLimit": 9}, [PERSON, PERSON]),
    ("front_lines", {"seats": 2}, [PERSON, PERSON]),
    ("burning_bridges", {"seats": 2, "roundLimit": 3}, [PERSON, PERSON]),
]


@pytest.mark.parametrize("level", [1, 2])
def test_every_game_that_was_sealed_passes_both_verifiers(level: int, open_page: Opener, tmp_path: Path) -> None:
    own = Live(tmp_path)  # which is patient with those who have to answer for a draw
    host, proofs = Host(own.url), []
    for number in range(8):
        game, options, seats = GAMES[number % len(GAMES)]
        with host.create(game, seats, options=options, level=level) as table:
            lot = random.Random(number)
            while table.view["outcome"] is None:
                table.wait_for_turn()
                if table.choices:
                    table.play(lot.choice(table.choices)["action"])
            proofs.append(own.http.get(f"/api/tables/{table.table}/proof").text)
    own.stop()
    for text in proofs:
        findings = proof.verify(proof.read(text))
        assert proof.verdict(findings) == "holds", findings
    for told in open_page("/verify").evaluate(CHECK, proofs):
        assert {verdict for verdict, _ in told} == {"holds"}, told


COMPUTE = """async (vectors) => {
  const b = await import('/static/bgf1.js'), {sha256, hmac} = await import('/static/sha256.js');
  const ascii = (text) => new TextEncoder().encode(text), gid = b.bytes(vectors.game_id), S = b.bytes(vectors.S);
  const chains = [0, 1, 2].map((seat) => b.chain(new Uint8Array(32).fill(0xa0 + seat), gid, seat));
  const seats = chains.map(([head]) => ({source: 0, head})), top = b.root(S, gid, vectors.depth);
  const agreed = (level) => b.transcript(gid, sha256(ascii('rules-v1')), top, vectors.depth, level, seats);
  const draw = ({e, level, label, op}) => {
    const given = level === 1 ? [0, 1, 2].map((seat) => [seat, 1]) : [0, 2].map((seat) => [seat, e + 1]);
    const key = b.eventKey(S, gid, e), links = given.map(([seat, number]) => ({seat, number, value: chains[seat][number]}));
    const shared = b.entropy(agreed(level), links, level === 1 ? 0 : e), X = b.drawKey(key, shared, e);
    const stream = new b.Stream(X, label);
    const [kind, one, two] = op.split(' ');
    const result = kind === 'dice' ? Array.from({length: one}, () => stream.die(Number(two)))
      : kind === 'shuffle' ? stream.shuffle(Number(one)) : Array.from({length: two.slice(1)}, () => stream.below(Number(one)));
    return {k_e: b.hex(key), E: b.hex(shared), X: b.hex(X), result};
  };
  return {
    root: b.hex(top), seat_heads: chains.map(([head]) => b.hex(head)), T_level1: b.hex(agreed(1)),
    T_level2: b.hex(agreed(2)),
    events: vectors.events.map(draw),
    nist: [b.hex(sha256(ascii('abc'))), b.hex(sha256(ascii(''))),
      b.hex(sha256(ascii('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'))),
      b.hex(sha256(new Uint8Array(1000000).fill(97)))],
    mac: [b.hex(hmac(new Uint8Array(20).fill(0x0b), ascii('Hi There'))),
      b.hex(hmac(ascii('Jefe'), ascii('what do ya want for nothing?'))),
      b.hex(hmac(new Uint8Array(131).fill(0xaa), ascii('Test Using Larger Than Block-Size Key - Hash Key First')))],
  };
}"""
NIST = [
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
]
RFC_4231 = [
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
]


def test_the_browser_computes_the_published_vectors(open_page: Opener) -> None:
    vectors = json.loads(VECTORS.read_text("utf-8"))
    made = open_page("/verify").evaluate(COMPUTE, vectors)
    assert made.pop("nist") == NIST and made.pop("mac") == RFC_4231
    for event, published in zip(made.pop("events"), vectors["events"], strict=True):
        for name, value in event.items():
            assert value[: len(published[name])] == published[name], (published["e"], name)
    assert made == {name: vectors[name] for name in made}
