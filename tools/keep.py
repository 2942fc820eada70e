"""Write tests/kept/VERSION: files of this version that later versions have to read, and what they say (docs/lookup/promises.md).

tools/keep.py [PART ...]         parts: names, messages, requests, records, proofs, store; default: all

Run it once before a release. tests/test_kept.py reads the files of every version with today's code.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import importlib
import inspect
import itertools
import json
import os
import random
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # read when the rules are imported

from bridgehead.client import Host, Seated  # noqa: E402
from bridgehead.core import link, record, registry  # noqa: E402
from bridgehead.core.chance import SeededDealer  # noqa: E402
from bridgehead.core.ending import RESIGNED, Ending  # noqa: E402
from bridgehead.core.match import Match  # noqa: E402
from bridgehead.core.remarks import DrawnShape, Remark, Variation  # noqa: E402
from bridgehead.core.version import __version__  # noqa: E402
from bridgehead.fairness import proof  # noqa: E402
from bridgehead.server.http import openapi  # noqa: E402
from bridgehead.server.messages import schema  # noqa: E402
from server import golden  # noqa: E402
from server.live import Live  # noqa: E402

API = ROOT / "docs" / "lookup" / "api.md"
LONGEST = 60  # actions of a record
KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional", inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.KEYWORD_ONLY: "keyword", inspect.Parameter.VAR_KEYWORD: "**",
}  # fmt: skip
Signature = dict[str, str] | None


def write_json(file: Path, data: dict[str, Any]) -> None:
    """A line for each entry, so that a change is seen."""
    lines = [f"{json.dumps(key)}: {json.dumps(data[key], ensure_ascii=False)}" for key in sorted(data)]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


# The names of the API


def signature_of(thing: Any) -> Signature:
    """The parameters of a callable by name: "positional" or "keyword", with "?" if it may be left out, "*" or "**".
    None: no callable, or one whose parameters Python cannot name."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return None
    return {each.name: KINDS[each.kind] + ("?" if each.default is not each.empty else "") for each in parameters}


def members_of(thing: Any, name: str) -> Iterator[tuple[str, Signature]]:
    """The public names of a module or a class, itself included, with their parameters."""
    if isinstance(thing, ModuleType):
        own = [key for key, each in vars(thing).items() if getattr(each, "__module__", "") == thing.__name__]
        for key in getattr(thing, "__all__", own):
            if not key.startswith("_"):
                yield from members_of(getattr(thing, key), f"{name}.{key}")
        return
    yield name, signature_of(thing) if callable(thing) else None
    if not inspect.isclass(thing):
        return
    for kind in thing.__mro__:
        for key, each in vars(kind).items() if kind.__module__.startswith("bridgehead") else ():
            if not key.startswith("_"):
                plain = each.__func__ if isinstance(each, classmethod | staticmethod) else each
                yield f"{name}.{key}", signature_of(plain) if inspect.isfunction(plain) else None


def public_names() -> dict[str, Signature]:
    """Every name of docs/lookup/api.md, with the parameters of what can be called."""
    found: dict[str, Signature] = {"bridgehead.__version__": None}
    for place, listed in re.findall(
        r"^::: (\S+)(?:\n    options:\n      members: \[(.*)\])?", API.read_text("utf-8"), re.MULTILINE
    ):
        try:
            thing: Any = importlib.import_module(place)
        except ModuleNotFoundError:
            module, _, name = place.rpartition(".")
            thing = getattr(importlib.import_module(module), name)
        if listed:
            found |= {f"{place}.{name}": signature_of(getattr(thing, name)) for name in listed.split(", ")}
        else:
            found |= dict(members_of(thing, place))
    return found


# Messages and requests


def without_words(described: Any) -> Any:
    """A JSON schema without titles and descriptions."""
    if isinstance(described, dict):
        words = ("description", "title", "summary")
        return {key: without_words(each) for key, each in described.items() if key not in words or isinstance(each, dict)}
    return [without_words(each) for each in described] if isinstance(described, list) else described


