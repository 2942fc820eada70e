"""The verifier of the pages, which shares no line with the server, finds in every proof what the server's finds (bar B11)."""

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import bridgehead
import in_node
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from bridgehead.fairness import bgf2, proof, proof_bgf1, signatures
from bridgehead.fairness.party import Party
from bridgehead.fairness.seals import Seals, SecretKeeper, proof_bgf1_of
from bridgehead.fairness.statements import Kept, contradictions, of_kept
from fairness import cheating_generator as generator
from fairness import made_bgf1
from fairness.cheats import OPTIONS, Server
from fairness.referees import FOLLOWER, referee
from fairness.test_cheats import GrindsAValue

pytestmark = pytest.mark.wide
GAME = bridgehead.game("barricade", **OPTIONS)
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("barricade", {"board": "mini", "seats": 2, "turnLimit": 12}),
    ("burning_bridges", {"seats": 2, "roundLimit": 3}),
    ("front_lines", {}),
]
# rules: where a case has none of its own, those of the first case.
VERIFY = """
import { check, read, verdictOf } from "./sealed/checks.js";
const told = [];
for (const { proof, kept = [], key = "", heads = [], rules = given[0].rules } of given) {
  const follower = rules && await ready(rules);
  try {
    const findings = [...check(read(JSON.stringify(proof)), { kept, key, heads, follower })];
    told.push(findings.map(({ name, verdict }) => [name, verdict]));
  } catch {
    told.push(null);
  }
}
console.log(JSON.stringify(told));
"""
# The findings of the server's verifier by their names in docs/understand/fairness.md.
KEYS = {
    "before": "taken_over", "bgf1": "bgf1 era_bgf1", "transcript": "seats transcript",
    "signed": "signed other_key unsigned", "listed": "listed unlisted", "opening": "opening unopened",
    "keys": "secret no_secret keys wrong_keys", "follow": "follow other missing", "defaults": "late alone", "own": "own none_own",
    "seen": "other_game other_era other_draw alarm unseen seen",
}  # fmt: skip
NAMES = {key: name for name, keys in KEYS.items() for key in keys.split()}
ORDER = ["holds", "open", "broken"]
Findings = dict[str, str]


def worst(findings: Iterable[tuple[str, str]]) -> Findings:
    """The worst verdict by name."""
    found: Findings = {}
    for name, verdict in findings:
        found[name] = max(verdict, found.get(name, "holds"), key=ORDER.index)
    return found


def by_server(told: Any, known: proof.Observed) -> Findings | None:
    """What the server's verifier finds; None if it is no proof."""
    try:
        findings = proof.verify(proof.read(json.dumps(told)), known)
    except BridgeheadError:
        return None

    def name(phrase: Any) -> str:
        key = phrase[0].partition("finding.")[2]
        return name(phrase[1]["what"]) if key in ("era", "not_so") else NAMES.get(key, key)

    return worst((name(finding.phrase), finding.verdict) for finding in findings)


def by_pages(folder: Path, cases: list[dict[str, Any]]) -> list[Findings | None]:
    """What the pages' verifier finds; None if it is no proof."""
    return [None if found is None else worst(map(tuple, found)) for found in in_node.run(folder, FOLLOWER + VERIFY, cases)]


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


class Finished(Server):
    """A game at random with sealed chance, played to its end: some seats sealed for themselves, the server for the others."""

    def __init__(self, name: str, options: dict[str, Any], level: int, lot: random.Random) -> None:
        super().__init__(level, {}, gid=lot.randbytes(16))
        self.lot, self.game = lot, bridgehead.game(name, **options)
        self.match, self.seals = Match(self.game), Seals(SecretKeeper(lot.randbytes(32)), self.game)
        own = [seat for seat in range(self.game.seats) if lot.random() < 0.7] or [lot.randrange(self.game.seats)]
        self.parties = {seat: Party() for seat in own}
        self.shown = dict.fromkeys(own, 0)
        self.seal().run(10_000)
        assert self.match.position.is_over and not self.alarms()
        self.log.append((proof.OVER, 0))

    def kept(self) -> list[Kept]:
        return [party.collect_evidence() for party in self.parties.values()][:1]


