"""The views of a table, built from its scene and its sentences for each kind of viewer."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core import options as house
from bridgehead.core.caching import cached_per_game, once
from bridgehead.core.clauses import Refusal
from bridgehead.core.descriptions import about
from bridgehead.core.ending import DRAW, Ending
from bridgehead.core.game import Game, capitalize_sentence
from bridgehead.core.match import Match
from bridgehead.core.measured import ORIGINAL, list_measured_seats, often_has_no_winner
from bridgehead.core.own_boards import headline, list_board_notes
from bridgehead.core.phrases import ENGLISH, Phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Face, Item, MovementTrace, Picture, SeatPanel
from bridgehead.core.spec import CHANCE, Spec
from bridgehead.fairness.seals import Seals
from bridgehead.players import list_levels, usual
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.connection import Viewer
from bridgehead.server.messages import server as messages
from bridgehead.server.messages.boards import PositionPicture
from bridgehead.server.messages.games import GameListing, HouseRule, RuleInForce
from bridgehead.server.messages.tutorials import TutorialFrame
from bridgehead.server.rooms import endings
from bridgehead.server.rooms.recent import PlayedTurn, turns_since
from bridgehead.server.tables import proposal_changes, sealing_view
from bridgehead.server.tables.table import Table

log = logging.getLogger("bridgehead")
PASSES = 50  # actions among which the last move is looked for
RECAPS = 200  # lines of `TableText.recent` that are kept
MARKED = 4  # moves of a turn that are marked on the board


@cached_per_game
def rule_line(game: Game, language: str) -> str:
    """The rules in force, as one line: their name where they have one, else the house rules that differ from the original."""
    words, spec = about(game.spec, language), game.spec
    for name in ("", *spec.options.PRESETS):
        values = house.list_differences(house.build(spec, name, {"seats": game.seats} if "seats" in game.differences else {}))
        if values == game.differences:
            title, what = words.preset(name or ORIGINAL), words.preset_brief(name)
            return WORDS.tell(Phrase("rules.preset", {"title": title, "what": what}), language) if what else title
    rules = ", ".join(f"{each.title}: {each.value}" for each in house_rules(game, language) if each.name != "seats")
    line, notes = WORDS.tell(Phrase("rules", {"what": rules}), language), list_board_notes(game, language)
    return " ".join([f"{line}.", *notes]) if notes else line


class Snapshot:
    """The screen's content for one position and language, computed once for all pages; parts of it are encoded JSON."""

    def __init__(self, position: Position, language: str, names: Mapping[str, str] | None = None) -> None:
        self.position = position
        self._names = names
        self._plates: dict[str, Sequence[SeatPanel]] = {}
        self.language = language
        self.scene = position.game.spec.scene

    @once
    def things(self) -> Sequence[Item]:
        found: Sequence[Item] = self.scene.items(self.position, self.language)
        return found

    @once
    def items(self) -> messages.Encoded[list[Item]]:
        return messages.encode_now(list(self.things))

    def changes(
        self, shown: Sequence[Item] | None
    ) -> tuple[messages.Encoded[list[Item]] | UnsetType, messages.Patch | UnsetType]:
        """The update for a screen that shows these items, or None: all items or a patch; neither if nothing changed."""
        if shown == self.things:
            return UNSET, UNSET
        change = None if shown is None else patch(shown, self.things)
        return (self.items, UNSET) if change is None else (UNSET, change)

    def plates(self, you: str = "") -> Sequence[SeatPanel]:
        """The seat panel, for the reader of a seat."""
        if you not in self._plates:
            self._plates[you] = self.scene.plates(self.position, self.language, self._names, you)
        return self._plates[you]

    @once
    def choices(self) -> messages.Encoded[list[messages.LegalAction]]:
        """The legal actions as a screen offers them."""
        found: Sequence[Choice]
        try:
            found = self.scene.choices(self.position, self.language)
        except Exception:  # some games play a choice to describe its effect; if that fails, the others stay playable
            log.exception("the legal actions could not be described")
            names = [(action, self.position.name(action)) for action in self.position.legal]
            found = [Choice(action, name, name, (f"!{name}",), "button") for action, name in names]
        return messages.encode_now(
            [messages.LegalAction(c.action, c.text, c.label, c.path, c.kind, c.note, c.first, c.confirm, c.ghost) for c in found]
        )

    @once
    def actions(self) -> messages.Encoded[list[messages.LegalAction]]:
        """The legal actions as ids and notation only."""
        name = self.position.game.spec.words.name
        return messages.encode_now([messages.LegalAction(action, name(self.position, action)) for action in self.position.legal])

    @once
    def buttons(self) -> dict[str, str]:
        return dict(self.scene.buttons(self.position, self.language))


