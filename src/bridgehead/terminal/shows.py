"""Output of the terminal commands: lists, rulebooks, counts, figures, records."""

from __future__ import annotations

import contextlib
import functools
import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from bridgehead.core import link, registry, remarks, study
from bridgehead.core import options as house
from bridgehead.core import record as records
from bridgehead.core.chance import SeededDealer
from bridgehead.core.descriptions import About, about
from bridgehead.core.errors import OptionError, RecordError, convert_error
from bridgehead.core.game import Game
from bridgehead.core.glance import glance
from bridgehead.core.kernels import kernels
from bridgehead.core.match import Match
from bridgehead.core.phrases import ENGLISH, Phrase, detect_language
from bridgehead.core.position import Position
from bridgehead.core.remarks import path_text
from bridgehead.fairness.receipt import Receipt
from bridgehead.players import list_levels
from bridgehead.terminal.board import text_board
from bridgehead.terminal.words import t

if TYPE_CHECKING:
    from bridgehead.fairness.proof import Observed

LIMIT = 1_000_000  # actions of a random game before it counts as unfinished
PAUSE = 5.0  # seconds between two lines about the progress of an audit
BATCH = 500  # games between two steps of the progress bar


def show_games(as_json: bool, language: str = ENGLISH) -> None:
    """The installed games with their presets and house rules."""
    listing = [
        {
            "id": spec.id, "title": spec.title, "players": about(spec, "en").players, "line": about(spec, "en").line,
            "rules": spec.version,
            "seats": list(spec.seats), "presets": spec.options.PRESETS, "levels": list(list_levels(spec)),
            "options": [info._asdict() for info in house.describe(spec)],
        }
        for spec in registry.specs().values()
    ]  # fmt: skip
    if as_json:
        print(json.dumps(listing, indent=1, default=str))
        return
    for spec in registry.specs().values():
        words = about(spec, language)
        print(f"{spec.id}: {spec.title}, {words.players}. {words.line}")
        print("    " + t("games.levels", language, levels=", ".join(list_levels(spec))))
        for name, preset in spec.options.PRESETS.items():
            print("    " + t("games.preset", language, name=name, title=words.preset(name), rules=json.dumps(preset)))
            if text := words.preset_text(name):
                print(f"        {text}")
        for info in house.describe(spec):
            print(f"    {info.name}={_plain(info.default)}  {words.name(info.name)}. {words.text(info.name, info.description)}")
            shown = [_value(words, info.name, each) for each in info.values] or [
                words.describe_allowed(info.name, info.allowed, ())
            ]
            print(f"        {', '.join(shown)}{f'; {info.clause}' if info.clause else ''}")


def _value(words: About, option: str, value: Any) -> str:
    """A value as it is typed, and in words where these differ."""
    typed, called = _plain(value), words.value(option, value)
    return typed if called in (typed, str(value)) else f"{typed} ({called})"