def messages() -> dict[str, Any]:
    """The schema of each message and of its parts."""
    found: dict[str, Any] = without_words(json.loads(json.dumps(schema.socket()["$defs"])))
    return found


def requests() -> dict[str, Any]:
    """ "POST /api/tables" -> schemas of its body and of its answer when all is well; "#Name" -> a schema that they name."""
    described = without_words(json.loads(json.dumps(openapi.describe_requests())))
    found = {f"#{name}": each for name, each in described["components"]["schemas"].items()}
    for path, methods in described["paths"].items():
        for method, each in methods.items():
            good = next((answer for code, answer in each["responses"].items() if code.startswith("2")), {})
            parts = {"body": each.get("requestBody", {}), "answer": good}
            found[f"{method.upper()} {path}"] = {
                part: content["schema"] for part, held in parts.items() for content in held.get("content", {}).values()
            }
    return found


# Records, with their positions and links


def own_board(game: str, name: str) -> Any:
    """A shipped board under another name, as somebody would draw one."""
    board = json.loads((registry.spec(game).folder / "boards" / f"{name}.json").read_text("utf-8"))
    return board | {"name": "Our own"}


def games() -> dict[str, dict[str, Any]]:
    """Record -> game and house rules."""
    field = [["2H", "9S", "KH", "5D"], ["2S", "JC", "3C", "4D"], ["AC", "AH", "8D", "QS"]]
    ours: dict[str, list[dict[str, Any]]] = {
        "barricade": [
            {"board": "mini", "seats": 2, "first": "highestRoll", "rollAgainOn6": True, "revisit": "noRepeat", "turnLimit": 20},
            {"board": own_board("barricade", "mini"), "seats": 2, "turnLimit": 20},
        ],
        "burning_bridges": [
            {"seats": 3, "untorchChoice": "hostage", "noneCost": 1, "lastMoves": 1, "roundLimit": 6},
            {"board": own_board("burning_bridges", "star3"), "seats": 2, "roundLimit": 6},
        ],
        "forty_bridges": [
            {"bentJumps": True, "maxCaptures": 2, "suicide": "forbidden", "retreat": False, "quietLimit": 30},
            {"setup": "custom", "layout": "a1,b1,A1 e5,d5,D4", "quietLimit": 30},
        ],
        "front_lines": [
            {"seats": 2, "flip": "destination", "mayStop": True, "lives": 3, "alternateTeams": True},
            {"layout": field, "rows": 3, "seats": 2},
        ],
    }
    kinds = ("standard", "house_rules", "own_board")
    return {
        f"{game}-{kind}": {"game": game, "options": options}
        for game, rules in ours.items()
        for kind, options in zip(kinds, [{}, *rules], strict=True)
    }


def play_match(game: str, options: dict[str, Any], seed: int) -> Match:
    """Some actions at random, or a whole game."""
    match, dealer, rng = Match(registry.game(game, **options)), SeededDealer(seed), random.Random(seed)
    while not match.position.is_over and len(match.log) < LONGEST:
        match.deal(dealer)
        if not match.position.is_over:
            match.play(rng.choice(list(match.position.legal)))
    return match


def matches() -> dict[str, Match]:
    """Record -> match: each game by standard rules, by house rules and on an own board; a study; one that people ended."""
    found = {name: play_match(**wanted, seed=number) for number, (name, wanted) in enumerate(games().items(), start=1)}
    ended = found["resigned"] = play_match("forty_bridges", {}, 91)
    ended.end(Ending(RESIGNED, 1))
    study = found["study"] = Match(registry.game("forty_bridges"))
    study.play("b2-c2")
    first, second = study.position.legal[:2]
    study.play(first)
    beside = study.positions[1].after(second)
    line = Variation([second, beside.legal[0]], {1: Remark("Too slow.")})
    study.remarks = {
        0: Remark("Which side is faster?\n\nBlue.", [DrawnShape("b2", "c2"), DrawnShape("B2", "B2", "red")]),
        1: Remark(variations=[line]),
    }
    return found


def digest(match: Match) -> str:
    """Of all positions of a match, as texts."""
    return hashlib.sha256("\n".join(each.text for each in match.positions).encode()).hexdigest()