@functools.lru_cache(64)
def _picture(game: Game, language: str) -> messages.Encoded[Picture]:
    """A board, drawn once for all tables of this game and language."""
    drawn: Picture = game.spec.scene.picture(game, language)
    return messages.encode_now(drawn)


@functools.lru_cache(64)
def _goal(game: Game, seat: int, language: str) -> messages.Encoded[messages.GoalView]:
    """What a seat has to reach, and the rules in short; seat -1: for watchers, and for people who share a screen."""
    goal = game.words.tell(game.spec.scene.goal(game, seat), language)
    return messages.encode_now(messages.GoalView(goal, about(game.spec, language).in_short))


class TableText:
    """The sentences and the screen of a match in one language. Lines of the log and the present screen are kept.

    names: those that people gave to their seats; called: what each seat is called. A sentence for a reader takes the reader's
    seats: none for a watcher.
    """

    def __init__(self, match: Match, names: Sequence[str], language: str) -> None:
        self.match = match
        self.language = language
        self.stored = list(names)
        self.names = match.game.find_given_names(names)
        self.called = match.game.name_seats(names, language)
        self._lines: dict[str, list[tuple[int, int, str]]] = {}  # action, actor, sentence; by the reader's own seat
        self._recaps: dict[object, messages.RecentTurn] = {}
        self._now = Snapshot(match.position, language, self.names)

    def say(self, phrase: Phrase | str) -> str:
        return self.match.game.words.tell(phrase, self.language, self.names)

    @property
    def present_snapshot(self) -> Snapshot:
        """The present position as the screen shows it."""
        if self._now.position is not self.match.position:
            self.rest()
        return self._now

    def rest(self) -> None:
        """Drop the present screen until it is needed again."""
        self._now = Snapshot(self.match.position, self.language, self.names)

    @once
    def picture(self) -> messages.Encoded[Picture]:
        """The board, which does not change during a match."""
        return _picture(self.match.game, self.language)

    def is_behind(self, seats: Collection[int]) -> bool:
        """Is there enough uncached work to do it in a thread?"""
        return "picture" not in self.__dict__ or len(self.match.log) > len(self._lines.get(self._own(seats), ())) + 50

    def prepare(self, seats: Collection[int]) -> None:
        """Draw the board and build the sentences of the whole log. Call it in a thread, while the table is locked."""
        _ = self.picture
        self.lines(0, seats)

    def _own(self, seats: Collection[int]) -> str:
        return self.match.game.own_key(seats)

    def plates(self, seats: Collection[int]) -> Sequence[SeatPanel]:
        """The seat panel of the present position."""
        return self.present_snapshot.plates(self._own(seats))

    def line(self, index: int, seats: Collection[int] = ()) -> str:
        """The log's sentence for one action; "" for one that only declines something."""
        entry, position = self.match.log[index], self.match.positions[index]
        if not self.match.game.spec.words.is_logged(position, entry.action):
            return ""
        return position.sentence(entry.action, self.language, self.names, seats)

    def lines(self, since: int, seats: Collection[int]) -> list[messages.LogLine]:
        """Lines of the log from `since` on."""
        log, kept = self.match.log, self._lines.setdefault(self._own(seats), [])
        del kept[len(log) :]
        for index in range(min(since, len(kept)), len(log)):
            entry = log[index]
            if index >= len(kept) or kept[index][:2] != (entry.action, entry.actor):
                del kept[index:]
                kept.append((entry.action, entry.actor, self.line(index, seats)))
        return [messages.LogLine(log[i].turn + 1, log[i].actor, kept[i][2]) for i in range(since, len(log))]

    def faces(self) -> messages.Encoded[list[Face]]:
        """The outcomes of chance, for people who roll real dice and draw real cards. One without a drawing names its seat."""
        position, spec = self.match.position, self.match.game.spec
        found = []
        for action in position.legal:
            face: Face = spec.scene.face(position, action, self.language)
            label = face.label if face.parts else self.say(spec.words.say(position, action))
            found.append(msgspec.structs.replace(face, label=label))
        return messages.encode_now(found)

    def own(self, phrase: Phrase) -> str:
        """One of the server's own sentences."""
        return WORDS.tell(phrase, self.language)

    def prompt(self, position: Position, seats: Collection[int] = ()) -> str:
        """The prompt: the seat to act and its task; after the match, the outcome."""
        if self.match.ended and position is self.match.position:
            return _ended(self.match, self.called, self.own)
        return position.tell_prompt(self.language, self.names, seats)

    def goal(self, seats: Collection[int]) -> messages.Encoded[messages.GoalView]:
        """What these seats have to reach, and the rules in short."""
        return _goal(self.match.game, next(iter(seats)) if len(seats) == 1 else -1, self.language)

    def outcome(self, seats: Collection[int]) -> messages.OutcomeView | None:
        """How the game ended; None while it runs."""
        ended = self.match.outcome
        return ended and messages.OutcomeView(
            ended.reason, ended.clause, self.prompt(self.match.position, seats), list(ended.winners)
        )

    def refusal(self, refusal: Refusal, seats: Collection[int]) -> messages.ReasonView:
        """A refusal in this language."""
        text = self.match.game.words.tell(refusal.phrase, self.language, self.names, self._own(seats))
        return messages.ReasonView(capitalize_sentence(text, self.names), refusal.clause, list(refusal.show))

    def last(self, length: int) -> list[str]:
        """The places where the last move began and ended. A pass or the end of a turn moves nothing: what moved before counts."""
        scene = self.match.game.spec.scene
        for index in range(length - 1, max(-1, length - 1 - PASSES), -1):
            if self.match.log[index].actor != CHANCE:
                ends = scene.last(self.match.positions[index], self.match.log[index].action)
                if any(ends):
                    return list(ends)
        return []

    def recent(self, you: frozenset[int], actor: int) -> list[messages.RecentTurn]:
        """The turns of the others since the last turn of these seats.

        At a shared screen, and for spectators: since the last turn of the seat to act.
        """
        mine = frozenset([actor]) if actor >= 0 and (actor in you or not you) else you
        viewer = next(iter(you)) if len(you) == 1 else -1
        return [self._recap(turn, viewer) for turn in turns_since(self.match, mine)]

    def _recap(self, turn: PlayedTurn, viewer: int) -> messages.RecentTurn:
        """One line of `recent`, which stays the same until an action is taken back."""
        actions = tuple(entry.action for entry in self.match.log[turn.first : turn.until])
        key = turn, viewer, actions
        if key not in self._recaps:
            if len(self._recaps) >= RECAPS:
                self._recaps.clear()
            spec, positions = self.match.game.spec, self.match.positions[turn.first : turn.until]
            moves = list(zip(positions, actions, strict=True))
            ends = [spec.scene.last(position, action) for position, action in moves if not position.is_chance]
            text = self.say(spec.words.recap(moves, viewer))
            self._recaps[key] = messages.RecentTurn(*turn, text, _joined_ends(ends)[-MARKED:])
        return self._recaps[key]

    def past(self, first: int, until: int) -> list[messages.PastAction]:
        """The board before the action `first` of the log, and after each one up to `until`."""
        found = []
        for index in range(first, until + 1):
            things = self.match.game.spec.scene.items(self.match.positions[index], self.language)
            sentence, moved = (self.line(index - 1), self.traces(index - 1, index, things)) if index > first else ("", [])
            found.append(messages.PastAction(sentence, list(things), moved, self.last(index)))
        return found

    def traces(self, since: int, until: int, items: Sequence[Item]) -> list[MovementTrace]:
        """What moved in the actions from `since` to `until`, for the items that are still there at the end."""
        scene, there = self.match.game.spec.scene, {item.id for item in items}
        positions, log = self.match.positions, self.match.log
        found = [t for i in range(since, until) for t in scene.traces(positions[i], log[i].action, positions[i + 1])]
        return [trace for trace in found if trace.item in there]


