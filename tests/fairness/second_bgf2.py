"""BGF2 a second time, written from docs/understand/fairness.md alone: dictionaries of hex in, dictionaries of hex out.

It imports nothing of the product. `python second_bgf2.py > vectors_bgf2.json` makes the vectors.
"""

import hmac
import json
import struct
import sys
from hashlib import sha256
from itertools import accumulate, cycle, islice
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Values = dict[str, Any]
WORDS = Path(__file__).parents[2] / "src" / "bridgehead" / "fairness" / "words.txt"
NAMES = {1: "bgf2/opening", 2: "bgf2/last-next"}


def pack(tag: str, layout: str, *values: Any) -> bytes:
    """Tag, zero byte, and values: 1 a byte, 4 a number of four bytes, h hex, p hex or text with its length in front."""
    out = [tag.encode() + b"\0"] if tag else []
    for kind, value in zip(layout, values, strict=True):
        if kind in "14":
            out.append(struct.pack(">B" if kind == "1" else ">I", value))
        elif kind == "h":
            out.append(bytes.fromhex(value))
        else:
            raw = value.encode() if isinstance(value, str) else bytes(value)
            out.append(struct.pack(">I", len(raw)) + raw)
    return b"".join(out)


def hashed(*packed: Any) -> str:
    return sha256(pack(*packed)).hexdigest()


def keyed(key: str, *packed: Any) -> str:
    return hmac.new(bytes.fromhex(key), pack(*packed), sha256).hexdigest()


def key_of(era: Values, e: int) -> str:
    return keyed(era["S"], "bgf2/leaf", "h44", era["gid"], era["number"], e)


def merkle(era: Values, e: int) -> tuple[str, list[str]]:
    """The root, and the path of event e."""
    row = [hashed("", "14h", 0, i, key_of(era, i)) for i in range(2 ** era["depth"])]
    path = []
    while len(row) > 1:
        path.append(row[e ^ 1])
        e //= 2
        row = [hashed("", "1hh", 1, *row[i : i + 2]) for i in range(0, len(row), 2)]
    return row[0], path


def link(era: Values, seat: int, j: int) -> str:
    """R_j."""
    value = keyed(era["seats"][seat]["seed"], "bgf2/seat-tip", "h41", era["gid"], era["number"], seat)
    for number in range(era["seats"][seat]["length"], j, -1):
        value = hashed("bgf2/seat", "h414h", era["gid"], era["number"], seat, number, value)
    return value


def transcript(era: Values) -> str:
    seats = "".join(pack("", "14h", seat["source"], seat["length"], seat["head"]).hex() for seat in era["seats"])
    shape = era["depth"], era["level"], NAMES[era["level"]], len(era["seats"]), seats
    return hashed("bgf2/transcript", "h44hh11p1h", era["gid"], era["number"], era["first"], era["rules"], era["root"], *shape)


def words(opened: str) -> list[str]:
    bits = bin(int("1" + hashed("bgf2/words", "h", opened), 16))[3:]
    return [WORDS.read_text().splitlines()[int(bits[i : i + 11], 2)] for i in range(0, 44, 11)]


def contributors(era: Values, last: int) -> list[int]:
    around = islice(cycle(range(len(era["seats"]))), last, last + len(era["seats"]))
    return [seat for seat in around if era["seats"][seat]["source"] != 1][:2] if era["level"] == 2 else []


