"""Client of the server's protocol (docs/lookup/protocol.md) for bots and tests.

```python
with Host("http://127.0.0.1:8000").create("barricade", seats=[PERSON, computer("greedy")]) as table:
    while table.view["outcome"] is None:
        table.wait_for_turn()
        table.play(table.choices[0]["action"])
```
"""

from __future__ import annotations

import json
import logging
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from bridgehead.core.errors import BridgeheadError, RecordError
from bridgehead.core.phrases import plain
from bridgehead.fairness import receipt as receipts
from bridgehead.fairness.findings import Finding
from bridgehead.fairness.party import Party
from bridgehead.fairness.receipt import Receipt
from bridgehead.fairness.statements import SignedHead

View = dict[str, Any]
log = logging.getLogger("bridgehead")
PERSON = {"kind": "person"}
HEADS = 200  # heads of a server's list that are kept
PAUSES = (0.0, 0.5, 1.0, 2.0)  # seconds before each request for the proof of a finished game
RETRIES = 6  # attempts to reconnect, with pauses of 0.25, 0.5, 1 ... seconds


class Pin(msgspec.Struct):
    """What is kept of a server: its key, and signed heads of its public list."""

    key: str
    heads: list[SignedHead] = []


class Rejected(BridgeheadError):
    """The table refused a change; nothing has changed. code: see docs/lookup/protocol.md; clause: of the rulebook, or ""."""

    def __init__(self, code: str, text: str, clause: str) -> None:
        super().__init__(plain(text))
        self.code, self.clause = code, clause


class Unreachable(BridgeheadError):
    """The server does not answer."""


class Dismissed(BridgeheadError):
    """The server has closed the connection: no such table, a wrong token, too many messages."""


def computer(level: str) -> dict[str, str]:
    """A seat for a computer player."""
    return {"kind": "computer", "level": level}