def frame(narrator: TableText, length: int) -> TutorialFrame:
    """The board after `length` actions of a match: items, seats, movements, and the sentence about the last action."""
    match, language, position = narrator.match, narrator.language, narrator.match.positions[length]
    scene = match.game.spec.scene
    items = scene.items(position, language)
    return TutorialFrame(
        items=items, plates=scene.plates(position, language),
        actor=match.actor if position is match.position else position.actor, last=narrator.last(length),
        traces=narrator.traces(length - 1, length, items) if length else [],
        sentence=narrator.line(length - 1) if length else "",
    )  # fmt: skip


def _joined_ends(moves: Sequence[tuple[str, str]]) -> list[list[str]]:
    """The ends of moves. Those of one that begins where another ended are joined: a piece that moved twice."""
    found: list[list[str]] = []
    for start, end in moves:
        before = next((each for each in found if start and each[1] == start), None)
        if before is not None:
            before[1] = end
        elif start or end:
            found.append([start, end])
    return found


class News(Enum):
    """Why a view is sent: the page has none yet, the table has changed, or somebody came or left."""

    FRESH = 0
    CHANGE = 1
    PRESENCE = 2


def patch(before: Sequence[Item], after: Sequence[Item]) -> messages.Patch | None:
    """The patch from one list of items to another; None if many items changed or the others have another order.

    To apply it, remove the items in `gone` and `put`, then insert each item of `put` at its index, first to last.
    """
    most, first = min(len(before), len(after)), 0
    while first < most and before[first] is after[first]:  # most items are kept objects, at the same place as before
        first += 1
    last = 0
    while last < most - first and before[-1 - last] is after[-1 - last]:
        last += 1
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    gone = {item.id: item for item in old}
    put = [(i, item) for i, item in enumerate(new, first) if (was := gone.pop(item.id, None)) is not item and was != item]
    changed = {item.id for _, item in put}
    stayed = [item.id for item in old if item.id not in changed and item.id not in gone]
    if 2 * len(put) > len(after) or stayed != [item.id for item in new if item.id not in changed]:
        return None
    return messages.Patch(list(gone), put)