def _plain(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def show_rulebook(name: str, clause_id: str, language: str, console: Console) -> None:
    """A game's rulebook, or one clause of it."""
    spec = registry.spec(name)
    book, words = registry.game(name).rulebook, about(spec, language)
    for number, _ in enumerate(() if clause_id else glance(spec), start=1):
        console.print(words.glance_title(number), style="bold", markup=False, highlight=False)
        console.print(words.glance_text(number) + "\n", markup=False, highlight=False)
    for clause in (book[clause_id],) if clause_id else book.clauses:
        console.print(f"[bold]{clause.id}[/bold]  ", end="", highlight=False)
        note = t(f"rules.{clause.status}", language)
        if clause.options:
            titles = ", ".join(f"{about(spec, language).name(each)} ({each})" for each in clause.options)
            note = t("rules.options", language, status=note, options=titles)
        console.print(f"{about(spec, language).clause(clause.id) or clause.text} ({note})", markup=False, highlight=False)
    if not clause_id:
        console.print(t("rules.all", language, title=spec.title, version=spec.version, n=len(book.clauses)), style="dim")


def patiently(what: str, function: Callable[..., Any], *given: Any) -> Any:
    """Run a long compiled function with a progress display; Ctrl-C interrupts at once.

    It runs in a thread, because signals reach Python only between compiled calls.
    """
    future: Future[Any] = Future()

    def work() -> None:
        try:
            future.set_result(function(*given))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    with Console(stderr=True).status(what) if what else contextlib.nullcontext():
        return future.result()


def perft(game: Game, depth: int, text: str, divide: bool, as_json: bool) -> None:
    """Number of action sequences of length `depth`; with `divide`, a count for each first action."""
    start = game.load(text) if text else game.start()
    began = time.perf_counter()
    parts: dict[str, int] = {}
    if divide and depth > 0:
        for name, action in ((start.name(action), action) for action in start.legal):
            parts[name] = patiently(t("progress.below", action=name), count, start.play(action), depth - 1)
        total = sum(parts.values())
    else:
        total = patiently(t("progress.counting"), count, start, depth)
    seconds = time.perf_counter() - began
    if as_json:
        print(json.dumps({"game": game.spec.id, "position": start.text, "depth": depth, "count": total, "divide": parts}))
        return
    for name, number in parts.items():
        print(f"{name}: {number}")
    print(t("perft.total", total=total, depth=depth, seconds=f"{seconds:.2f}"))


def count(position: Position, depth: int) -> int:
    """Perft of one position, compiled."""
    game = position.game
    states = game.new_states(depth + 1)
    states[0] = position.copy_states()[0]
    out = np.empty((depth + 1, game.max_legal), np.int32)
    work = np.zeros((2, depth + 1), np.int64)
    return int(kernels(game.spec).perft(states, game.law, depth, out, work[0], work[1]))


def random_games(game: Game, number: int, seed: int, file: Path | None, as_json: bool) -> None:
    """Play `number` games at random; print endings, lengths and speed."""
    if file is not None:
        file.write_text(records.dump(random_match(game, seed), ["random"] * game.seats), "utf-8")
    began = time.perf_counter()
    lengths, results, reasons, unfinished = [], [], [], 0
    decisions = chances = 0
    with Progress(disable=as_json, transient=True) as progress:
        task = progress.add_task(t("progress.random"), total=number)
        for first in range(0, number, BATCH):
            size = min(BATCH, number - first)
            states, batch_lengths, batch_results, made = patiently("", _batch, game, first, size, seed)
            decisions, chances = decisions + made[0], chances + made[1]
            lengths.append(batch_lengths)
            results.append(batch_results)
            reasons += [game.spec.rules.REASONS[int(r)][0] for r in states["reason"]]
            unfinished += int((states["reason"] == 0).sum())
            progress.advance(task, len(states))
    seconds = time.perf_counter() - began
    length, result = np.concatenate(lengths), np.concatenate(results)
    summary = {
        "game": game.spec.id, "rules": game.spec.version, "options": game.differences, "games": number, "seed": seed,
        "decisions": int(decisions), "chance": int(chances), "unfinished": unfinished,
        "wins": [int((result[:, s] > 0).sum()) for s in range(game.seats)], "nobody": int((result.max(axis=1) <= 0).sum()),
        "reasons": {reason or "unfinished": reasons.count(reason) for reason in sorted(set(reasons))},
        "decisions_a_game": {"min": int(length.min()), "median": float(np.median(length)), "max": int(length.max())},
    }  # fmt: skip
    _tell(game, summary, seconds, as_json)


def random_match(game: Game, seed: int) -> Match:
    """One random game as a match, repeatable by its seed."""
    match, dealer, lot, steps = Match(game), SeededDealer(seed), SeededDealer(f"{seed}:seats"), 0
    while not match.position.is_over and steps < LIMIT:
        position = match.position
        if position.is_chance:
            match.play(dealer.deal(position, match.chances))
        else:
            match.play(lot.pick(position.legal, steps))
        steps += 1
    return match


def _batch(game: Game, first: int, size: int, seed: int) -> tuple[Any, Any, Any, tuple[int, int]]:
    states, lengths = game.new_states(size), np.zeros(size, np.int64)
    results = np.zeros((size, game.seats))
    seeds = np.arange(first, first + size, dtype=np.uint64) * np.uint64(2) + np.uint64(seed * 1_000_003 % 2**64)
    out, skill = np.empty(game.max_legal, np.int32), np.zeros(game.seats, np.int64)
    made = kernels(game.spec).play_games(states, game.law, seeds, LIMIT, skill, out, lengths, results)
    return states, lengths, results, made


def _tell(game: Game, summary: dict[str, Any], seconds: float, as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary))
        return
    games_played, length = summary["games"], summary["decisions_a_game"]
    print(t("random.made", games=games_played, decisions=summary["decisions"], seconds=f"{seconds:.1f}"))
    print(t("random.length", low=length["min"], high=length["max"], median=f"{length['median']:.0f}"))
    for reason, times in summary["reasons"].items():
        called = t("unfinished") if reason == "unfinished" else about(game.spec, detect_language()).reason(reason)
        print(f"  {called}: {times} ({times / games_played:.1%})")
    wins = ", ".join(f"{s + 1}: {w}" for s, w in enumerate(summary["wins"]))
    print("  " + t("random.wins", wins=wins, nobody=summary["nobody"]))