def describe(match: Match) -> dict[str, Any]:
    """A match in values that do not change with a release."""
    return {
        "actions": list(match.actions), "position": match.position.text, "positions": digest(match),
        "winners": None if match.outcome is None else list(match.outcome.winners),
    }  # fmt: skip


def keep_records(folder: Path) -> None:
    says: dict[str, Any] = {}
    for name, match in matches().items():
        names = [f"Seat {letter}" for letter in "abcde"[: match.game.seats]]
        file = folder / "records" / f"{name}.txt"
        file.parent.mkdir(exist_ok=True)
        file.write_text(record.dump(match, names), "utf-8")
        says[name] = {**describe(match), "link": f"https://tables.example/replay#g={link.pack(match, names)}"}
    write_json(folder / "records.json", says)
    boards = {name: own_board(name, kind) for name, kind in (("barricade", "mini"), ("burning_bridges", "star3"))}
    packed = {name: zlib.compress(json.dumps(board).encode(), 9) for name, board in boards.items()}  # as link_codec.js does
    texts = {name: "z" + base64.urlsafe_b64encode(each).decode().rstrip("=") for name, each in packed.items()}
    write_json(folder / "boards.json", {name: {"link": texts[name], "board": boards[name]} for name in boards})


# Proofs


def find_actor(seats: list[Seated]) -> Seated:
    """The seat that has to act, once chance has been dealt."""
    for each in itertools.cycle(seats):
        with contextlib.suppress(TimeoutError):
            each.wait_until(lambda view: bool(view.get("choices")), 0.5)
        if each.choices:
            return each
    raise AssertionError


def play_with_takeback(ada: Seated, ben: Seated) -> None:
    """A decision that is taken back, and the whole game."""
    asker = find_actor([ada, ben])
    asker.play(asker.choices[-1]["action"])
    find_actor([ada, ben])  # what is dealt meanwhile would end the request
    golden.agree(asker, ben if asker is ada else ada, "takeback")
    while not any(each.view["outcome"] for each in (ada, ben)):
        golden.catch_up(ada, ben)
        golden.play([ada, ben], 1)


def keep_proofs(folder: Path) -> None:
    """A finished game of each level of sealed chance, with a decision that was taken back; and a receipt."""
    verdicts = {}
    with tempfile.TemporaryDirectory() as place:
        live = Live(Path(place))
        host = Host(live.url)
        for level in (1, 2):
            body = {"game": "barricade", "seats": golden.PEOPLE, "options": golden.MINI, "level": level}
            table = live.ask("/api/tables", body, 201)
            ada, ben = (host.join(table["table"], [token]) for token in table["tokens"])
            play_with_takeback(ada, ben)
            data = host.proof(table["table"])
            file = folder / "proofs" / f"level-{level}.json"
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
            verdicts[file.name] = [[each.verdict, each.phrase.key] for each in proof.verify(proof.read(data))]
            receipt = live.http.get(f"/api/tables/{table['table']}/receipt").json()
            ada.leave()
            ben.leave()
        live.stop()
    write_json(folder / "proofs.json", verdicts)
    write_json(folder / "receipt.json", receipt)


def keep_store(folder: Path) -> None:
    shutil.rmtree(folder / "store", ignore_errors=True)
    golden.main(folder / "store")


PARTS: dict[str, Callable[[Path], None]] = {
    "names": lambda folder: write_json(folder / "names.json", public_names()),
    "messages": lambda folder: write_json(folder / "messages.json", messages()),
    "requests": lambda folder: write_json(folder / "requests.json", requests()),
    "records": keep_records,
    "proofs": keep_proofs,
    "store": keep_store,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[[], *PARTS], help=", ".join(PARTS))
    folder = ROOT / "tests" / "kept" / __version__
    folder.mkdir(parents=True, exist_ok=True)
    for part in parser.parse_args().parts or PARTS:
        PARTS[part](folder)
        print(f"{folder.relative_to(ROOT)}: {part}")


if __name__ == "__main__":
    main()
