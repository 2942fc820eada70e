"""The pages' arithmetic in Node: BGF1 and BGF2 against the published vectors, Ed25519 against RFC 8032 and the library."""

import json
import random
from pathlib import Path
from typing import Any

import in_node
from bridgehead.fairness import signatures
from bridgehead.fairness.signatures import FIELD

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("vectors_bgf2.json").read_text("utf-8"))
WORDS = (in_node.STATIC.parents[1] / "fairness" / "words.txt").read_text("utf-8").split()
COMPUTE = """
import { bytes, hex } from "./sealed/bgf1.js";
import * as b from "./sealed/bgf2.js";
import { isSigned } from "./sealed/ed25519.js";
const { vectors, words } = given, gid = bytes(vectors.gid), server = bytes(vectors.server);
const eras = vectors.eras.map((era) => {
  const S = bytes(era.S), seats = era.seats.map(({ source }) => ({ source, length: b.lengthOf(era.level, source) }));
  const chains = era.seats.map(({ seed, length }, seat) => b.chain(bytes(seed), gid, era.number, seat, length));
  const top = b.root(S, gid, era.number, era.depth);
  const heads = seats.map((seat, i) => ({ ...seat, head: chains[i][0] }));
  const terms = { ...era, gid, rules: b.rulesHash(vectors.rules, bytes), root: top, seats: heads };
  const T = b.transcript(terms), O = b.opening(T, chains.map((chain) => chain[1]));
  const draws = era.draws.map(({ e, last, path, weights, defaults }) => {
    const key = b.eventKey(S, gid, era.number, e), due = b.contributors(terms, last);
    const links = due.filter((seat) => !defaults.includes(seat)).map((seat) => ({ seat, value: chains[seat][e + 2] }));
    const shared = b.entropy(O, e, links);
    return {
      e, key: hex(key), contributors: due, links: links.map(({ seat, value }) => [seat, hex(value)]), E: hex(shared),
      X: hex(b.drawKey(key, shared, e)), outcome: b.outcome(key, shared, e, weights),
      under: b.isUnder(terms, e, key, path.map(bytes)) && !b.isUnder(terms, e ^ 1, key, path.map(bytes)),
      lead: links.every(({ seat, value }) => b.leadsTo(terms, seat, e + 2, value) && !b.leadsTo(terms, seat, e + 1, value)),
    };
  });
  const { n, before, link, signature } = era.listed, made = b.listLink(bytes(before), n, b.rowOf(gid, era.number), T);
  return {
    root: hex(top), heads: heads.map(({ head, length }) => [hex(head), length]), T: hex(T), O: hex(O),
    words: b.fourWords(O, words), room: b.room(terms), draws, link: hex(made),
    signed: [isSigned(server, b.eraStatement(gid, era.number, T), bytes(era.signature)),
      isSigned(server, b.listStatement(n, made), bytes(signature)), isSigned(server, T, bytes(era.signature))],
  };
});
console.log(JSON.stringify({ eras, rules: hex(b.rulesHash(vectors.rules, bytes)),
  none: [[], [0], [-1, 2], [2 ** 32, 1], [0.5]].map((weights) => b.outcome(server, server, 0, weights)) }));
"""


def test_the_pages_compute_the_vectors_of_bgf2(tmp_path: Path) -> None:
    made = in_node.run(tmp_path, COMPUTE, {"vectors": VECTORS, "words": WORDS})
    assert made["rules"] == VECTORS["rules"]["hash"] and made["none"] == [-1] * 5
    for found, era in zip(made["eras"], VECTORS["eras"], strict=True):
        assert found["heads"] == [[seat["head"], seat["length"]] for seat in era["seats"]]
        assert {name: found[name] for name in ("root", "T", "O", "words")} == {
            name: era[name] for name in ("root", "T", "O", "words")
        }
        assert found["room"] == (4096 if era["level"] == 1 else 1024)
        assert found["link"] == era["listed"]["link"] and found["signed"] == [True, True, False]
        for each, draw in zip(found["draws"], era["draws"], strict=True):
            assert each.pop("under") and each.pop("lead"), draw["e"]
            assert each == {name: draw[name] for name in each}


# RFC 8032, 7.1: key, message, signature.
RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]
# A key of which only eight times lies among the multiples of the base point; message, signature, and whether OpenSSL accepts it.
# Libraries that check eight times the equation accept all of these, so a server could tell two programs two stories.
MIXED = "e5a369e1f023bf3db449eaf229b077c8c283b7346a74980f56411efb8e0e3899"
OF_MIXED = [
    (
        "00",
        "7db0dc9222f3c183457ddde4c708de8e5ea6bf3d5c4404cca14b32729a05c32ab9f6b2c47c7fedb65b4505220b8b5d5a1e26a0bb4151eac85becf23e8a322406",
        False,
    ),
    (
        "01",
        "3477417706a7d07cc814c71df641b1784075f07b50dedeaabecb6a45a72d6e24d1f798f76df1da7a4c928bd165603d8d6a3bd6058da8a80ab4a4da8ff8088000",
        False,
    ),
    (
        "16",
        "9b9e0368fdcf6cbb2dd828c728ad2e9f0356ab413fc18fde733ec2e7089e0b0414a9f272631253af765ef4ac5a125e0b28e0acb3b91efb7a0aa57cd47667c805",
        True,
    ),
]
VERIFY = """
import { bytes } from "./sealed/bgf1.js";
import { isKey, isSigned } from "./sealed/ed25519.js";
const signed = given.signed.map(([key, text, signature]) => isSigned(bytes(key), bytes(text), bytes(signature)));
console.log(JSON.stringify({ signed, keys: given.keys.map((key) => isKey(bytes(key))) }));
"""
ORDER = 2**252 + 27742317777372353535851937790883648493


