"""Signatures: the published vectors, keys that must be refused, and files that earlier versions have signed."""

import json
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bridgehead.fairness import proof, receipt, signatures
from bridgehead.server.storage.seal_log import signing_key

GOLDEN = Path(__file__).parent / "golden"  # made by version 0.1.0, which had its own Ed25519
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
]


# Every encoding of a point whose order divides 8: each is a public key for which anybody can make signatures.
SMALL_ORDER = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]
FORGED = bytes.fromhex("58" + "66" * 31) + (1).to_bytes(32, "little")  # R = B, s = 1: holds when h times the key is 0


@pytest.mark.parametrize("vector", RFC_8032)
def test_signatures_equal_the_published_ones(vector: tuple[str, str, str, str]) -> None:
    secret, key, message, signature = map(bytes.fromhex, vector)
    assert signatures.public_key(secret) == key and signatures.sign(secret, message) == signature
    assert signatures.verify(key, message, signature)
    assert not signatures.verify(key, message + b"x", signature)
    assert not signatures.verify(key, message, signature[:-1] + b"\x7f")
    assert not signatures.verify(key, message, signature[:31] + bytes([signature[31] ^ 1]) + signature[32:])
    assert not signatures.verify(signatures.public_key(secrets.token_bytes(32)), message, signature)


def test_malformed_keys_and_signatures_are_refused() -> None:
    _, key, message, signature = map(bytes.fromhex, RFC_8032[0])
    for wrong in (b"", key[:31], key + b"\0", b"\xff" * 32, b"\2" + b"\0" * 31):  # y = 2 lies on no point of the curve
        assert not signatures.verify(wrong, message, signature)
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(signature[32:], "little") + order  # the same signature, written a second time
    for wrong in (b"", signature[:63], signature + b"\0", signature[:32] + s.to_bytes(32, "little")):
        assert not signatures.verify(key, message, wrong)


@pytest.mark.parametrize("key", SMALL_ORDER)
def test_keys_of_small_order_are_refused(key: str) -> None:
    assert not any(signatures.verify(bytes.fromhex(key), b"move %d" % number, FORGED) for number in range(64))


def test_the_library_alone_accepts_a_key_of_small_order() -> None:
    """Why `signatures.verify` looks at the key itself; if this fails, the library has become strict."""
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(SMALL_ORDER[2])).verify(FORGED, b"any message")
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(RFC_8032[0][1])).verify(FORGED, b"any message")


def test_a_servers_key_of_an_earlier_version_makes_the_same_signatures() -> None:
    key = signing_key(GOLDEN / "server.key")
    kept = receipt.read((GOLDEN / "receipt.json").read_bytes())
    assert signatures.public_key(key).hex() == kept.server
    text = receipt.signed_text(kept.table, kept.version, bytes.fromhex(kept.head))
    assert signatures.sign(key, text).hex() == kept.signature


def test_receipts_and_proofs_of_an_earlier_version_hold() -> None:
    told = json.loads((GOLDEN / "receipt.json").read_bytes())
    assert receipt.read(json.dumps(told).encode()).holds
    assert not receipt.read(json.dumps({**told, "version": 8}).encode()).holds
    kept = proof.read((GOLDEN / "proof.json").read_bytes())
    findings = proof.verify(kept)
    assert [finding.verdict for finding in findings].count("open") == 1 and "made by BGF1" in findings[0].what
    assert proof.verdict(findings) == "open" and any("is signed by the server" in finding.what for finding in findings)
    forged = kept.eras[0].transcript[:-1] + ("0" if kept.eras[0].transcript[-1] != "0" else "1")
    changed = (GOLDEN / "proof.json").read_text().replace(kept.eras[0].transcript, forged)
    assert proof.verdict(proof.verify(proof.read(changed))) == "broken"


def test_a_light_import_loads_no_cryptography() -> None:
    code = "import sys, bridgehead, bridgehead.cli, bridgehead.fairness.proof; sys.exit('cryptography' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