def forged(true: Any, lot: random.Random) -> Any:
    """One draw is given another outcome, where it could have one."""
    told = plain(true)
    draw = lot.choice([each for each in told["draws"] if sum(weight > 0 for weight in each["weights"]) > 1])
    draw["outcome"] = lot.choice([i for i, weight in enumerate(draw["weights"]) if weight and i != draw["outcome"]])
    return told


def shown(folder: Path, number: int) -> None:
    lot = random.Random(11)
    tables = [Finished(*GAMES[n % len(GAMES)], 1 + n // len(GAMES) % 2, lot) for n in range(number)]
    games = [table.proof(revealed=True) for table in tables]
    kept = [plain(table.kept()) for table in tables]
    rules = [referee(table.game) for table in tables]
    cases = [{"proof": plain(each), "kept": saw, "rules": by} for each, saw, by in zip(games, kept, rules, strict=True)]
    lies = [{"proof": forged(each, lot), "kept": saw, "rules": by} for each, saw, by in zip(games, kept, rules, strict=True)]
    for found in by_pages(folder, cases):
        assert found is not None and {*found.values()} == {"holds"}, found
    for found in by_pages(folder, lies):
        assert found is not None and found["draws"] == "broken", found
    for found in by_pages(folder, [{**each, "rules": None} for each in lies]):
        assert found is not None and (found["follow"], found["draws"]) == ("broken", "open"), found


def test_finished_games_pass_the_verifier_of_the_pages_and_forged_ones_do_not(tmp_path: Path) -> None:
    shown(tmp_path, 12)


@pytest.mark.long
def test_a_thousand_finished_games_pass_the_verifier_of_the_pages(tmp_path: Path) -> None:
    shown(tmp_path, 1000)


# Both verifiers

Forgery = Callable[[Any], object]


def era(told: Any) -> Any:
    return told["eras"][0]


def signed_anew(change: Forgery) -> Forgery:
    """The server itself made the era so: transcript, signature and row follow from the changed values."""

    def apply(told: Any) -> None:
        change(told)
        frozen = era(told)
        terms = proof.read(json.dumps(told)).eras[0].terms(bytes.fromhex(told["gid"]))  # type: ignore[call-arg,union-attr]
        frozen["transcript"] = terms.transcript.hex()
        key = b"k" * 32
        frozen["signature"] = signatures.sign(key, bgf2.era_statement(terms.game_id, terms.number, terms.transcript)).hex()
        row = frozen["listed"]
        link = bgf2.list_link(bytes.fromhex(row["before"]), row["n"], terms.game_id + bgf2.u32(terms.number), terms.transcript)
        row |= {"link": link.hex(), "signature": signatures.sign(key, bgf2.list_statement(row["n"], link)).hex()}

    return apply


def swap_links(told: Any) -> None:
    era(told)["answers"]["0"].reverse()


def leave_out(told: Any) -> None:
    era(told)["answers"]["0"].pop()


def default(told: Any) -> None:
    seat, _ = era(told)["answers"]["0"].pop()
    era(told)["defaults"] = {"0": [seat]}


def drop(name: str, value: Any = "") -> Forgery:
    return lambda told: era(told).update({name: value})


def without_frozen(told: Any) -> None:
    told["log"] = [each for each in told["log"] if each[0] != proof.FROZEN]


def late_question(told: Any) -> None:
    """The seat that decided last is another one when the links are asked for: the question stands two decisions earlier."""
    log = told["log"]
    at = [i for i, each in enumerate(log) if each[0] == proof.ASKED][4]
    before = max(i for i in range(at) if log[i][0] >= 0)
    log.insert(before, log.pop(at))


def other_die(told: Any) -> None:
    """Another outcome than the sealed one stands in the log, where it leads to the same seat."""
    match = Match(GAME)
    for entry in told["log"]:
        actor, value = entry
        if actor == CHANCE and match.chances == 2:
            others = [each for each in match.position.legal if each != value]
            entry[1] = next(each for each in others if match.position.after(each).actor == match.position.after(value).actor)
            return
        if actor >= CHANCE:
            match.play(value)


def other_decision(told: Any) -> None:
    """The last decision is another one, which is legal too."""
    at = max(at for at, (actor, _) in enumerate(told["log"]) if actor >= 0)
    match = Match(GAME, [value for actor, value in told["log"][:at] if actor >= CHANCE])
    told["log"][at][1] = next(each for each in match.position.legal if each != told["log"][at][1])


def illegal(told: Any) -> None:
    told["log"][max(at for at, (actor, _) in enumerate(told["log"]) if actor >= 0)][1] = GAME.action_count + 1


def wrong_seat(told: Any) -> None:
    entry = next(entry for entry in told["log"] if entry[0] >= 0)
    entry[0] = (entry[0] + 1) % 3


def wrong_event(told: Any) -> None:
    next(entry for entry in told["log"] if entry[0] == proof.ASKED)[1] += 1


def never_asked(told: Any) -> None:
    """Contributions to an event for which no links were asked."""
    era(told)["defaults"] = {"77": [0, 1]}


def more_weight(told: Any) -> None:
    told["draws"][1]["weights"].append(0)


SMALL = "00" * 31 + "80"
FORGERIES: list[tuple[str, Forgery]] = [
    ("nothing", lambda told: None),
    ("signature removed", drop("signature")),
    ("other signature", lambda told: era(told).update(signature=era(told)["signature"][::-1])),
    ("key removed", lambda told: told.update(server="")),
    ("key of small order", lambda told: told.update(server=SMALL)),
    ("row removed", drop("listed", None)),
    ("row of another number", lambda told: era(told)["listed"].update(n=7)),
    ("row before it", lambda told: era(told)["listed"].update(before="11" * 32)),
    ("transcript", drop("transcript", "22" * 32)),
    ("another transcript", signed_anew(lambda told: era(told)["rules"].update(salt="33" * 16))),
    ("other rules", lambda told: era(told)["rules"].update(version="9")),
    ("another chain", signed_anew(lambda told: era(told)["seats"][0].update(length=7))),
    (
        "other contributors' rule",
        lambda told: era(told).update(rule="bgf2/opening" if era(told)["level"] == 2 else "bgf2/last-next"),
    ),
    ("a decoy head", signed_anew(lambda told: era(told)["seats"][0].update(head="44" * 32))),
    ("a link missing", lambda told: era(told)["opening"].__setitem__(1, "")),
    ("another link", lambda told: era(told)["opening"].__setitem__(1, "55" * 32)),
    ("secret withheld", drop("secret")),
    ("another secret", drop("secret", "66" * 32)),
    ("first event", signed_anew(lambda told: era(told).update(first=1))),
    ("number", signed_anew(lambda told: era(told).update(number=2))),
    ("not frozen", without_frozen),
    ("a draw missing", lambda told: told["draws"].pop()),
    ("rewound", lambda told: told["log"].append([proof.BACK, 0])),
    ("a decision missing", lambda told: told["log"].remove(next(each for each in told["log"] if each[0] >= 0))),
    ("another die", other_die),
    ("another decision", other_decision),
    ("an action that is not legal", illegal),
    ("another seat decided", wrong_seat),
    ("other weights", more_weight),
    ("no era", lambda told: told.update(eras=[])),
    ("a field too long", lambda told: era(told).update(root="77" * 33)),
    ("a depth of 17", lambda told: era(told).update(depth=17)),
    ("another protocol", lambda told: told.update(protocol="bgf3")),
]
LIVE: list[tuple[str, Forgery]] = [
    ("links swapped", swap_links), ("contributor left out", leave_out), ("answer held back", default),
    ("asked early", late_question), ("asked for another event", wrong_event), ("never asked", never_asked),
    ("answer missing", lambda told: era(told)["answers"].pop("0")),
    ("link of another seat", lambda told: era(told)["answers"]["0"][0].__setitem__(1, "88" * 32)),
]  # fmt: skip


@pytest.mark.parametrize("level", [1, 2])
def test_both_verifiers_find_the_same_in_honest_and_in_forged_proofs(level: int, tmp_path: Path) -> None:
    server = Server(level).seal().run(8)
    party = server.parties[0]
    made: dict[str, Any] = {}
    for name, forge in FORGERIES + (LIVE if level == 2 else []):
        told = plain(server.proof(revealed=True))
        forge(told)
        made[name] = told
    taken = Server(level).seal().run(8)
    taken.take_back(5)
    taken.run(9).seal().run(6)
    ended = Server(level).seal().run(6).seal().run(4)
    ended.log.append((proof.OVER, 0))
    late = Server(level).seal().run(5)
    late.silent.add(1)
    hosted = Server(level, {}).seal().run(5)
    running = Server(level).seal().run(9)
    known = proof.Observed(kept=[party.collect_evidence()])
    other = Server(level, seed=9, gid=b"h" * 16).seal().run(3).parties[0]
    moved = Server(level, seed=9).seal().run(3).parties[0]
    wrong_draw = plain(party.collect_evidence())
    wrong_draw["draws"][2]["outcome"] = (wrong_draw["draws"][2]["outcome"] + 1) % 6
    alarmed = GrindsAValue(level).seal().run(3)
    cases = [(name, told, known) for name, told in made.items()]
    cases += [
        ("nothing kept", plain(server.proof(revealed=True)), proof.Observed()),
        ("kept of another game", made["nothing"], proof.Observed(kept=[other.collect_evidence()])),
        ("kept of another era", made["nothing"], proof.Observed(kept=[moved.collect_evidence()])),
        ("kept another draw", made["nothing"], proof.Observed(kept=[msgspec.convert(wrong_draw, Kept)])),
        ("another key", made["nothing"], proof.Observed(key="99" * 32)),
        (
            "takebacks and a second era",
            plain(taken.proof(revealed=True)),
            proof.Observed(kept=[taken.parties[1].collect_evidence()]),
        ),
        (
            "an era left early, and the end",
            plain(ended.proof(revealed=True)),
            proof.Observed(kept=[ended.parties[1].collect_evidence()]),
        ),
        ("a silent seat", plain(late.run(6).proof(revealed=True)), proof.Observed(kept=[late.parties[0].collect_evidence()])),
        ("the server sealed all", plain(hosted.proof(revealed=True)), proof.Observed()),
        ("still running", plain(running.proof()), proof.Observed(kept=[running.parties[2].collect_evidence()])),
        ("alarms", plain(alarmed.proof(revealed=True)), proof.Observed(kept=[alarmed.parties[0].collect_evidence()])),
    ]
    given = [{"proof": told, "kept": plain(list(saw.kept)), "key": saw.key} for _, told, saw in cases]
    given[0]["rules"] = referee(server.game)
    differ: list[tuple[str, dict[str, str | None]]] = []
    for (name, told, saw), pages in zip(cases, by_pages(tmp_path, given), strict=True):
        found = by_server(told, saw)
        if name in NOTATION and found and pages:
            assert found.pop("log") == "broken" and pages.pop("log")  # broken to both, if what follows is not legal any more
        if pages != found:
            both = {*(found or ()), *(pages or ())}
            differ.append(
                (name, {each: (found or {}).get(each) for each in both if (found or {}).get(each) != (pages or {}).get(each)})
            )
        is_broken = found is None or "broken" in found.values()
        if is_broken == (name in HONEST) and name not in NOTATION:
            differ.append((name, {"broken": str(is_broken)}))
    assert not differ, str(differ)


HONEST = {
    "nothing", "signature removed", "row removed", "a link missing", "secret withheld", "nothing kept",
    "takebacks and a second era", "an era left early, and the end", "a silent seat", "the server sealed all", "still running",
}  # fmt: skip


# A decision that is legal, too, but not the one of the record, which is notation: only the command reads that. A page that saw
# the game takes no proof of other actions.
NOTATION = {"another decision"}

# By generation


@pytest.mark.parametrize("seed", range(3))
def test_both_verifiers_give_one_verdict_on_whatever_is_changed_in_a_proof(seed: int, tmp_path: Path) -> None:
    """One field of a proof is changed. The pages cannot read notation, so a record that the command refuses is excepted."""
    lot, differ = random.Random(seed), []
    for level in (1, 2):
        server = Server(level).seal().run(5)
        told, known = plain(server.proof(revealed=True)), proof.Observed(kept=[server.parties[0].collect_evidence()])
        changes = [generator.other_field(lot, told) for _ in range(100)]
        made = [(path, new, generator.change_field(told, path, new)) for path, new in changes]
        given: list[dict[str, Any]] = [{"proof": each, "kept": plain(list(known.kept))} for _, _, each in made]
        given[0]["rules"] = referee(server.game)
        for (path, new, each), pages in zip(made, by_pages(tmp_path, given), strict=True):
            one, other = verdict(by_server(each, known)), verdict(pages)
            if one != other and not (path[0] == "record" and one == "refused"):
                differ.append((path, str(new)[:80], one, other))
    assert differ == []


def verdict(findings: Findings | None) -> str:
    """The verdict; what is no proof is refused as what is broken."""
    found = "broken" if findings is None else max(findings.values(), key=ORDER.index)
    return "refused" if found == "broken" else found


# BGF1 and two stories


def test_a_proof_of_bgf1_is_at_best_open(tmp_path: Path) -> None:
    lot = random.Random(5)
    game = bridgehead.game("barricade", board="mini", seats=2, turnLimit=12)
    seals = made_bgf1.sealed(game, lot.randbytes(32), lot.randbytes(16), [False, True], seed=b"x")
    match = Match(game)
    while not match.position.is_over:
        if not match.deal(seals):
            match.play(lot.choice(match.position.legal))
    old = proof_bgf1_of(match, seals.disclose_eras(match.chances, True)[0])
    lie = plain(old)
    lie["draws"][1]["index"] = (lie["draws"][1]["index"] + 1) % len(lie["draws"][1]["weights"])
    beacon = plain(old)
    beacon["eras"][0]["beacon_signature"] = "aa"
    found = by_pages(tmp_path, [{"proof": each} for each in (plain(old), lie, beacon)])
    assert found == [{"bgf1": "open"}, {"bgf1": "broken"}, {"bgf1": "broken"}]
    assert proof.verdict(proof_bgf1.verify(old)) == "open"


STORIES = """
import { contradictions, readKept, statementsOf } from "./sealed/statements.js";
const files = given.map((each) => readKept(JSON.stringify(each)) ?? each);
console.log(JSON.stringify(contradictions(files.flatMap(statementsOf))));
"""


def test_two_stories_in_two_files_are_found_by_both(tmp_path: Path) -> None:
    one, two = (Server(1, seed=seed).seal().run(3) for seed in (1, 2))
    files = [plain(one.parties[0].collect_evidence()), plain(two.proof(revealed=True))]
    found = in_node.run(tmp_path, STORIES, files)
    assert [[each["kind"] for each in pair["statements"]] for pair in found] == [["era", "era"], ["list", "list"]]
    statements = [*of_kept(one.parties[0].collect_evidence()), *proof.statements(two.proof())]
    assert [plain([each.first, each.second]) for each in contradictions(statements)] == [pair["statements"] for pair in found]
    assert in_node.run(tmp_path, STORIES, [files[0], plain(one.proof(revealed=True))]) == []
    for row in (files[1]["eras"][0], files[1]["eras"][0]["listed"]):
        row["signature"] = "0" * 128
    assert in_node.run(tmp_path, STORIES, files) == [], "unsigned words prove nothing"