def read_record(record: str) -> str:
    """The text of a record's file, or the link itself. Errors: RecordError."""
    with _about(Path(record)):
        return record if f"#{link.MARK}" in record else Path(record).read_text("utf-8")


def replay(record: str, quiet: bool, at: str, language: str, as_json: bool, console: Console) -> None:
    """Check a record (a file or a link) and print it, turn by turn, with its comments and variations.

    at: a place in it (`core.remarks`); then print the way there, its board, and where it goes on.
    """
    text = read_record(record)
    file = Path("link" if text == record else record)
    with _about(file):
        match, names = link.read(text)
    path = study.read_path(at) if at else (len(match.log),)
    here = study.position_at(match, path)
    if as_json:
        found: dict[str, object] = {"game": match.game.spec.id, "actions": len(match.log)}
        found |= {"result": records.result(match), "seats": names}
        if at:
            found |= {"at": at, "position": here.text, "comment": study.remark_at(match, path).comment}
            found["next"] = {path_text(each): _action_name(match, path, each) for each in study.next_paths(match, path)}
        print(json.dumps(found))
        return
    if not quiet:
        for line in _way(match, path, language) if at else _whole(match, language):
            console.print(line, markup=False, highlight=False)
        console.print(text_board(here, language))
        for each in study.next_paths(match, path) if at else ():
            sentence = here.sentence(study.actions_to(match, each)[-1], language)
            console.print(t("replay.next", language, path=path_text(each), sentence=sentence), markup=False, highlight=False)
    params = {"file": file, "title": match.game.spec.title, "n": len(match.log), "result": records.result(match)}
    console.print(t("replay.sound", language, **params), markup=False)
    today = registry.spec(match.game.spec.id).version
    if match.game.spec.version != today:
        console.print(t("replay.older", language, version=match.game.spec.version, today=today), markup=False)


def _action_name(match: Match, path: remarks.Path, after: remarks.Path) -> str:
    return study.position_at(match, path).name(study.actions_to(match, after)[-1])


def _whole(match: Match, language: str) -> Iterator[str]:
    """All turns of a match; its remarks stand indented below the action after which they are made, with their paths."""
    steps = [(entry.turn, match.positions[i].sentence(entry.action, language)) for i, entry in enumerate(match.log)]
    yield from _told(steps, match.remarks, (), match.positions.__getitem__, language)


def _told(
    steps: Sequence[tuple[int, str]],
    said: remarks.Remarks,
    start: remarks.Path,
    reached: Callable[[int], Position],
    language: str,
) -> Iterator[str]:
    """The turns of a line of play, and the remarks between them. start: its path, without the number of its actions."""
    texts: list[str] = []
    for i in range(len(steps) + 1):
        turn = steps[i][0] if i < len(steps) else -1
        if texts and (i in said or turn != steps[i - 1][0]):
            yield f"{steps[i - 1][0] + 1:4}  {' '.join(texts)}"
            texts = []
        if i in said:
            yield from _remarked(said[i], (*start, i), reached(i), language)
        if i < len(steps):
            texts.append(steps[i][1])


def _remarked(remark: remarks.Remark, path: remarks.Path, position: Position, language: str) -> Iterator[str]:
    """A remark: its comment, its arrows and circles, and its variations."""
    yield from (f"      > {line}" for line in remark.comment.splitlines())
    for each in remark.shapes:
        start, end = each.start.partition(":")[2], each.end.partition(":")[2]
        yield f"      @{each.colour} {start}" if start == end else f"      @{each.colour} {start} {end}"
    for number, variation in enumerate(remark.variations):
        yield f"      ({path_text((*path, number))}"
        positions, steps = [position], []
        for action in variation.actions:
            steps.append((positions[-1].turn, positions[-1].sentence(action, language)))
            positions.append(positions[-1].after(action))
        told = _told(steps, variation.remarks, (*path, number), positions.__getitem__, language)
        yield from (f"      {line}" for line in told)
        yield "      )"


def _way(match: Match, path: remarks.Path, language: str) -> Iterator[str]:
    """The turns that lead to a place, and the remark on it."""
    position, steps = match.positions[0], []
    for action in study.actions_to(match, path):
        steps.append((position.turn, position.sentence(action, language)))
        position = position.after(action)
    here = study.remark_at(match, path)
    shown = remarks.Remark(here.comment, here.shapes)
    yield from _told(steps, {len(steps): shown}, (), lambda _: position, language)