def draw(era: Values, e: int, weights: list[int], last: int, missing: tuple[int, ...] = ()) -> Values:
    asked = contributors(era, last)
    given = [[seat, link(era, seat, e + 2)] for seat in asked if seat not in missing]
    inside = "".join(pack("", "1h", *each).hex() for each in given)
    entropy = hashed("bgf2/entropy", "h41h", era["O"], e, len(given), inside)
    drawn = keyed(key_of(era, e), "bgf2/event", "h4", entropy, e)
    total = sum(weights)
    numbers = (
        int(keyed(drawn, "bgf2/stream", "p4", "chance", n // 4)[16 * (n % 4) : 16 * (n % 4) + 16], 16) for n in range(10**6)
    )
    ticket = next(number for number in numbers if number < 2**64 // total * total) % total
    outcome = next(i for i, upto in enumerate(accumulate(weights)) if upto > ticket)
    return {
        "e": e, "last": last, "contributors": asked, "defaults": list(missing), "links": given, "key": key_of(era, e),
        "path": merkle(era, e)[1], "E": entropy, "X": drawn, "weights": weights, "outcome": outcome,
    }  # fmt: skip


def made_era(gid: str, number: int, first: int, level: int, rules: str, seats: list[tuple[int, str]]) -> Values:
    depth = {1: 12, 2: 10}[level]
    era: Values = {"gid": gid, "number": number, "first": first, "rules": rules, "depth": depth, "level": level}
    era["S"] = f"{16 + number:02x}" * 32
    era["root"] = merkle(era, 0)[0]
    era["seats"] = [
        {"source": source, "length": 1025 if level == 2 and source != 1 else 1, "seed": seed} for source, seed in seats
    ]
    for seat, each in enumerate(era["seats"]):
        each["head"] = hashed("bgf2/seat", "h414h", gid, number, seat, 1, link(era, seat, 1))
    era["T"] = transcript(era)
    era["opening"] = [link(era, seat, 1) for seat in range(len(seats))]
    era["O"] = hashed("bgf2/opening", "h1h", era["T"], len(seats), "".join(era["opening"]))
    era["words"] = words(era["O"])
    return era


def vectors() -> Values:
    gid, secret = bytes(range(16)).hex(), "5a" * 32
    signer = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
    files = {"rules.py": b"one\n", "boards/mini.json": b"{}", "a.txt": "é".encode()}
    sources = hashed("bgf2/sources", "pp" * len(files), *(part for name in sorted(files) for part in (name, files[name])))
    parts = {"game": "barricade", "version": "1.0", "sources": sources, "options": '{"board": "mini"}'}
    parts["salt"] = "00112233445566778899aabbccddeeff"
    rules = hashed(
        "bgf2/rules", "pphpp", parts["game"], parts["version"], sources, parts["options"], bytes.fromhex(parts["salt"])
    )
    one = made_era(gid, 1, 0, 1, rules, [(0, "a0" * 32), (1, "a1" * 32), (2, "a2" * 32)])
    one["draws"] = [draw(one, e, weights, 0) for e, weights in ((0, [1] * 6), (1, [4, 0, 1, 7]), (4095, [2**31, 2**31]))]
    two = made_era(gid, 2, 3, 2, rules, [(0, "b0" * 32), (1, "b1" * 32), (2, "b2" * 32), (0, "b3" * 32)])
    two["draws"] = [
        draw(two, 0, [1] * 6, 0), draw(two, 1, [1] * 6, 1), draw(two, 2, [1] * 6, 3), draw(two, 3, [5, 1], 3, (3,)),
        draw(two, 4, [1] * 52, 2, (2, 3)), draw(two, 1023, [2**32 - 1, 1], 3),
    ]  # fmt: skip
    rows, before = [], "00" * 32
    for n, era in enumerate((one, two), start=1):
        era["signature"] = signer.sign(pack("bgf2/era", "h4h", gid, era["number"], era["T"])).hex()
        after = hashed("bridgehead sealed", "h4h4h", before, n, gid, era["number"], era["T"])
        rows.append({"n": n, "before": before, "link": after, "signature": signer.sign(pack("bgf2/list", "4h", n, after)).hex()})
        era["listed"], before = rows[-1], after
    sources_of = {name: content.hex() for name, content in files.items()}
    public = signer.public_key().public_bytes_raw().hex()
    return {
        "gid": gid,
        "secret_key": secret,
        "server": public,
        "files": sources_of,
        "rules": {**parts, "hash": rules},
        "eras": [one, two],
    }


if __name__ == "__main__":
    json.dump(vectors(), sys.stdout, indent=1, ensure_ascii=False)
    print()
