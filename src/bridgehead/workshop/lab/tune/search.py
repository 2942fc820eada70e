"""The search: single changes, then combinations of the best, then more games for fewer settings, then fresh games for all.

All settings get the same seeds, so the same chance. Every setting's games are stored in a folder of its own, as a run of the lab;
a search that was stopped reads them again, so its answer depends on the request alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.workshop.arena.contest import seatings
from bridgehead.workshop.lab.action_kinds import check_player_name, kinds
from bridgehead.workshop.lab.causes.shares import Slope, shares, slopes, subsets
from bridgehead.workshop.lab.causes.structure import structure
from bridgehead.workshop.lab.facts import wins
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Executor, Results
from bridgehead.workshop.lab.tune import wishes as wishing
from bridgehead.workshop.lab.tune.settings import Change, Setting, vary_boards
from bridgehead.workshop.lab.tune.wishes import RARE, Games, State, Wish, measure_wish
from bridgehead.workshop.lab.versus import Difference, adjust_p_values, compare_measures
from bridgehead.workshop.lab.words import Text, join_parts, phrase, reason_of
from bridgehead.workshop.statistics import NOTHING, Estimate

Array = np.ndarray[Any, Any]
Stage = Literal["search", "confirm", "shares", "boards"]
QUICK = ("random", "greedy")  # players of the compiled loop
FEWEST, MOST_FIRST = 40, 400  # games of a setting in the first round
PARENTS, CHILDREN = 6, 24  # settings that get one more change, and settings with one more change, in each round
LUCKY = 4  # of the parents are taken by lot: two changes may help only together
FINAL = 8  # settings of the last round of the search
PROPOSALS = 5
NEAREST = 3  # tries that are shown where none meets all wishes
FEWEST_BOARDS = 5  # drawn boards, for causes
SHARE = 0.2  # share of the confirming games that a searching player plays
DUELS = 0.25  # share of the games that are duels, and of random games
LONGEST = 6000  # actions of a game
LOOKS, LOOKED = 20, 0.1  # games whose decisions are looked into, where a wish needs them: at least so many, and this share
WEIGHED = 200  # confirming games of each player that are evaluated action by action, for what became worse
USUALLY = 0.05  # share of games with a kind of action that belongs to the game
LONGER = 0.25  # a change of length by this part, either way, is worth a word


class SearchRequest(msgspec.Struct, frozen=True):
    """All that decides the answer. rules: of the designer; players: the first searches, all confirm.

    games: of the search, over all settings; confirm: of each quick player for each proposal. deepest: most changes of a setting.
    """

    game: str
    rules: dict[str, Any]
    wishes: str
    allowed: str
    players: tuple[str, ...]
    games: int = 20_000
    confirm: int = 1000
    seed: int = 1
    deepest: int = 3
    seconds: float = 15.0


class MeasuredSetting(NamedTuple):
    """A setting with the measure of each wish by one player."""

    setting: Setting
    measures: dict[str, Estimate]

    def misses(self, wanted: Sequence[Wish]) -> tuple[float, ...]:
        """How far it is from each wish."""
        return tuple(wish.measure_miss(self.measures[wish.measure].value) for wish in wanted)


class ChangeEffect(NamedTuple):
    """What one change does to the measure of a wish (`causes.shares`)."""

    change: Change
    wish: Wish
    effect: Estimate


class ConfirmedSetting(NamedTuple):
    """A confirmed setting: the measures by player, significant losses against the designer's rules, what each of several changes
    does, and what the game is no longer about (`_turned`)."""

    setting: Setting
    measures: dict[str, dict[str, Estimate]]
    worse: list[Difference]
    parts: list[ChangeEffect] = []
    turned: list[Text] = []

    def worst(self, wish: Wish) -> Estimate:
        """The measure of the player that is furthest from a wish."""
        known = [each[wish.measure] for each in self.measures.values() if each[wish.measure].games]
        return max(known, key=lambda each: wish.measure_miss(each.value), default=NOTHING)

    def state(self, wish: Wish) -> State:
        """Met or missed beyond doubt by every player, or open."""
        states = {wish.state(each[wish.measure]) for each in self.measures.values() if each[wish.measure].games}
        return "missed" if "missed" in states else "met" if states == {"met"} else "open"

    def judge_all(self, wanted: Sequence[Wish]) -> State:
        """All wishes met beyond doubt, one missed beyond doubt, or open."""
        states = {self.state(wish) for wish in wanted}
        return "missed" if "missed" in states else "open" if "open" in states else "met"

    def meets(self, wanted: Sequence[Wish]) -> bool:
        """Every player's numbers meet every wish, though their intervals may reach beyond."""
        return all(wish.measure_miss(self.worst(wish).value) == 0 for wish in wanted)