def test_the_pages_verify_signatures_as_rfc_8032_and_the_library_do(tmp_path: Path) -> None:
    lot = random.Random(8032)
    secrets = [lot.randbytes(32) for _ in range(3)]
    texts = [lot.randbytes(size) for size in (0, 111, 112, 127, 128, 129, 239, 240)]  # round the borders of SHA-512's blocks
    right = [(*map(bytes.fromhex, each),) for each in RFC_8032]
    right += [(*map(bytes.fromhex, (MIXED, text, signature)),) for text, signature, holds in OF_MIXED if holds]
    right += [
        (signatures.public_key(secrets[i % 3]), text, signatures.sign(secrets[i % 3], text)) for i, text in enumerate(texts)
    ]
    wrong: list[tuple[bytes, ...]] = [
        (*map(bytes.fromhex, (MIXED, text, signature)),) for text, signature, holds in OF_MIXED if not holds
    ]
    for key, text, signature in right[:4]:
        scalar = int.from_bytes(signature[32:], "little")
        wrong += [
            (key, text + b"x", signature), (key, text, signature[:-1]), (right[4][0], text, signature),
            (key, text, bytes([signature[0] ^ 1]) + signature[1:]),
            (key, text, signature[:40] + bytes([signature[40] ^ 4]) + signature[41:]),
            (key, text, signature[:32] + (scalar + ORDER).to_bytes(32, "little")),  # the same scalar, a second time round
        ]  # fmt: skip
    small = [y | sign << 255 for y in signatures.SMALL_ORDER for sign in (0, 1)]
    again = [y + FIELD | sign << 255 for y in range(19) for sign in (0, 1)]  # second encodings of y = 0 .. 18
    weak = [each.to_bytes(32, "little") for each in [*small, *again]]
    identity = (1).to_bytes(32, "little")
    wrong += [(key, b"any", identity + bytes(32)) for key in weak]  # fits every message under a key of order 1
    cases = [*right, *wrong]
    assert [signatures.verify(*case) for case in cases] == [True] * len(right) + [False] * len(wrong), "the library"
    strange = [lot.randbytes(32) for _ in range(6)]  # half of them are no points
    given = {"signed": [[part.hex() for part in case] for case in cases]}
    keys = [key.hex() for key in [*weak, *strange, bytes(31), b"", *(case[0] for case in right)]]
    found = in_node.run(tmp_path, VERIFY, given | {"keys": keys})
    assert found["signed"] == [True] * len(right) + [False] * len(wrong)
    assert not any(found["keys"][: len(weak)]) and found["keys"][-len(right) :] == [True] * len(right)
    assert 0 < sum(found["keys"][len(weak) : len(weak) + 6]) < 6 and found["keys"][len(weak) + 6 : len(weak) + 8] == [False] * 2


# BGF1, SHA-256 and HMAC

BGF1 = """
import * as b from "./sealed/bgf1.js";
import { hmac, sha256 } from "./sealed/sha256.js";
const vectors = given;
{
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
  console.log(JSON.stringify({
    root: b.hex(top), seat_heads: chains.map(([head]) => b.hex(head)), T_level1: b.hex(agreed(1)),
    T_level2: b.hex(agreed(2)),
    events: vectors.events.map(draw),
    nist: [b.hex(sha256(ascii('abc'))), b.hex(sha256(ascii(''))),
      b.hex(sha256(ascii('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'))),
      b.hex(sha256(new Uint8Array(1000000).fill(97)))],
    mac: [b.hex(hmac(new Uint8Array(20).fill(0x0b), ascii('Hi There'))),
      b.hex(hmac(ascii('Jefe'), ascii('what do ya want for nothing?'))),
      b.hex(hmac(new Uint8Array(131).fill(0xaa), ascii('Test Using Larger Than Block-Size Key - Hash Key First')))],
  }));
}
"""
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


def test_the_pages_compute_the_vectors_of_bgf1(tmp_path: Path) -> None:
    vectors = json.loads(Path(__file__).with_name("vectors.json").read_text("utf-8"))
    made = in_node.run(tmp_path, BGF1, vectors)
    assert made.pop("nist") == NIST and made.pop("mac") == RFC_4231
    for event, published in zip(made.pop("events"), vectors["events"], strict=True):
        for name, value in event.items():
            assert value[: len(published[name])] == published[name], (published["e"], name)
    assert made == {name: vectors[name] for name in made}