def view(
    table: Table, narrator: TableText, viewer: Viewer, here: frozenset[int], news: News, shown: Sequence[Item] | None = None
) -> bytes:
    """The encoded view for all viewers of a kind: the whole table, or the changes since their last view.

    shown: the items on their screens, for a patch instead of all items.
    """
    now, length, you, actor, brief = narrator.present_snapshot, len(table.match.log), viewer.you, table.actor, viewer.brief
    language = narrator.language
    change, fresh, is_theirs = news is News.CHANGE, news is News.FRESH, actor in viewer.you and not table.stopped
    log_from = table.unchanged_log_length if change else 0 if fresh else length
    items, changed = now.changes(shown)
    made = messages.View(
        v=table.version, since=table.since if change else table.version, moved=table.last_move_version,
        table=table.id, game=table.game.spec.id, title=headline(table.game), names=table.names,
        you=sorted(you), seats=seats(table, narrator, you, brief, here), actor=actor,
        thinking=bool(table.computer()), items=items, patch=changed,
        rules="" if brief else rule_line(table.game, narrator.language),
        prompt="" if brief else sealing_view.waits(table, WORDS, language, you, here) or narrator.prompt(now.position, you),
        log=[] if brief else narrator.lines(log_from, you), last=[] if brief else narrator.last(length),
        traces=narrator.traces(table.unchanged_log_length, length, now.things) if change and not brief else [],
        undo=is_theirs and table.match.undo_point() is not None, outcome=narrator.outcome(you),
        may=proposal_changes.may(table, you) if you else UNSET, ask=_proposal(table, narrator),
        paused=narrator.own(_pause(table)) if table.stopped else UNSET,
        clock=table.clock_view(), mark=table.mark(table.version),
    )  # fmt: skip
    _add_rest(made, table, narrator, viewer, news)
    return msgspec.json.encode(made)


def _pause(table: Table) -> Phrase:
    """The sentence why nobody may act now."""
    if table.damage is not None:
        return Phrase("paused.damaged", table.damage.params)
    return Phrase("paused.host" if table.frozen_by_host else "paused.mistake" if table.rules_failed else "paused")


