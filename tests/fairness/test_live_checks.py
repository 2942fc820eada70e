"""A page's live checks in Node: an honest server raises no alarm; each way to cheat raises its own, and ends all sending."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

import in_node
from bridgehead.fairness import bgf2, signatures
from bridgehead.fairness.bgf2 import Contribution, SeatHead, Terms, Tree, u32
from bridgehead.fairness.party import Party
from fairness import test_cheats as cheats
from fairness.cheats import Server
from fairness.referees import FOLLOWER, referee

View = dict[str, Any]
GAME = bytes(range(16))
KEY = b"k" * 32
SEEDS = [b"a" * 32, b"b" * 32]
ME = 0


class Table:
    """A server's side of a table with two persons, as the views of seat 0."""

    def __init__(
        self, level: int, number: int = 1, first: int = 0, secret: bytes = b"s" * 32, sources: tuple[int, int] = (0, 0)
    ) -> None:
        self.level, self.number, self.first, self.key = level, number, first, KEY
        self.tree = Tree(secret, GAME, number, bgf2.DEPTHS[level])
        lengths = [bgf2.chain_length(level, source) for source in sources]
        self.chains = [bgf2.chain(seed, GAME, number, at, lengths[at]) for at, seed in enumerate(SEEDS)]
        self.heads = [
            SeatHead(source, length, links[0]) for source, length, links in zip(sources, lengths, self.chains, strict=True)
        ]
        self.log: list[View] = []
        self.row, self.before = number, bytes(32)
        self.rules = bgf2.sha(b"rules")
        self.asking = False

    @property
    def terms(self) -> Terms:
        root = self.tree.root
        return Terms(GAME, self.number, self.first, self.rules, root, self.tree.depth, self.level, tuple(self.heads))

    def era(self, frozen: bool = True, opened: bool = True, asked: Any = None) -> View:
        terms, key = self.terms, self.key
        link = bgf2.list_link(self.before, self.row, GAME + u32(self.number), terms.transcript)
        listed = {
            "n": self.row, "before": self.before.hex(), "link": link.hex(),
            "signature": signatures.sign(key, bgf2.list_statement(self.row, link)).hex(),
        }  # fmt: skip
        signature = signatures.sign(key, bgf2.era_statement(GAME, self.number, terms.transcript)).hex()
        return {
            "number": self.number, "first": self.first, "depth": terms.depth, "level": self.level, "rule": bgf2.RULES[self.level],
            "rules": self.rules.hex(), "root": terms.root.hex(),
            "seats": [[head.source, head.head.hex()] if frozen else None for head in self.heads],
            "transcript": terms.transcript.hex() if frozen else "", "signature": signature if frozen else "",
            "listed": listed if frozen else None, "unopened": [] if opened or not frozen else [0, 1],
            "opening": [links[1].hex() for links in self.chains] if opened and frozen else [], "asked": asked,
        }  # fmt: skip

    def view(self, *eras: View, draws: list[View] | None = None) -> View:
        sealed = {
            "level": self.level, "practice": False, "text": "", "waiting": [], "gid": GAME.hex(),
            "server": signatures.public_key(self.key).hex(), "eras": list(eras),
        }  # fmt: skip
        rest = {} if draws is None else {"draws": draws}
        return {"sealed": sealed, "you": [ME], "log": [*self.log], "actor": -1, "outcome": None, **rest}

    @property
    def chances(self) -> int:
        return sum(line["actor"] == -1 for line in self.log)

    @property
    def last(self) -> int:
        return next((line["actor"] for line in reversed(self.log) if line["actor"] >= 0), 0)

    def ask(self) -> View:
        due = list(bgf2.contributors(self.terms, self.last))
        return self.view(self.era(asked={"e": self.chances - self.first, "seats": due, "missing": due}))

    def deal(self, late: tuple[int, ...] = ()) -> View:
        e, weights = self.chances - self.first, [1, 2, 3]
        links = [
            Contribution(seat, self.chains[seat][e + 2]) for seat in bgf2.contributors(self.terms, self.last) if seat not in late
        ]
        opened = bgf2.combine_openings(self.terms.transcript, [links[1] for links in self.chains])
        outcome = bgf2.outcome(self.tree.key(e), bgf2.entropy(opened, e, links), e, weights)
        draw = {
            "at": len(self.log), "index": self.chances, "era": self.number, "e": e, "key": self.tree.key(e).hex(),
            "path": [other.hex() for other in self.tree.path(e)], "links": [[link.seat, link.value.hex()] for link in links],
            "defaults": list(late), "weights": weights, "outcome": outcome, "name": f"roll {outcome}",
        }  # fmt: skip
        self.log.append({"n": 1, "actor": -1, "text": f"rolled {outcome}"})
        return self.view(self.era(), draws=[draw])

    def decide(self, seat: int) -> View:
        self.log.append({"n": 1, "actor": seat, "text": f"moved {len(self.log)}"})
        return self.view(self.era())