def verify_proofs(files: Sequence[Path], known: Sequence[str], as_json: bool) -> bool:
    """Check a proof of chance, or a client's file, and print each finding: holds, open or broken. True if none is broken.

    Further files are held against the first, and all of them against one another. known: options, see `cli.verify`.
    """
    from bridgehead.fairness import proof, proof_bgf1, receipt, statements
    from bridgehead.fairness.findings import make_finding, verdict

    held: list[proof.Proof | proof_bgf1.Proof | statements.Kept] = []
    for file in files:
        with _about(file):
            data = file.read_bytes()
            if receipt.is_one(data):
                return verify_receipt(file, functools.partial(_distrusted, _known(known).key))
            held.append(statements.read(data) if statements.is_kept(data) else proof.read(data))
    kept = [each for each in held if isinstance(each, statements.Kept)]
    signed = [pair for each in kept for pair in statements.of_kept(each)]
    findings: list[proof.Finding] = []
    for file, each in zip(files, held, strict=True):
        if isinstance(each, statements.Kept):
            findings += [make_finding("broken", "alarm", text=alarm.text) for alarm in each.alarms]
            continue
        with _about(file):
            findings += proof.verify(each, _known(known)._replace(kept=kept))
        signed += proof.statements(each) if isinstance(each, proof.Proof) else ()
    for pair in statements.contradictions(signed):
        findings.append(make_finding("broken", f"two_{pair.first.kind}", number=pair.first.number, server=pair.server))
    if not findings:
        findings.append(make_finding("open", "no_contradiction", statements=len(signed)))
    worst = verdict(findings)
    if as_json:
        made = [{"verdict": finding.verdict, "what": finding.what} for finding in findings]
        print(json.dumps({"verdict": worst, "findings": made}))
    else:
        width = max(len(t(f"verdict.{each}")) for each in ("holds", "open", "broken")) + 1
        for finding in findings:
            print(f"{t(f'verdict.{finding.verdict}'):{width}} {t('plain', text=finding.phrase)}")
        print(f"{', '.join(map(str, files))}: {t(f'proof.{worst}')}")
    return worst != "broken"


def _known(options: Sequence[str]) -> Observed:
    """What the options of `verify` name: "seat-seed:SEAT-SEED", "transcript:T", "head:N:LINK", "key:KEY". Errors: OptionError."""
    from bridgehead.fairness.proof import Observed
    from bridgehead.fairness.statements import SignedHead

    known = Observed()
    for option in options:
        name, _, value = option.lower().partition(":")
        shape = {"seat-seed": r"\d{1,3}-[0-9a-f]{64}", "head": r"\d{1,10}:[0-9a-f]{64}"}.get(name, "[0-9a-f]{64}")
        if not re.fullmatch(shape, value):
            raise OptionError("terminal:error.not_known", f"--{name}", value=value)
        if name == "seat-seed":
            seat, _, seed = value.partition("-")
            known = known._replace(seeds=[*known.seeds, (int(seat), bytes.fromhex(seed))])
        elif name == "head":
            n, _, link = value.partition(":")
            known = known._replace(heads=[*known.heads, SignedHead(int(n), link)])
        elif name == "transcript":
            known = known._replace(transcripts=[*known.transcripts, value])
        else:
            known = known._replace(key=value)
    return known


def _distrusted(key: str, kept: Receipt) -> Phrase | None:
    """Why a receipt proves nothing: its signature is wrong, or its key is not the known one. None if it holds."""
    if not kept.holds:
        return Phrase("receipt.unsigned")
    return None if kept.server == key else Phrase("receipt.unknown")


def audit_progress() -> Callable[[int, int], None]:
    """A function that tells on stderr how far an audit is, every few seconds."""
    told = time.monotonic()

    def tell(tables: int, events: int) -> None:
        nonlocal told
        if time.monotonic() - told >= PAUSE:
            told = time.monotonic()
            print(t("audit.so_far", tables=f"{tables:,}", events=f"{events:,}"), file=sys.stderr, flush=True)

    return tell


def verify_receipt(file: Path, disputed: Callable[[Receipt], Phrase | None]) -> bool:
    """Print whether a receipt holds, and what it is for. disputed: returns why it does not, or None."""
    from bridgehead.fairness import receipt

    with _about(file):
        kept = receipt.read(file.read_bytes())
    wrong = disputed(kept)
    verdict = wrong or Phrase("receipt.holds")
    print(t("receipt.kept", verdict=verdict, file=file, table=kept.table, version=kept.version, server=kept.server))
    return not wrong


@contextlib.contextmanager
def _about(file: Path) -> Iterator[None]:
    """Name the file in errors about its content."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError("terminal:error.cannot_read", str(file), error=error) from None
    except RecordError as error:
        raise RecordError(convert_error(error).whole, str(file)) from None