def _add_rest(made: messages.View, table: Table, narrator: TableText, viewer: Viewer, news: News) -> None:
    """Add the parts that not every view has."""
    now, you, actor, brief = narrator.present_snapshot, viewer.you, table.actor, viewer.brief
    change, fresh = news is News.CHANGE, news is News.FRESH
    log = table.match.log
    log_from = table.unchanged_log_length if change else 0 if fresh else len(log)
    if fresh:
        made.picture = narrator.picture
        if not brief:
            made.goal = narrator.goal(you)
    else:
        made.logFrom = log_from
    if isinstance(table.dealer, Seals):
        made.actions = [entry.action for entry in log[log_from:]]
    if fresh or (change and table.sealed > table.since):
        made.sealed = sealing_view.view(table, WORDS, narrator.language)
    if (fresh or change) and (draws := sealing_view.draws(table, None if fresh else table.unchanged_log_length)):
        made.draws = draws
    if (fresh or change) and not (brief or viewer.plain):
        made.recent = narrator.recent(you, actor)
    if not brief and (ending := endings.describe_end(table.match, narrator.called, you, narrator.own, narrator.say)):
        made.ending = ending
    if table.preparing:
        made.preparing = True
    if table.hints:
        made.hints = True
    if not brief and now.buttons:
        made.buttons = now.buttons
    if actor in you and not table.stopped:
        made.choices = now.actions if viewer.plain or brief else now.choices
    if CHANCE in table.actors(you, viewer.host):
        if actor == CHANCE and not table.stopped:
            made.faces = narrator.faces()
        if table.mistyped is not None:
            made.mistyped = True


def _proposal(table: Table, narrator: TableText) -> messages.ProposalView | UnsetType:
    """The last proposal, until the match moves on."""
    asked = table.proposals.last
    if asked is None:
        return UNSET
    is_open = table.proposals.open is not None
    need = sorted(asked.need - asked.agreed) if is_open else []
    return messages.ProposalView(
        asked.version, asked.what, asked.actor, sorted(asked.seats), is_open, need, _asked(table, narrator)
    )


def _asked(table: Table, narrator: TableText) -> str:
    """The sentence for a proposal, or for its result."""
    asked, names, say = table.proposals.last, narrator.called, narrator.own
    assert asked is not None
    params: dict[str, object] = {"who": names[asked.actor], "by": names[max(asked.by, 0)]}
    if asked.state == "open":
        back = table.match.log[asked.to :] if asked.what == "takeback" else []
        text = say(Phrase(f"ask.{asked.what}", {**params, "turn": back[0].turn + 1} if back else params))
        return f"{text} {say(Phrase('ask.chance'))}" if any(entry.actor == CHANCE for entry in back) else text
    what = Phrase(f"thing.{asked.what}", params)
    return say(Phrase(f"asked.{asked.state}", {**params, "what": what}))


def _ended(match: Match, names: list[str], say: Callable[[Phrase], str]) -> str:
    """The sentence for an end that did not come from the game's rules."""
    assert match.ended is not None and match.outcome is not None
    ending: Ending = match.ended
    if not ending.seats:
        return say(Phrase("ended.draw" if ending.how == DRAW else "ended.closed"))
    lost = say(Phrase(f"ended.{ending.how}", {"who": say(Phrase("and")).join(names[seat] for seat in ending.seats)}))
    winners = [names[seat] for seat in match.outcome.winners]
    if not winners:
        return lost
    others = say(Phrase("and")).join(winners)
    return f"{lost} " + say(Phrase("wins", {"who": others, "n": len(winners)}))


def seats(table: Table, narrator: TableText, you: Collection[int], brief: bool, here: frozenset[int]) -> list[messages.SeatView]:
    """The strip of seats: each seat's player and presence, and, if not brief, the game's lines about it."""
    plates = _bare(table.game.spec, len(table.seats)) if brief else narrator.plates(you)
    return [
        messages.SeatView(
            name, plate.letter, plate.name, plate.seat, seat.kind, seat.level, seat.kind == "computer" or index in here,
            plate.lines, True if index in table.late else UNSET,
        )
        for index, (name, seat, plate) in enumerate(zip(narrator.called, table.seats, plates, strict=True))
    ]  # fmt: skip


@functools.cache
def _bare(spec: Spec, number: int) -> list[SeatPanel]:
    """Plates with the letters of the seats only."""
    letters = [spec.seat_letter(index) for index in range(number)]
    return [SeatPanel(letter, letter.upper(), "") for letter in letters]