def honest(level: int, **wish: Any) -> tuple[Table, list[View]]:
    """A table and its views up to the third draw, with a decision after each."""
    table = Table(level, **wish)
    views = [table.view(table.era(frozen=False)), table.view(table.era(opened=False)), table.view(table.era())]
    for turn in range(3):
        views += [*([table.ask()] if level == 2 else []), table.deal(), table.decide(turn % 2)]
    return table, views


# A story: views, and how the page comes to see them. rules: for the follower, from view `rulesAt` on; level: the page's wish;
# over: the proof of the finished game; refusedAt: the server refuses a proof for good after this view; handedAt: the view from
# which this page holds its seat by another token.
FOLLOW = """
import { bytes, hex } from "./sealed/bgf1.js";
import * as proofs from "./sealed/checks.js";
import * as live from "./sealed/live_checks.js";
const { LiveChecks, unsealed } = live;
import { contradictions, statementsOf } from "./sealed/statements.js";
const results = [];
for (const story of given) {
  const { views, times = [], elsewhere = [], heads = [], refused, seed, rules, rulesAt = 0, level, over, refusedAt } = story;
  const { handedAt = Infinity } = story;
  const own = { ...unsealed("ABC"), seeds: { 0: seed ?? hex(new Uint8Array(32).fill(97)) } };
  const pin = { key: "", heads };
  let now = 0, first = true, holder = "one";
  const isElsewhere = (gid) => elsewhere.includes(gid);
  const lost = (problem) => { throw problem; };
  const page = { save() {}, isElsewhere, now: () => now, sentence: ({ key }) => key, seed: () => "", level, lost };
  page.holder = () => holder;
  const checks = new LiveChecks(own, pin, page);
  const follower = rules && await ready(rules);
  const sent = views.map((view, at) => {
    now = times[at] ?? at * 10;
    if (at >= handedAt) holder = "another";
    if (at === rulesAt && follower) checks.follower = follower;
    let { send, isMissing } = checks.look(view, { isFirst: first });
    if (isMissing && view.proof && checks.learn(JSON.stringify(view.proof), proofs))
      ({ send } = checks.look(view, { isFirst: first, isProved: true }));
    if (isMissing && refused) checks.skip(view);
    if (at === refusedAt) checks.refuse("refused");
    first = Boolean(views[at + 1]?.first);
    for (const message of send) checks.answered(message, view.refuses ? { t: "rej" } : { t: "ack" });
    return { send, isMissing, isAlarmed: checks.isAlarmed };
  });
  const isOf = over && live.isOf(JSON.stringify(over), views.at(-1).actions);
  if (isOf) checks.learn(JSON.stringify(over), proofs, true);
  const { alarms } = own.kept;
  const stories = contradictions(statementsOf(own.kept)).length;
  const { isOwed } = checks;
  results.push({ sent, alarms, stories, kept: own.kept, words: checks.opened && hex(checks.opened.value), own, isOwed, isOf });
}
console.log(JSON.stringify(results));
"""