class SearchAnswer(NamedTuple):
    """proposals: the front, best first. base: the designer's rules. causes: features of homes that go with wins on drawn boards,
    if the designer's rules favour a seat. obstacles: wishes that stand in the way, if none meets all.

    tried: number of settings; games: number of games played for the search and the confirmation.
    """

    wanted: tuple[Wish, ...]
    base: ConfirmedSetting
    causes: list[Slope]
    proposals: list[ConfirmedSetting]
    obstacles: list[Wish]
    tried: int
    games: int


class SearchProgress(NamedTuple):
    """How far a search is: its stage, settings in it, games done and wanted so far, and settings whose games are all done."""

    stage: Stage
    settings: int
    done: int
    wanted: int
    finished: int = 0


class SettingSearch:
    """One search. folder: where games are stored; executor: plays parts. Errors: OptionError for players that cannot play."""

    def __init__(
        self, request: SearchRequest, base: Game, wanted: tuple[Wish, ...], allowed: Sequence[Change], folder: Path | None,
        executor: Executor, report: Callable[[SearchProgress], None] = lambda progress: None,
    ) -> None:  # fmt: skip
        self.request, self.base, self.wanted, self.allowed = request, base, wanted, allowed
        self.folder, self.executor, self.report = folder, executor, report
        for player in request.players:
            check_player_name(base, player)
        if request.deepest < 1 or not request.players:
            raise OptionError("lab:error.plan_needs_house_rules_players", "--players")
        self._runs: dict[str, Results] = {}
        self._shorter: dict[str, Results] = {}

    def answer(self) -> SearchAnswer:
        """Search, confirm and compare. If the executor raises, the next call continues there."""
        self._shorter.clear()
        pool = self._searched()
        best = [each.setting for each in self._front(pool)]
        base, *confirmed = self._confirmed([Setting(), *(each for each in best if each.changes)])
        keys = [self._objectives(each) for each in [base, *confirmed]]
        front = [each for each, key in zip(confirmed, keys[1:], strict=True) if not any(_beats(other, key) for other in keys)]
        unlike = {each.setting.options: each for each in sorted(front, key=self._order, reverse=True)}  # the best values of each
        proposals = sorted(unlike.values(), key=self._order)
        meets = any(each.meets(self.wanted) for each in [base, *proposals])
        obstacles = [] if meets else self._obstacles(pool, [base, *confirmed])
        if not meets:  # the best tries, also those that cost as much as they give
            others = [each for each in sorted(confirmed, key=self._order) if each not in proposals]
            proposals = sorted([*proposals, *others[: max(0, NEAREST - len(proposals))]], key=self._order)
        proposals = [each._replace(parts=self._parts(each.setting, base)) for each in proposals[:PROPOSALS]]
        return SearchAnswer(
            self.wanted,
            base,
            self._causes(base),
            proposals,
            obstacles,
            len(pool),
            sum(results.wanted for results in self._shorter.values()),
        )

    def _objectives(self, each: ConfirmedSetting) -> tuple[float, ...]:
        """What shall be small: the distance from each wish, and the changes."""
        return (*(wish.measure_miss(each.worst(wish).value) for wish in self.wanted), float(len(each.setting.changes)))

    def _order(self, each: ConfirmedSetting) -> tuple[Any, ...]:
        misses = sum(wish.measure_miss(each.worst(wish).value) for wish in self.wanted)
        return not each.meets(self.wanted), misses, each.setting.cost(self.base), each.setting.key()

    # The search

    def _searched(self) -> list[MeasuredSetting]:
        """All settings that were tried, best first, each with the most games that it got."""
        first = [setting for change in self.allowed if (setting := Setting((change,))).make_game(self.base) is not None]
        rounds = 2 + self.request.deepest
        each = self._affordable(len(first) + 1, rounds)
        pool = self._tried([Setting(), *first], each)
        for depth in range(1, self.request.deepest):
            children = self._children(pool, depth)
            if not children:
                break
            pool = self._ranked([*pool, *self._tried(children, each)])
        size = 2 * FINAL
        while size >= FINAL:
            each *= 2
            chosen = self._chosen(pool, size)
            again = self._tried(chosen, each)
            pool = self._ranked([*again, *(found for found in pool if found.setting not in set(chosen))])
            size //= 2
        return pool

    def _affordable(self, settings: int, rounds: int) -> int:
        """Games of each setting in the first round, so that all rounds together keep to the request."""
        rest = (self.request.deepest - 1) * CHILDREN + 2 * FINAL + 2 * FINAL
        fewest = max(2, min(FEWEST, self.request.games // 10))
        return max(fewest, min(MOST_FIRST, self.request.games // (settings + rest)))

    def _chosen(self, pool: Sequence[MeasuredSetting], size: int) -> list[Setting]:
        """The best settings, the best of each number of changes among them, and the designer's rules."""
        ranked = [each.setting for each in pool]
        few = [next((s for s in ranked if len(s.changes) == n), Setting()) for n in range(1, self.request.deepest + 1)]
        return list(dict.fromkeys([Setting(), *few, *ranked]))[:size]

    def _children(self, pool: Sequence[MeasuredSetting], depth: int) -> list[Setting]:
        """The best settings of so many changes, and some by lot, each with one more change: first with the best single ones."""
        lot = random.Random(f"{self.request.seed}:{depth}")
        parents = [each.setting for each in pool if len(each.setting.changes) == depth]
        singles = [each.setting.changes[0] for each in pool if len(each.setting.changes) == 1]
        tried = {each.setting.key() for each in pool}
        best = [(parent, single) for parent in parents[:PARENTS] for single in singles[:PARENTS]]
        others = [(lot.choice(parents), lot.choice(singles)) for _ in range(LUCKY * CHILDREN)] if parents and singles else []
        found: dict[str, Setting] = {}
        for pairs, most in ((best, CHILDREN - LUCKY), (others, CHILDREN)):
            for parent, single in pairs:
                child = parent.plus(single)
                if (
                    len(found) < most
                    and child is not None
                    and child.key() not in tried | found.keys()
                    and child.make_game(self.base)
                ):
                    found[child.key()] = child
        return list(found.values())

    def _tried(self, settings: Sequence[Setting], games: int) -> list[MeasuredSetting]:
        """The measures of the first player, best first."""
        player = self.request.players[:1]
        runs = self._played([self._plan(setting, player, games, self.request.seed) for setting in settings], "search")
        found = [
            MeasuredSetting(setting, self._measures(results, *player)) for setting, results in zip(settings, runs, strict=True)
        ]
        return self._ranked(found)

    def _ranked(self, found: Iterable[MeasuredSetting]) -> list[MeasuredSetting]:
        """The better the less: distance from all wishes, then changes."""
        return sorted(found, key=lambda each: (sum(each.misses(self.wanted)), each.setting.cost(self.base), each.setting.key()))

    def _front(self, pool: Sequence[MeasuredSetting]) -> list[MeasuredSetting]:
        """The settings to confirm: those that none beats in every wish and in changes, of the last round."""
        last = [each for each in pool if len(each.setting.changes)]
        unlike = list({each.setting.options: each for each in reversed(last)}.values())  # the best values of each
        keys = [(*each.misses(self.wanted), float(len(each.setting.changes))) for each in unlike]
        front = [each for each, key in zip(unlike, keys, strict=True) if not any(_beats(other, key) for other in keys)]
        chosen = self._ranked(front)[:PROPOSALS]
        kinds = {each.setting.options for each in chosen}
        more = [each for each in last if each.setting.options in kinds and each not in chosen]  # other players may need them
        return [*chosen, *more[: PROPOSALS - len(chosen)]]

    def _obstacles(self, pool: Sequence[MeasuredSetting], confirmed: Sequence[ConfirmedSetting]) -> list[Wish]:
        """The wishes that no setting meets; if there are none, those without which some setting meets all others.

        Fresh games count before those of the search; a setting that met all wishes in few games of the search met them by luck.
        """
        hits = [[wish.measure_miss(each.worst(wish).value) == 0 for wish in self.wanted] for each in confirmed]
        known = {each.setting.key() for each in confirmed}
        tried = [[miss == 0 for miss in each.misses(self.wanted)] for each in pool if each.setting.key() not in known]
        hits += [each for each in tried if not all(each)]
        single = [i for i in range(len(self.wanted)) if any(all(hit for j, hit in enumerate(each) if j != i) for each in hits)]
        alone = [i for i in range(len(self.wanted)) if not any(each[i] for each in hits)]
        return [self.wanted[i] for i in alone or single or range(len(self.wanted))]

    # Causes

    def _parts(self, setting: Setting, base: ConfirmedSetting) -> list[ChangeEffect]:
        """What each of several changes does to the wish that the designer's rules miss most."""
        count = len(setting.changes)
        wish = max(self.wanted, key=lambda wish: wish.measure_miss(base.worst(wish).value))
        if count < 2 or wish.measure in ("skill", "dead", *wishing.LOOKED):
            return []
        all_ = subsets(count)
        some = [Setting(tuple(setting.changes[i] for i in sorted(each))) for each in all_]
        playable = [each for each in some if each.make_game(self.base) is not None]
        if len(playable) < len(all_):
            return []
        player, seed = self.request.players[:1], self.request.seed + 2_000_000
        runs = self._played([self._plan(each, player, self.request.confirm, seed, True) for each in some], "shares")
        made = dict(zip(all_, runs, strict=True))
        games = {each: run.plan.make_game(0) for each, run in made.items()}

        def measure(each: frozenset[int], rows: Array) -> float:
            return measure_wish(wish.measure, Games(games[each], player[0], rows, rows[:0], rows[:0], self.request.seconds)).value

        found = shares({each: run.rows("games", -1 + len(run.plan.strengths)) for each, run in made.items()}, measure, count)
        return [ChangeEffect(change, wish, effect) for change, effect in zip(setting.changes, found, strict=True)]

    def _causes(self, base: ConfirmedSetting) -> list[Slope]:
        """If a seat is favoured: which feature of homes goes with wins, over boards that the editor draws."""
        wish = next((each for each in self.wanted if each.measure in ("fair", "seats")), None)
        if wish is None or base.state(wish) != "missed":
            return []
        boards = [Setting(), *(Setting((change,)) for change in vary_boards(self.base, self.request.seed))]
        if len(boards) < FEWEST_BOARDS:
            return []
        each = max(FEWEST, self.request.games // (4 * len(boards)))
        runs = self._played([self._plan(one, self.request.players[:1], each, self.request.seed) for one in boards], "boards")
        games = [run.plan.make_game(0) for run in runs]
        won = [wins(game, run.rows("games", 0)) / each for game, run in zip(games, runs, strict=True)]
        homes = [[structure(game).homes[game.sides.index(side)] for side in sorted(set(game.sides))] for game in games]
        features = {
            "distance": [np.array([float(home.distance or 0) for home in board]) for board in homes],
            "ways": [np.array([home.ways for home in board]) for board in homes],
        }
        return [each for each in slopes(features, won) if each.slope.low > 0 or each.slope.high < 0]

    # Games

    def _confirmed(self, settings: Sequence[Setting]) -> list[ConfirmedSetting]:
        """Fresh games of all players, and what became worse against the first setting."""
        players, seed = self.request.players, self.request.seed + 1_000_000
        runs = self._played([self._plan(each, players, self.request.confirm, seed, True) for each in settings], "confirm")
        found = []
        for setting, results in zip(settings, runs, strict=True):
            measures = {player: self._measures(results, player) for player in players}
            worse = self._worse(runs[0], results) if setting.changes else []
            found.append(ConfirmedSetting(setting, measures, worse, turned=self._turned(runs[0], results)))
        return found

    def _turned(self, base: Results, results: Results) -> list[Text]:
        """What the game is no longer about, by the strongest player's games: its goals and homes, how most games end, and kinds
        of actions that went or came."""
        found, both = list[Text](), (base, results)
        one, other = (each.plan.make_game(0) for each in both)
        if one.spec.scene.ways(one).marked != other.spec.scene.ways(other).marked:
            found.append(Phrase("tune.turned.fields"))
        rows = [each.rows("games", len(each.plan.strengths) - 1) for each in both]
        ends = [int(np.bincount(each["reason"]).argmax()) for each in rows]
        if ends[0] != ends[1]:
            names = (reason_of(game, game.spec.rules.REASONS[end][0]) for game, end in zip((one, other), ends, strict=True))
            found.append(phrase("tune.turned.end", **dict(zip(("first", "second"), names, strict=True))))
        did = [_list_usual_kinds(game, each) for game, each in zip((one, other), rows, strict=True)]
        for key, kinds_ in (("tune.turned.gone", did[0][0] - did[1][1]), ("tune.turned.new", did[1][0] - did[0][1])):
            found += [phrase(key, kinds=join_parts([*sorted(kinds_)]))] if kinds_ else []
        return found

    def _worse(self, base: Results, results: Results) -> list[Difference]:
        """What got worse beyond doubt, in pairs of games with the same seeds."""
        found = []
        names = [each.player for each in base.plan.strengths]
        for player in self.request.players:
            both = (each.rows("games", names.index(player)) for each in (base, results))
            found += compare_measures(self.base, player, *both)
        return [each for each in adjust_p_values(found) if each.all < 0.05 and _is_loss(each)]

    def _plan(self, setting: Setting, players: Sequence[str], games: int, seed: int, confirms: bool = False) -> Plan:
        wished = {wish.measure for wish in self.wanted}
        strengths = [Strength(each, _share(each, games, confirms)) for each in players]
        if "dead" in wished and "random" not in players:
            strengths.insert(0, Strength("random", max(FEWEST, round(DUELS * games))))  # decisions are those of the last one
        duels: tuple[Duel, ...] = ()
        if "skill" in wished:
            seated = len(seatings(self.base, ("one", "other")))
            weaker = players[0] if len(players) > 1 else "random" if players[0] != "random" else "greedy"
            strong = players[-1] if len(players) > 1 else players[0]
            if strong == weaker or weaker == "greedy" and strong == "random":
                strong, weaker = "greedy", "random"
            many = _share(strong, games, confirms)
            duels = (Duel(strong, weaker, max(4, round(DUELS * many / seated))),)
        plan = Plan(self.base.spec.id, "", (Arm("setting", setting.rules(self.base)),), tuple(strengths), duels, seed)
        weighed = games if wished & {*wishing.WEIGHED} else WEIGHED if confirms else 0
        looks = max(LOOKS, round(LOOKED * games)) if wished & {*wishing.LOOKED} else 0
        return check_plan(msgspec.structs.replace(plan, weighed=weighed, looks=looks, longest=LONGEST))

    def _measures(self, results: Results, player: str) -> dict[str, Estimate]:
        game, plan = results.plan.make_game(0), results.plan
        players = [each.player for each in plan.strengths]
        which = players.index(player)
        rows, looks = (results.rows(kind, which) for kind in ("games", "looks"))
        random_rows = results.rows("games", players.index("random")) if "random" in players else rows[:0]
        duels = results.rows("duels", 0) if plan.duels else rows[:0]
        games = Games(game, player, rows, random_rows, duels, self.request.seconds, looks)
        return {wish.measure: measure_wish(wish.measure, games) for wish in self.wanted}

    def _played(self, plans: Sequence[Plan], stage: Stage) -> list[Results]:
        """The finished runs of these plans, played together; rows of a shorter run of the same setting are taken over."""
        runs = [self._results(plan) for plan in plans]
        owners = {part: results for results in runs for part in results.missing}
        wanted, done = sum(results.wanted for results in runs), sum(results.rows_made for results in runs)
        left = Counter(results.plan.id for results in owners.values())
        self.report(SearchProgress(stage, len(plans), done, wanted, len(plans) - len(left)))
        for part, rows in self.executor(owners) if owners else ():
            owners[part].keep(part, rows)
            done += part.size
            left[owners[part].plan.id] -= 1
            self.report(SearchProgress(stage, len(plans), done, wanted, len(plans) - sum(each > 0 for each in left.values())))
        for results in runs:
            self._shorter[_key(results.plan)] = results
        return runs

    def _results(self, plan: Plan) -> Results:
        """The run of a plan, with the rows of a shorter one of the same setting."""
        if plan.id not in self._runs:
            self._runs[plan.id] = results = Results(plan, self._folder(plan))
            if (shorter := self._shorter.get(_key(plan))) is not None:
                results.take(shorter)
        return self._runs[plan.id]

    def _folder(self, plan: Plan) -> Path | None:
        if self.folder is None:
            return None
        folder = self.folder / plan.id
        folder.mkdir(parents=True, exist_ok=True)
        return folder


# A rise (1) or a fall (-1) of these measures is a loss.
BAD = {"measure.won": -1, "measure.gap": 1, "measure.leads": -1, "measure.decided": -1, "measure.legal": -1}


def _is_loss(found: Difference) -> bool:
    if found.label.key == "measure.all_decisions":
        return abs(found.change.value) > LONGER * abs(found.first.value)
    return found.change.value * BAD.get(found.label.key, 0) > 0


def _list_usual_kinds(game: Game, rows: Array) -> tuple[set[str], set[str]]:
    """The kinds of actions that are done in USUALLY of the games at least, and those done in RARE of them at least."""
    shares_ = (rows["did"].sum(axis=2) > 0).mean(axis=0)
    named = [*zip(kinds(game).names, shares_.tolist(), strict=True)]
    return {name for name, share in named if share >= USUALLY}, {name for name, share in named if share >= RARE}


def _share(player: str, games: int, confirms: bool) -> int:
    return max(20, round(SHARE * games)) if confirms and player not in QUICK else games


def _key(plan: Plan) -> str:
    """The same for runs of one setting that differ in the number of games only."""
    strengths = tuple(msgspec.structs.replace(each, games=1) for each in plan.strengths)
    duels = tuple(msgspec.structs.replace(each, sets=1) for each in plan.duels)
    return msgspec.structs.replace(plan, strengths=strengths, duels=duels).text


def _beats(one: Sequence[float], other: Sequence[float]) -> bool:
    """At least as good in everything and better in something: numbers to be small."""
    return all(a <= b for a, b in zip(one, other, strict=True)) and tuple(one) != tuple(other)