class Host:
    """A server. url: like http://127.0.0.1:8000; timeout: seconds to wait for an answer.

    key: the server's public key, hex; "" to pin the one of the first visit. keep: a folder for the pinned keys, the heads of
    the server's list, and what was seen of each table, for later visits and for `bridgehead verify`; without it they last as
    long as this object. A file of evidence goes there, or else into the current folder.
    """

    def __init__(self, url: str, timeout: float = 20.0, key: str = "", keep: Path | None = None) -> None:
        self.url, self.timeout, self.keep = url.rstrip("/"), timeout, keep
        self.key, self.heads = key, dict[int, SignedHead]()
        pins = keep / "servers.json" if keep else None
        if pins is not None and pins.exists():
            known = msgspec.json.decode(pins.read_bytes(), type=dict[str, Pin]).get(self.url)
            if known is not None:
                self.key, self.heads = key or known.key, {head.n: head for head in known.heads}

    def games(self) -> list[dict[str, Any]]:
        """The installed games with their seats, presets and house rules."""
        games: list[dict[str, Any]] = self._ask("/api/games")["games"]
        return games

    def create(self, game: str, seats: Sequence[dict[str, Any]] = (), **wish: Any) -> Seated:
        """Create a table and join it in all seats for persons, except open ones. wish: `preset`, `options`, `seed`.

        Errors: BridgeheadError with the place from the server's answer; Unreachable.
        """
        made = self._ask("/api/tables", {"game": game, "seats": list(seats), **wish})
        given = zip(made["tokens"], seats or [PERSON] * len(made["tokens"]), strict=True)
        tokens = [token for token, seat in given if token and not seat.get("open")]
        return self.join(made["table"], tokens, level=wish.get("level", 0))

    def join(
        self, table: str, tokens: Sequence[str] = (), language: str = "en", plain: bool = True, level: int = 0
    ) -> Seated:  # fmt: skip
        """Join a table, named by its id or code, with the tokens of seats, or watch it with none.

        plain: choices as ids and notation, without sentences; level: the level of sealed chance that the table must have, 0 for
        any.
        """
        return Seated(self, table, list(tokens), language, plain, level)

    def lobby(self) -> list[dict[str, Any]]:
        """The tables in the lobby, newest first, with their seats."""
        tables: list[dict[str, Any]] = self._ask("/api/lobby")["tables"]
        return tables

    def receipt(self, table: str) -> Receipt:
        """The server's signature of a table's log in its present state. Keep it as evidence.

        Errors: RecordError for a wrong signature.
        """
        receipt = receipts.read(self._open(f"/api/tables/{table}/receipt"))
        if not receipt.holds or receipt.table != table or receipt.server != (self.key or receipt.server):
            raise RecordError("error.receipt_s_signature_does_not", table)
        self.pin(receipt.server)
        return receipt

    def pin(self, key: str, heads: Iterable[SignedHead] = ()) -> None:
        """Keep the server's key of the first visit, and the heads of its list."""
        self.key = self.key or key
        self.heads |= {head.n: head for head in heads if head.n not in self.heads}
        if self.keep is None:
            return
        self.keep.mkdir(parents=True, exist_ok=True)
        pins = self.keep / "servers.json"
        known = msgspec.json.decode(pins.read_bytes(), type=dict[str, Pin]) if pins.exists() else {}
        known[self.url] = Pin(self.key, [self.heads[n] for n in sorted(self.heads)[-HEADS:]])
        _replace(pins, msgspec.json.encode(known))

    def proof(self, table: str) -> bytes:
        """The proof of a table's chance so far (JSON). Errors: BridgeheadError if there is none now."""
        return self._open(f"/api/tables/{table}/proof")

    def record(self, table: str) -> str:
        """The record of a table so far."""
        return self._open(f"/api/tables/{table}/record").decode()

    def open_tournament(self, game: str, name: str, **wish: Any) -> dict[str, Any]:
        """Create a tournament; its `id`, and `host`, the token of its host. wish: `kind`, `size`, `rounds`, `paired` ..."""
        return self._ask("/api/tournaments", {"game": game, "name": name, **wish})

    def tournament(self, tournament: str) -> dict[str, Any]:
        """A tournament with its standings and games."""
        return self._ask(f"/api/tournaments/{tournament}")

    def enter(self, tournament: str, name: str, level: str = "", host: str = "") -> dict[str, Any]:
        """Enter a tournament, or as its host enter a level; the number among the entrants, and the token that plays."""
        return self._ask(f"/api/tournaments/{tournament}/entrants", {"name": name, "level": level, "host": host})

    def change_tournament(self, tournament: str, do: str, host: str, **more: Any) -> dict[str, Any]:
        """As its host, `start`, `decide` a game, let somebody `leave`, or `close` a tournament; the tournament after it."""
        return self._ask(f"/api/tournaments/{tournament}", {"do": do, "host": host, **more})

    def _ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._open(path, None if body is None else json.dumps(body).encode()))
        return answer

    def _open(self, path: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(self.url + path, body, {"Content-Type": "application/json"} if body else {})
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                data: bytes = answer.read()
                return data
        except urllib.error.HTTPError as error:
            raise _problem(error) from None
        except OSError as error:
            raise Unreachable("error.does_not_answer", url=self.url, error=error) from None


class Seated:
    """A client at a table. It reconnects by itself and repeats unconfirmed requests, which the server carries out once.

    view: the newest view, complete; people: the newest message about the people; chat: the lines of the chat. It seals chance
    for its seats by itself and checks every draw as it happens (docs/understand/fairness.md). An alarm is a line in the log
    `bridgehead`, a sentence in `party.alarms`, and a file of evidence; after it, this client contributes to no draw.
    """

    def __init__(
        self, host: Host, table: str, tokens: list[str], language: str = "en", plain: bool = True, level: int = 0
    ) -> None:
        self.host, self.table, self.tokens, self.language, self.plain = host, table, tokens, language, plain
        self.view: View = {}
        self.party = Party(table=table, key=host.key, heads=list(host.heads.values()), level=level, hears=True)
        self._seals: dict[str, dict[str, Any]] = {}  # those that the server has not answered, by their keys
        self._alarms = 0
        self._checked = False
        self.people: dict[str, Any] = {}
        self.chat: list[dict[str, Any]] = []
        self._socket: ClientConnection | None = None
        self._later = 0.0  # seconds after which to reconnect to a server that restarts
        self._join()

    def __enter__(self) -> Seated:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.leave()

    @property
    def choices(self) -> list[dict[str, Any]]:
        """The legal actions, if it is the turn of one of these seats. Plain ones have `action` and `text` only."""
        return list(self.view.get("choices") or ())

    def leave(self) -> None:
        """Close the connection and keep the seats."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            self.save()

    def play(self, action: int | str) -> View:
        """Play an action, given by id or notation. Returns the view after it, once it is stored.

        Errors: Rejected, Unreachable, Dismissed.
        """
        if isinstance(action, str):
            line = self.party.follower if self.plain else None  # what an action is called is not the server's word
            found = [choice["action"] for choice in self.choices if choice["text"] == action]
            found = [each for each in found if line is None or line.position.name(each) == action]
            if not found:
                raise Rejected("illegal", f"{action!r} is not among the legal actions", "")
            action = int(found[0])
        return self._submit({"t": "act", "a": action})

    def undo(self) -> View:
        """Undo the last decision. Errors: Rejected, Unreachable, Dismissed."""
        return self._submit({"t": "undo"})

    def begin(self) -> View:
        """Stop waiting for seats that have not sealed chance: the server seals for them. Errors as `play`."""
        sealed = self.view["sealed"]
        era = sealed["eras"][0]["number"] if sealed["eras"] else 1
        return self._submit({"t": "begin", "gid": sealed.get("gid", "0" * 32), "era": era})

    def ask(self, what: str) -> View:
        """Propose a "takeback", "pause", "resume", "draw" or "resign". Errors: Rejected, Unreachable, Dismissed."""
        return self._submit({"t": "ask", "what": what})

    def answer(self, yes: bool) -> View:
        """Accept or decline the open proposal. Errors: Rejected, Unreachable, Dismissed."""
        return self._submit({"t": "answer", "about": (self.view.get("ask") or {}).get("v", 0), "yes": yes})

    def withdraw(self) -> View:
        """Withdraw the open proposal. Errors: Rejected, Unreachable, Dismissed."""
        return self._submit({"t": "withdraw", "about": (self.view.get("ask") or {}).get("v", 0)})

    def claim(self, seat: int, name: str = "") -> View:
        """Take a free seat. Its token is added to `tokens`.

        Errors: Rejected, Unreachable, Dismissed.
        """
        self._submit({"t": "seat", "seat": seat, "do": "claim", "name": name})
        return self.wait_until(lambda view: seat in view["you"], self.host.timeout)

    def say(self, text: str = "", react: str = "", channel: str = "all") -> None:
        """Send a text or a quick reaction to "all" or to the own "team". Errors: Rejected, Unreachable, Dismissed."""
        self._submit({"t": "say", "text": text, "react": react, "channel": channel})

    def why(self, *things: str) -> dict[str, Any]:
        """The reason why touching these things in this order is not possible now: `text`, `clause`, `show`."""
        key = secrets.token_hex(16)
        return self._exchange({"t": "why", "touch": list(things), "k": key}, lambda answer: answer.get("k") == key)

    def wait_for_turn(self) -> View:
        """Wait for the turn of one of these seats, or for the end of the game."""
        return self.wait_until(lambda view: bool(view.get("choices")) or view["outcome"] is not None)

    def wait_until(self, true: Callable[[View], bool], seconds: float | None = None) -> View:
        """Wait for a view for which `true` returns True. seconds: the time limit; None for no limit.

        Errors: Unreachable, Dismissed, TimeoutError.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while not true(self.view):
            left = None if deadline is None else deadline - time.monotonic()
            try:
                self._receive(left)
            except ConnectionClosed as closed:
                self._return(closed)
        return self.view

    def _submit(self, message: dict[str, Any]) -> View:
        key = secrets.token_hex(16)  # the key stays the same after a reconnect, so the server makes the change once
        seen = {"v": self.view["v"]} if message["t"] in ("act", "undo", "ask") else {}
        answer = self._exchange(
            {**message, "k": key, **seen}, lambda answer: answer.get("k") == key and answer["t"] in ("ack", "rej")
        )
        if answer["t"] == "rej":
            raise Rejected(answer["code"], answer["text"], answer["clause"])
        return self.wait_until(lambda view: bool(view["v"] >= answer["v"]), self.host.timeout)

    def _exchange(self, message: dict[str, Any], is_answer: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            try:
                assert self._socket is not None, "this client has left the table"
                self._socket.send(json.dumps(message))
                while not is_answer(answer := self._receive(self.host.timeout)):
                    pass
                return answer
            except TimeoutError:
                raise Unreachable("error.no_answer_within_s", timeout=f"{self.host.timeout:g}") from None
            except ConnectionClosed as closed:
                self._return(closed)

    def _receive(self, seconds: float | None) -> dict[str, Any]:
        assert self._socket is not None, "this client has left the table"
        message: dict[str, Any] = json.loads(self._socket.recv(seconds))
        if message["t"] == "view":
            self.view, self.table = _merged(self.view, message), message["table"]  # the id, if it joined by the code
            self._watch(message.get("draws", []))
        elif message["t"] in ("ack", "rej") and message.get("k") in self._seals:
            self.party.handle_answer(self._seals.pop(message["k"]), message["t"] == "ack")
            self._watch([])
        elif message["t"] == "people":
            self.people = message
        elif message["t"] == "said":
            self.chat = message["lines"] if message.get("all") else [*self.chat, *message["lines"]]
        elif message["t"] == "link" and message["do"] == "claim" and message["token"] not in self.tokens:
            self.tokens.append(message["token"])
        elif message["t"] == "lag":
            self._socket.send(json.dumps(message))  # echo, to measure the round trip for the clocks
        elif message["t"] == "bye" and message.get("retry"):
            self._later = message["retry"] / 1000
        elif message["t"] == "bye":
            self.leave()
            raise Dismissed(plain(message["text"]), message["code"])
        return message

    def _watch(self, draws: list[dict[str, Any]]) -> None:
        """Check the draws that came with the view, and send what sealed chance asks for."""
        eras = len(self.party.eras)
        answers = self.party.look(self.view, draws)
        if self.party.missed:
            self.check()
            answers += self.party.look(self.view, draws)
        if len(self.party.eras) > eras:  # keep the transcript before a link is revealed for it
            self.host.pin(self.party.key, self.party.heads.values())
            self.save()
        for answer in answers:
            assert self._socket is not None
            key = secrets.token_hex(16)
            if answer["t"] == "seal":
                self._seals[key] = answer
            self._socket.send(json.dumps({**answer, "k": key}))
        self._checked = self._checked and self.view["outcome"] is not None  # a match that was over can go on
        if self.view["outcome"] is not None and not self._checked and self.party.eras:
            self._checked = True
            self.check(is_over=True)
        for alarm in self.party.alarms[self._alarms :]:
            self._alarms += 1
            file = self.save(evidence=True)
            log.error("%s (evidence: %s)", alarm, file)

    def check(self, is_over: bool = False) -> list[Finding]:
        """Fetch the proof of the table's chance so far, and hold it against everything that was seen here.

        is_over: the game is over, so the server owes a complete one; it is asked several times.
        """
        for pause in PAUSES if is_over else (0.0,):
            time.sleep(pause)
            try:
                return self.party.catch_up(self.host.proof(self.table), is_over)
            except BridgeheadError:  # none is given now
                continue
        return self.party.catch_up(None, is_over)

    def save(self, evidence: bool = False) -> Path | None:
        """Write what was seen of sealed chance to a file for `bridgehead verify`, if the host keeps files. It has no secret."""
        folder = self.host.keep or (Path.cwd() if evidence else None)
        if folder is None:
            return None
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{self.table}-{self.party.game_id[:8]}-{'evidence' if evidence else 'kept'}.json"
        _replace(file, msgspec.json.encode(self.party.collect_evidence()))
        return file

    def _join(self) -> None:
        address = self.host.url.replace("http", "ws", 1) + f"/ws?table={self.table}"
        try:
            self._socket = connect(address, open_timeout=self.host.timeout, max_size=None).__enter__()
        except OSError as error:
            raise Unreachable("error.does_not_answer", url=self.host.url, error=error) from None
        hello = {"t": "hello", "p": 1, "table": self.table, "tokens": self.tokens, "lang": self.language, "plain": self.plain}
        if self.view:
            hello |= {"last": self.view["v"], "mark": self.view["mark"]}
        self._socket.send(json.dumps(hello))
        self._seals.clear()
        self.party.again()
        while self._receive(self.host.timeout)["t"] != "view":
            pass
        while (waiting := set(self.view["sealed"]["waiting"])) and waiting <= set(self.view["you"]):
            self._receive(self.host.timeout)

    def _return(self, closed: ConnectionClosed) -> None:
        """Reconnect, with several attempts."""
        for attempt in range(RETRIES):
            time.sleep(self._later or 0.25 * 2**attempt * (0.5 + secrets.randbelow(1000) / 2000))
            self._later = 0.0
            try:
                self._join()
                return
            except (ConnectionClosed, Unreachable):
                continue
        raise Unreachable("error.line_was_lost_did_not", closed=closed)


def _merged(before: View, news: View) -> View:
    """A complete view: the new one, with unchanged parts that the server left out taken from the old one."""
    if "logFrom" in news:
        kept = {part: before.get(part, [])[: news["logFrom"]] for part in ("log", "actions")}
        news = {**news, **{part: [*known, *news.get(part, [])] for part, known in kept.items()}}
    kept = {name: news.get(name) or before.get(name) for name in ("picture", "sealed")}
    return {**news, **kept, "items": patch_items(before.get("items", []), news)}


def patch_items(before: list[dict[str, Any]], news: View) -> list[dict[str, Any]]:
    """The items of a view that has all items, a patch, or neither if nothing has changed."""
    if "items" in news:
        return list(news["items"])
    change = news.get("patch", {"gone": [], "put": []})
    out = {*change["gone"], *(item["id"] for _, item in change["put"])}
    things = [item for item in before if item["id"] not in out]
    for place, item in change["put"]:
        things.insert(place, item)
    return things


def _replace(file: Path, data: bytes) -> None:
    """Write a whole file, or leave the old one."""
    new = file.with_name(f"{file.name}.new")
    new.write_bytes(data)
    new.replace(file)


def _problem(error: urllib.error.HTTPError) -> BridgeheadError:
    try:
        problem = json.loads(error.read())
        return BridgeheadError(plain(problem["error"]), problem.get("where", ""))
    except (ValueError, KeyError, TypeError):
        return BridgeheadError("error.server_answered", code=error.code, reason=error.reason)