def why(position: Position, narrator: TableText, touch: tuple[str, ...], seats: Collection[int]) -> messages.ReasonView:
    """The reason why these ids cannot be touched in a position, in this order. seats: of the person who touches."""
    running, acts = not position.is_over and not position.is_chance, position.actor in seats
    action = position.game.spec.scene.find_touched_action(position, touch) if running and acts else None
    refusal = None if action is None else position.explain(action)
    if refusal is not None:
        reason = narrator.refusal(refusal, seats)
    else:
        prompt = narrator.prompt(position, seats)
        untouchable = narrator.own(Phrase("why.none", {"prompt": prompt})) if running and acts else prompt
        reason = messages.ReasonView(untouchable, "", [])
    whose = _whose(position, narrator, touch, seats)
    if whose and whose[0] not in reason.text:
        reason.text = f"{whose[1]}. {reason.text}"
    return reason


def _whose(position: Position, narrator: TableText, touch: tuple[str, ...], seats: Collection[int]) -> tuple[str, str] | None:
    """The owner and the label of a touched piece that belongs to somebody else."""
    scene, language = position.game.spec.scene, narrator.language
    piece = next((each for each in scene.items(position, language) if each.id in touch[-1:]), None)
    if piece is None or "piece" not in piece.cls.split() or not piece.label:
        return None
    own = {position.actor} if len(seats) != 1 else seats
    for seat, plate in enumerate(scene.plates(position, language)):
        if plate.seat == piece.seat and seat not in own:
            owner = narrator.called[seat]
            return owner, piece.label if owner in piece.label else f"{owner}: {piece.label}"
    return None


def first_picture(game: Game, language: str) -> bytes:
    """Picture, items and seat panels of the first position."""
    scene = game.spec.scene
    start = game.start()
    notes = list_board_notes(game, language)
    shown = PositionPicture(scene.picture(game, language), scene.items(start, language), scene.plates(start, language), notes)
    return msgspec.json.encode(shown)


@functools.cache
def listing(spec: Spec) -> GameListing:
    """A game as the pages show it: seats, presets, house rules, levels."""
    en = about(spec, ENGLISH)
    return GameListing(
        id=spec.id, title=spec.title, players=en.players, line=en.line, version=spec.version,
        livery=spec.livery, seats=list(spec.seats), presets={name: dict(values) for name, values in spec.options.PRESETS.items()},
        recommended=house.find_recommended_preset(spec),
        recommended_seats=list_measured_seats(spec, house.find_recommended_preset(spec)), levels=list(list_levels(spec)),
        usual=usual(spec), editor=spec.is_editable,
        options=[HouseRule(*info) for info in house.describe(spec)],
    )  # fmt: skip


def listings(games: Iterable[Spec]) -> list[GameListing]:
    """Games as the pages show them."""
    return [listing(spec) for spec in games]


def is_recommended_beside(game: Game) -> bool:
    """Whether these are the original rules, with a number of seats for which the recommended preset was measured."""
    measured = list_measured_seats(game.spec, house.find_recommended_preset(game.spec))
    return {*game.differences} <= {"seats"} and game.seats in measured


def offer_recommended(game: Game, language: str) -> str:
    """Words for another game by the recommended rules, where games by these often have no winner; else ""."""
    offers = often_has_no_winner(game.spec) and is_recommended_beside(game)
    return about(game.spec, language).again_recommended if offers else ""


def rule_sections(spec: Spec) -> list[dict[str, object]]:
    """The rulebook by sections, for the rules page."""
    sections: dict[str, list[Any]] = {}
    for clause in spec.rulebook.clauses:
        sections.setdefault(clause.section, []).append(clause)
    return [{"title": title, "clauses": clauses} for title, clauses in sections.items()]


def house_rules(game: Game, language: str) -> list[RuleInForce]:
    """The house rules of a game that differ from the rules as written, in words; not what is hidden."""
    words, infos = about(game.spec, language), {info.name: info for info in house.describe(game.spec)}
    differ = game.differences | dict.fromkeys(house.find_hidden_options(game.options) & {*game.differences}, "…")
    return [
        RuleInForce(
            name, words.name(name), words.short(name, value), words.text(name, infos[name].description),
            words.short(name, infos[name].default), infos[name].clause, words.clause(infos[name].clause),
        )
        for name, value in differ.items()
    ]  # fmt: skip