def followed(folder: Path, stories: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return in_node.run(folder, FOLLOWER + FOLLOW, stories)


def copied(views: list[View]) -> list[View]:
    return json.loads(json.dumps(views))


def test_a_page_seals_opens_and_sends_each_link_once_when_it_is_due(tmp_path: Path) -> None:
    (one, first), (two, second) = honest(1), honest(2)
    for table, views, found in zip(
        (one, two), (first, second), followed(tmp_path, [{"views": first}, {"views": second}]), strict=True
    ):
        assert found["alarms"] == [] and not any(each["isMissing"] for each in found["sent"])
        sent = [message for each in found["sent"] for message in each["send"]]
        rest = {"gid": GAME.hex(), "era": 1}
        links = [("reveal", e, table.chains[ME][e + 2].hex()) for e in ((-1, 0, 1, 2) if table.level == 2 else (-1,))]
        assert sent[0] == {"t": "seal", **rest, "heads": [{"seat": 0, "head": table.chains[0][0].hex()}], "source": 0}
        assert sent[1:] == [{"t": t, **rest, "e": e, "links": [{"seat": 0, "value": value}]} for t, e, value in links]
        opened = bgf2.combine_openings(table.terms.transcript, [links[1] for links in table.chains])
        assert found["words"] == opened.hex()
        assert [draw["index"] for draw in found["kept"]["draws"]] == [0, 1, 2] and found["kept"]["whole"]
        assert SEEDS[0].hex() not in json.dumps(found["kept"]), "the evidence holds no seed"
        assert len(views) == len(found["sent"])


Change = Callable[[list[View], Table], None]


def era_of(view: View) -> View:
    return view["sealed"]["eras"][0]


def frozen_by(change: Callable[[Table], None]) -> Change:
    """From the freeze on, the server shows an era of its own making."""

    def apply(views: list[View], table: Table) -> None:
        other = Table(table.level)
        change(other)
        for at in range(1, len(views)):
            old = era_of(views[at])
            new = other.era(opened=bool(old["opening"]), asked=old["asked"])
            views[at]["sealed"] |= {"eras": [new], "server": signatures.public_key(other.key).hex()}

    return apply


def decoy(table: Table) -> None:
    table.heads[ME] = table.heads[ME]._replace(head=bytes(32))


def edited(at: int, change: Callable[[View], object]) -> Change:
    def apply(views: list[View], table: Table) -> None:
        change(views[at])

    return apply


def other_outcome(view: View) -> None:
    view["draws"][0]["outcome"] = (view["draws"][0]["outcome"] + 1) % 3


def second_story(views: list[View], table: Table) -> None:
    other = Table(table.level, secret=b"t" * 32)
    views[-1]["sealed"]["eras"] = [other.era()]


def new_key(views: list[View], table: Table) -> None:
    for view in views[3:]:
        view["sealed"]["server"] = signatures.public_key(b"other key of 32 bytes ..........").hex()


def faked_log(views: list[View], table: Table) -> None:
    """Six hundred draws that were never dealt, to make link 602 due."""
    line = {"n": 1, "actor": -1, "text": "rolled"}
    views[3] |= {"log": [line] * 600, "proof": {}}
    era_of(views[3])["asked"] = {"e": 600, "seats": [0, 1], "missing": [0, 1]}


def ignored(view: View) -> None:
    draw = view["draws"][0]
    draw |= {"links": draw["links"][1:], "defaults": [ME]}


def hidden(view: View) -> None:
    """The log shows a draw that neither the view nor the proof has."""
    del view["draws"]
    view["proof"] = {}


SMALL = "00" * 31 + "80"
AGAIN = {"e": 0, "seats": [0, 1], "missing": [0]}
# By level: how the server cheats, the alarm, and its draw.
CHEATS: list[tuple[int, str, Change, str, int]] = [
    (1, "decoy seal", frozen_by(decoy), "seal", 1),
    (1, "outcome", edited(3, other_outcome), "draw", 1),
    (1, "outcome of draw 3", edited(7, other_outcome), "draw", 3),
    (1, "signature removed", edited(1, lambda view: era_of(view).update(signature="")), "signature", 1),
    (1, "other values than signed", edited(1, lambda view: era_of(view).update(rules="00" * 32)), "transcript", 1),
    (1, "depth not in the transcript", edited(1, lambda view: era_of(view).update(depth=11)), "transcript", 1),
    (1, "first event", frozen_by(lambda table: setattr(table, "first", 1)), "era", 1),
    (1, "row does not follow", edited(1, lambda view: era_of(view)["listed"].update(before="11" * 32)), "list", 1),
    (1, "key changed", new_key, "key", 1),
    (1, "key of small order", edited(0, lambda view: view["sealed"].update(server=SMALL)), "key", 1),
    (1, "game changed", edited(2, lambda view: view["sealed"].update(gid="11" * 16)), "game", 1),
    (1, "two stories", second_story, "two", 4),
    (1, "opening", edited(2, lambda view: era_of(view)["opening"].__setitem__(1, "22" * 32)), "opening", 1),
    (1, "key of a draw", edited(3, lambda view: view["draws"][0].update(key="33" * 32)), "root", 1),
    (1, "draw without its proof", edited(3, hidden), "proof", 1),
    (1, "draw of another era", edited(3, lambda view: view["draws"][0].update(e=1)), "era", 1),
    (1, "chance is not sealed any more", edited(3, lambda view: view["sealed"].update(gid="", eras=[])), "game", 1),
    (1, "era disappears", edited(3, lambda view: era_of(view).update(transcript="")), "era", 2),
    (2, "contributor left out", edited(4, lambda view: view["draws"][0]["links"].pop()), "contributors", 1),
    (2, "contributors in another order", edited(4, lambda view: view["draws"][0]["links"].reverse()), "contributors", 1),
    (2, "own answer ignored", edited(4, ignored), "default", 1),
    (2, "link of another event", edited(4, lambda view: view["draws"][0]["links"][1].__setitem__(1, "44" * 32)), "link", 1),
    (2, "late link asked", edited(3, lambda view: era_of(view)["asked"].update(e=600)), "asked", 601),
    (2, "late link asked for a faked log", faked_log, "proof", 1),
    (2, "a seat asked in place of another", edited(3, lambda view: era_of(view)["asked"].update(seats=[1, 0])), "asked", 1),
    (2, "asked again for what was dealt", edited(5, lambda view: era_of(view).update(asked=AGAIN)), "asked", 1),
    (2, "outcome", edited(4, other_outcome), "draw", 1),
]  # fmt: skip


def test_each_way_to_cheat_raises_its_alarm_and_no_link_is_sent_after_it(tmp_path: Path) -> None:
    usual = dict(enumerate((each["sent"] for each in followed(tmp_path, [{"views": honest(at)[1]} for at in (1, 2)])), start=1))
    stories = []
    for level, _, cheat, _, _ in CHEATS:
        table, views = honest(level)
        views = copied(views)
        cheat(views, table)
        slow = [at * (4000 if level == 2 else 10) for at in range(len(views))]
        stories.append({"views": views, "times": slow})
    for (level, name, _, alarm, n), found in zip(CHEATS, followed(tmp_path, stories), strict=True):
        raised = [(each["key"], each["n"]) for each in found["alarms"]]
        assert raised == [(alarm, n)], (level, name, raised)
        before = [each for each in found["sent"] if not each["isAlarmed"]]
        assert len(before) < len(found["sent"]) and not any(each["send"] for each in found["sent"][len(before) :]), name
        assert before == usual[level][: len(before)], name
        assert found["stories"] == (2 if alarm == "two" else 0), (name, "two transcripts, and two rows of the list")


def test_a_page_that_comes_late_or_again_raises_no_alarm_and_misses_nothing_in_silence(tmp_path: Path) -> None:
    table, views = honest(1)
    late = copied(views[-1:])  # comes when three draws are dealt: the first view has them
    late[0]["draws"] = [view["draws"][0] for view in views if "draws" in view]
    again = copied([*views[:4], *late])  # was away for two draws
    again[4]["first"] = True
    silent = copied([*views[:4], *views[-1:]])  # the same without their proof
    silent[4]["first"] = True
    gap = copied([*views[:4], *late])  # more than the view shows
    gap[4]["draws"] = gap[4]["draws"][2:]
    gap[4]["first"] = True
    table, views = honest(1, sources=(2, 0))
    mixed = copied(views)  # another program of the same person sealed the seat before
    era_of(mixed[0])["seats"][ME] = [2, table.heads[ME].head.hex()]
    found = followed(tmp_path, [{"views": each} for each in (late, again, silent, gap, mixed)])
    assert [[alarm["key"] for alarm in each["alarms"]] for each in found] == [[]] * 5
    assert not found[0]["kept"]["whole"] and len(found[0]["kept"]["draws"]) == len(found[1]["kept"]["draws"]) == 3
    for each in found[2:4]:
        assert [view["isMissing"] for view in each["sent"]] == [False] * 4 + [True], "it asks for the proof"


def test_a_refused_seal_is_not_own_and_an_unanswered_one_waits(tmp_path: Path) -> None:
    _, views = honest(1)
    views = copied(views)
    for view in views[1:]:
        view["sealed"]["eras"] = [decoyed().era(opened=bool(era_of(view)["opening"]))]
    refused = [{**views[0], "refuses": True}, *views[1:2]]
    (found,) = followed(tmp_path, [{"views": refused}])
    assert found["alarms"] == [] and found["sent"][1]["send"] == [] and found["kept"]["eras"][0]["mine"] == []


def decoyed() -> Table:
    table = Table(1)
    decoy(table)
    return table


def test_another_tables_game_and_another_row_of_the_list_are_alarms(tmp_path: Path) -> None:
    _, views = honest(1)
    row = {"n": 1, "link": "55" * 32, "signature": "66" * 64}
    game, head = followed(tmp_path, [{"views": views, "elsewhere": [GAME.hex()]}, {"views": views, "heads": [row]}])
    assert [alarm["key"] for alarm in game["alarms"]] == ["game"] and not any(each["send"] for each in game["sent"])
    assert [alarm["key"] for alarm in head["alarms"]] == ["list"] and not any(each["send"] for each in head["sent"][1:])
    assert [each["value"] for each in head["kept"]["statements"]] == [row["link"], era_of(views[1])["listed"]["link"]]


def test_a_page_that_gets_no_proof_of_what_it_missed_goes_on_and_contributes_no_more(tmp_path: Path) -> None:
    table, views = honest(2)
    gap = copied([*views[:4], views[-1]])  # away for three draws, of which the first view shows one
    gap[4] |= {"first": True, "draws": views[-2]["draws"]}
    gap += copied([table.ask(), table.deal()])
    (found,) = followed(tmp_path, [{"views": gap, "refused": True}])
    assert found["alarms"] == [] and [len(each["send"]) for each in found["sent"]] == [1, 1, 0, 1, 0, 0, 0]
    assert found["own"]["gap"] == 1 and not found["kept"]["whole"]
    assert [draw["index"] for draw in found["kept"]["draws"]] == [3], "what came after is checked again"


# The bench of cheating servers: a page at seat 1 sees what its client there sees, with the same seed.


def recorded(cheat: type[Server], level: int, **wish: Any) -> Server:
    """A table whose client at the first seat is a person's, with all views that it was shown."""

    class Recorder(cheat):  # type: ignore[misc,valid-type]
        views: list[View]

        def ask(self, seat: int, party: Party) -> list[View]:
            if seat != ME:
                return list(super().ask(seat, party))
            view, draws = self.view(seat), self.draws(seat)
            self.shown[seat] = len(self.match.log)
            answers, told = party.look(view, draws), None
            if party.missed:
                told = plain(self.proof())
                party.catch_up(json.dumps(told).encode())
                answers += party.look(view, draws)
            self.views.append(plain({**view, "draws": draws, "outcome": None, "proof": told}))
            self.answers += answers
            return answers

    server = Recorder(level, {ME: Party(source=0), 1: Party(), 2: Party()}, **wish)
    server.views, server.answers = [], []
    return server


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


BENCH: list[tuple[type[Server], int, int]] = [
    (cheats.GrindsTheRoot, 1, 3), (cheats.GrindsTheRoot, 2, 3), (cheats.GrindsAValue, 1, 3), (cheats.Decoy, 1, 4),
    (cheats.ForgedSeal, 1, 0), (cheats.LeavesOut, 2, 6), (cheats.AsksAhead, 2, 0), (cheats.Unsigned, 1, 0),
    (cheats.HidesTheKey, 1, 6),
]  # fmt: skip


def test_a_page_and_a_client_answer_the_same_and_raise_the_same_alarms(tmp_path: Path) -> None:
    tables = []
    for level in (1, 2):
        server = recorded(Server, level).seal().run(6)
        server.take_back(4)
        server.run(5).seal().run(4)
        tables.append(server)
    for cheat, level, decisions in BENCH:
        tables.append(recorded(cheat, level).seal())
        if decisions:
            tables[-1].run(decisions)
        elif cheat is cheats.AsksAhead:
            tables[-1].request()
            tables[-1].show()
    given = [
        {"views": table.views, "seed": table.parties[ME].seeds[ME].hex(), "times": [0] * 1000, "rules": referee(table.game)}  # type: ignore[attr-defined]
        for table in tables
    ]
    caught = set()
    for table, found in zip(tables, followed(tmp_path, given), strict=True):
        name, raised = type(table).__mro__[1].__name__, table.parties[ME].raised
        assert [alarm["key"] for alarm in found["alarms"]] == [alarm.key for alarm in raised[:1]], (name, table.level)
        assert [message for each in found["sent"] for message in each["send"]] == table.answers, (name, table.level)  # type: ignore[attr-defined]
        caught |= {name} if raised else set()
    assert caught == {cheat.__name__ for cheat, _, _ in BENCH}
