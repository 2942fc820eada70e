"""A page that follows the record by the rules: honest servers raise no alarm, and each way to leave the rules raises its own."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bridgehead
import in_node
from bridgehead.core.match import Match
from bridgehead.fairness import bgf2
from bridgehead.fairness.proof import OVER
from bridgehead.fairness.seals import Seals, SecretKeeper
from fairness.cheats import OPTIONS, Server
from fairness.referees import referee
from fairness.test_live_checks import ME, View, copied, era_of, followed, plain, recorded

GAME = bridgehead.game("barricade", **OPTIONS)
Change = Callable[[list[View], Server], None]


def story(server: Server, views: list[View] | None = None, **more: Any) -> dict[str, Any]:
    """What a page at the first seat sees of a table, with the rules."""
    shown: list[View] = server.views  # type: ignore[attr-defined]
    party = server.parties[ME]
    return {"views": shown if views is None else views, "seed": party.seeds[ME].hex(), "times": [0] * 1000,
            "rules": referee(server.game)} | more  # fmt: skip


def played(level: int, decisions: int = 8, cheat: type[Server] = Server) -> Server:
    server = recorded(cheat, level).seal().run(decisions)
    assert not server.alarms()
    return server


def offered(views: list[View]) -> list[View]:
    """The same views with the choices of this page's seat."""
    views = copied(views)
    for view in views:
        position = Match(GAME, view["actions"]).position
        if position.actor == ME:
            view["choices"] = [{"action": action} for action in position.legal]
    return views


def keys(found: dict[str, Any]) -> list[str]:
    return [alarm["key"] for alarm in found["alarms"]]


# Nobody cries wolf


def ended(level: int) -> Server:
    """A short game to its end."""
    server = recorded(Server, level)
    server.game = bridgehead.game("barricade", board="mini", seats=2, turnLimit=12)
    server.match, server.seals = Match(server.game), Seals(SecretKeeper(server.lot.randbytes(32)), server.game)
    del server.parties[2], server.shown[2]
    server.seal().run(10_000)
    assert server.match.position.is_over and not server.alarms()
    server.log.append((OVER, 0))
    return server


def continued(level: int) -> Server:
    """A table that continues a record: its actions were taken over before anything was sealed."""
    server = recorded(Server, level)
    while server.match.chances < 3 or server.match.position.is_chance:
        server.play(server.match.position.actor, server.lot.choice(server.match.position.legal))
    server.shown = dict.fromkeys(server.parties, len(server.match.log))
    return server.seal().run(6)


