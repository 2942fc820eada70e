"""A software authenticator: P-256, discoverable credentials, verified user, attestation "none"."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from bridgehead.server.tables.stored_seats import encode_base64

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40  # flags of the authenticator data


class Authenticator:
    """One passkey of one device. origin: of the page that its browser shows; host: the id of the relying party."""

    def __init__(self, origin: str, host: str = "localhost") -> None:
        self.origin, self.host = origin, host
        self.raw, self.handle, self.count = secrets.token_bytes(16), secrets.token_bytes(32), 0
        self.private = ec.generate_private_key(ec.SECP256R1())

    @property
    def id(self) -> str:
        return encode_base64(self.raw)

    def made(self, challenge: str, **more: Any) -> dict[str, str]:
        """A new credential, as a page sends it. more: of `data` and `client`."""
        point = self.private.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        credential = bytes(16) + len(self.raw).to_bytes(2, "big") + self.raw + cbor2.dumps(public)
        data = self.data(more.get("flags", PRESENT | VERIFIED) | ATTESTED) + credential
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = encode_base64(self.client(more.get("kind", "webauthn.create"), challenge))
        return {"handle": encode_base64(self.handle), "id": self.id, "client": client, "attestation": encode_base64(attestation)}

    def shown(self, challenge: str, **more: Any) -> dict[str, str]:
        """The answer to a challenge, as a page sends it."""
        self.count += 1
        data = self.data(more.get("flags", PRESENT | VERIFIED))
        client = self.client(more.get("kind", "webauthn.get"), challenge)
        signature = self.private.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return {
            "handle": encode_base64(self.handle), "id": self.id, "client": encode_base64(client),
            "authenticator": encode_base64(data),
            "signature": encode_base64(signature),
        }  # fmt: skip

    def data(self, flags: int) -> bytes:
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def client(self, kind: str, challenge: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said, separators=(",", ":")).encode()