def test_an_honest_server_raises_no_alarm_whatever_people_do(tmp_path: Path) -> None:
    stories, names = list[dict[str, Any]](), list[str]()

    def tell(name: str, *args: Any, **more: Any) -> None:
        names.append(name)
        stories.append(story(*args, **more))

    for level in (1, 2):
        server = played(level)
        shown: list[View] = server.views  # type: ignore[attr-defined]
        tell("plain", server)
        tell("the wish", server, level=level)
        tell("choices", server, offered(shown))
        for late in (3, len(shown) // 2, len(shown) - 1):
            tell("the rules come late", server, rulesAt=late)
        paused = offered(shown)
        for view in paused:
            view.pop("choices", None)
        tell("paused", server, paused)
        watched = copied(shown)
        for view in watched:
            view["you"] = []
        tell("a spectator", server, watched)
        conceded = copied(shown)
        conceded[-1] |= {"actor": -2, "outcome": {}}
        tell("conceded", server, conceded)
        for at in range(4, len(shown), 5):
            again = copied(shown)
            again[at]["first"] = True
            tell("connected again", server, again)
        tell("came late", server, shown[len(shown) // 2 :])
        back = recorded(Server, level).seal().run(8)
        back.take_back(5)
        back.run(9).seal().run(6)
        back.take_back(len(back.match.log) - 4)
        back.run(5)
        tell("takebacks and new eras", back)
        tell("continued", continued(level))
        silent = recorded(Server, level).seal().run(3)
        silent.silent.add(1)
        tell("a silent seat", silent.run(4))
        alone = recorded(Server, level)
        alone.parties, alone.shown = {ME: alone.parties[ME]}, {ME: 0}
        tell("computers", alone.seal().run(6))
        over = ended(level)
        tell("to the end", over, over=plain(over.proof(revealed=True)))
    for name, found in zip(names, followed(tmp_path, stories), strict=True):
        assert keys(found) == [], (name, found["alarms"])


# Each way to leave the rules


def last_draw(views: list[View]) -> int:
    """The last view whose log ends with a draw, and a seat has to act."""
    return max(at for at, view in enumerate(views) if view["draws"] and view["log"][-1]["actor"] == -1 and view["actor"] >= 0)


def other_weights(views: list[View], server: Server) -> None:
    """A seventh number that cannot come: the outcome is the same."""
    views[last_draw(views)]["draws"][-1]["weights"].append(0)


def other_die(views: list[View], server: Server) -> None:
    view = views[last_draw(views)]
    before = Match(GAME, view["actions"][:-1]).position
    others = [action for action in before.legal if action != view["actions"][-1]]
    view["actions"][-1] = next(action for action in others if before.after(action).actor == view["actor"])
    if "choices" in view:
        view["choices"] = [{"action": action} for action in before.after(view["actions"][-1]).legal]


def illegal(views: list[View], server: Server) -> None:
    at = next(at for at, line in enumerate(views[-1]["log"]) if line["actor"] >= 0)
    legal = Match(GAME, views[-1]["actions"][:at]).position.legal
    views[-1]["actions"][at] = next(action for action in range(GAME.action_count) if action not in legal)


def wrong_seat(views: list[View], server: Server) -> None:
    line = next(line for line in views[-1]["log"] if line["actor"] >= 0)
    line["actor"] = (line["actor"] + 1) % 3


def wrong_turn(views: list[View], server: Server) -> None:
    views[-1]["actor"] = (views[-1]["actor"] + 1) % 3


def one_choice_less(views: list[View], server: Server) -> None:
    next(view for view in reversed(views) if len(view.get("choices", [])) > 1)["choices"].pop()


def one_choice_more(views: list[View], server: Server) -> None:
    view = next(view for view in reversed(views) if "choices" in view)
    legal = [choice["action"] for choice in view["choices"]]
    view["choices"].append({"action": next(action for action in range(GAME.action_count) if action not in legal)})


def other_rules(views: list[View], server: Server) -> None:
    for view in views:
        view["sealed"]["rules"] = {**view["sealed"]["rules"], "options": '{"seats":4}'}


def rules_change(views: list[View], server: Server) -> None:
    views[-1]["sealed"]["rules"]["version"] = "other"


def rules_vanish(views: list[View], server: Server) -> None:
    del views[-1]["sealed"]["rules"]


def asks_before_the_decision(views: list[View], server: Server) -> None:
    """A decision comes first. The right seats are asked, for the next draw."""
    view = next(view for view in reversed(views) if view["actor"] >= 0)
    chances = sum(line["actor"] == -1 for line in view["log"])
    last = next(line["actor"] for line in reversed(view["log"]) if line["actor"] >= 0)
    seats = list(bgf2.contributors(server.seals.terms(server.seals.eras[0]), last))
    era_of(view)["asked"] = {"e": chances, "seats": seats, "missing": seats}


def withdrawn(views: list[View], server: Server) -> None:
    """Once it has the link of this seat, the server takes the last decision back."""
    at = max(at for at, view in enumerate(views) if asks(view) and view["log"] and view["log"][-1]["actor"] >= 0)
    views[at + 1 :] = [copy.deepcopy(views[at])]
    view = views[at + 1]
    view |= {"log": view["log"][:-1], "actions": view["actions"][:-1]}
    view["actor"] = Match(GAME, view["actions"]).position.actor
    era_of(view)["asked"] = None


def asks(view: View) -> bool:
    asked = era_of(view)["asked"]
    return bool(asked) and ME in asked["missing"]


def unasked(views: list[View], server: Server) -> None:
    for view in views:
        for era in view["sealed"]["eras"]:
            era["asked"] = None


def level_changes(views: list[View], server: Server) -> None:
    views[-1]["sealed"]["level"] = 3 - views[-1]["sealed"]["level"]


LEVELS = (1, 2)
CHEATS: list[tuple[Change, tuple[int, ...], str]] = [
    (other_weights, LEVELS, "weights"),
    (other_die, LEVELS, "played"),
    (illegal, LEVELS, "illegal"),
    (wrong_seat, LEVELS, "illegal"),
    (wrong_turn, LEVELS, "illegal"),
    (one_choice_less, LEVELS, "choices"),
    (one_choice_more, LEVELS, "choices"),
    (other_rules, LEVELS, "rules"),
    (rules_change, LEVELS, "rules"),
    (rules_vanish, LEVELS, "rules"),
    (level_changes, LEVELS, "level"),
    (asks_before_the_decision, (2,), "asked"),
    (withdrawn, (2,), "withdrawn"),
]


def test_each_way_to_leave_the_rules_raises_its_alarm(tmp_path: Path) -> None:
    stories, expected = list[dict[str, Any]](), list[tuple[str, str]]()
    tables = {level: played(level) for level in LEVELS}
    for cheat, levels, alarm in CHEATS:
        for level in levels:
            views = offered(tables[level].views)  # type: ignore[attr-defined]
            cheat(views, tables[level])
            stories.append(story(tables[level], views))
            expected.append((cheat.__name__, alarm))
    for (name, alarm), found in zip(expected, followed(tmp_path, stories), strict=True):
        assert keys(found) == [alarm], (name, found["alarms"])
        silent = [each["send"] for each in found["sent"] if each["isAlarmed"]]
        assert silent and not any(silent), "nothing is revealed any more"


def test_a_proof_of_another_line_proves_no_draw_to_a_page(tmp_path: Path) -> None:
    """The server shows another die, keeps the draw back, and gives a proof of the line that was sealed."""
    stories = []
    for level in LEVELS:
        server = played(level)
        for cheat in (lambda views, server: None, other_die):
            views = offered(server.views)  # type: ignore[attr-defined]
            cheat(views, server)
            at = last_draw(views)
            views[at] |= {"draws": [], "proof": plain(server.proof())}
            stories.append(story(server, views[: at + 1]))
    assert [keys(found) for found in followed(tmp_path, stories)] == [[], ["proof"]] * 2


def test_a_die_that_is_exchanged_while_a_page_is_away_is_asked_for(tmp_path: Path) -> None:
    """It lies further back than the draws of a first view."""
    server = played(1, 24)
    views = offered(server.views)  # type: ignore[attr-defined]
    view, early = copied(views[-1:])[0], 0
    dice = [at for at, line in enumerate(view["log"]) if line["actor"] == -1]
    for early in dice[:-9]:
        match = Match(GAME, view["actions"][:early])
        for other in match.position.legal:
            rest = Match(GAME, [*view["actions"][:early], other])
            if other != view["actions"][early] and all(_plays(rest, action) for action in view["actions"][early + 1 :]):
                view["actions"][early] = other
                view |= {"first": True, "draws": [], "proof": plain(server.proof())}
                view["actor"] = rest.position.actor
                view.pop("choices", None)
                (found,) = followed(tmp_path, [story(server, [*views, view])])
                assert keys(found) == ["proof"]
                return
    raise AssertionError("no early die can be exchanged without another line")


def _plays(match: Match, action: int) -> bool:
    if action not in match.position.legal:
        return False
    match.play(action)
    return True


def test_without_the_rules_a_page_sees_none_of_it_but_what_came_before_they_came_is_judged(tmp_path: Path) -> None:
    stories, expected = list[dict[str, Any]](), list[list[str]]()
    server = played(1)
    for cheat, alarm in ((other_weights, "weights"), (other_die, "played"), (illegal, "illegal")):
        views = offered(server.views)  # type: ignore[attr-defined]
        cheat(views, server)
        at = last_draw(views) if cheat is not illegal else len(views) - 1
        views = views[: at + 1] + copied(views[at : at + 1])  # the same view once more, when the rules are there
        stories += [story(server, views, rules=None), story(server, views, rulesAt=len(views) - 1)]
        expected += [[], [alarm]]
    assert [keys(found) for found in followed(tmp_path, stories)] == expected


def test_a_seat_that_was_never_asked_is_not_late(tmp_path: Path) -> None:
    server = recorded(Server, 2).seal().run(3)
    server.silent.add(ME)
    server.run(4)
    shown: list[View] = server.views  # type: ignore[attr-defined]
    assert any(ME in draw["defaults"] for view in shown for draw in view["draws"])
    hidden = copied(shown)
    unasked(hidden, server)
    at = next(at for at, view in enumerate(hidden) if any(ME in draw["defaults"] for draw in view["draws"]))
    again = copied(hidden)
    again[at]["first"] = True  # it was away: it may have been asked
    told = followed(tmp_path, [story(server, each) for each in (shown, hidden, again[: at + 1])])
    assert [keys(found) for found in told] == [[], ["unasked"], []]
    (left,) = followed(tmp_path, [story(server, hidden[: at + 1], handedAt=at)])
    assert keys(left) == [] and left["sent"][at]["isMissing"], (
        "a seat that changed hands is left out at once: the proof has to say so"
    )


def test_another_level_than_this_browser_asked_for_is_an_alarm(tmp_path: Path) -> None:
    one, two = played(1, 2), played(2, 2)
    none = copied(one.views[:1])  # type: ignore[attr-defined]
    none[0]["sealed"] = {"level": 0, "practice": False, "text": "", "waiting": [], "eras": []}
    without = copied(none)  # house rules that leave no chance
    without[0] |= {"actor": ME, "log": [], "actions": []}
    stories = [
        story(one, level=2),
        story(two, level=1),
        story(one, none, level=2),
        story(one, level=1),
        story(one, without, level=2),
    ]
    told = followed(tmp_path, stories)
    assert [keys(found) for found in told] == [["level"], ["level"], ["level"], [], []]
    assert not any(each["send"] for found in told[:3] for each in found["sent"])


def test_a_proof_that_the_server_owes_and_does_not_give_is_an_alarm(tmp_path: Path) -> None:
    server = ended(1)
    views = copied(server.views)  # type: ignore[attr-defined]
    hidden = copied(views)
    at = last_draw(hidden)
    hidden[at]["draws"] = []
    whole, secretless = plain(server.proof(revealed=True)), plain(server.proof())
    told = followed(tmp_path, [
        story(server, hidden[: at + 1], refused=True, refusedAt=at), story(server, views, over=secretless),
        story(server, views, over=whole), story(server, views[:-1], over=secretless),
    ])  # fmt: skip
    assert [keys(found) for found in told] == [["missing"], ["proof"], [], []]
    assert [found["isOf"] for found in told[1:]] == [True, True, False], "it has to be of the game that the page has seen"
    assert told[0]["sent"][at]["isMissing"] and all(found["isOwed"] for found in told)


INSIST = """
import { insist } from "./base/insist.js";
const told = [];
for (const answers of given) {
  const waits = [];
  const ask = async () => {
    const status = answers.length > 1 ? answers.shift() : answers[0];
    if (status === 200) return "proof";
    throw status ? Object.assign(new Error("no"), { status }) : new Error("offline");
  };
  const { state } = await insist(ask, { pause: async (seconds) => waits.push(seconds), isWanted: () => true });
  told.push([state, waits.reduce((all, each) => all + each, 0)]);
}
console.log(JSON.stringify(told));
"""


def test_a_busy_server_gets_time_and_one_out_of_reach_has_refused_nothing(tmp_path: Path) -> None:
    told = in_node.run(tmp_path, INSIST, [[200], [400], [400, 400, 200], [429] * 8 + [200], [429], [0], [503, 0]])
    assert told == [
        ["given", 0],
        ["refused", 29],
        ["given", 3],
        ["given", 119],
        ["refused", 329],
        ["offline", 29],
        ["offline", 29],
    ]


def test_the_evidence_of_another_level_can_be_read(tmp_path: Path) -> None:
    (found,) = followed(tmp_path, [story(played(1, 1), level=2)])
    assert json.dumps(found["kept"]) and found["kept"]["gid"] == "0" * 32 and found["alarms"][0]["n"] == 1
