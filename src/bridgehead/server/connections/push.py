"""Web Push: encrypted messages to the push service that a browser has named, signed by the host's key (VAPID).

The key follows from the server's signing key, so it needs no file of its own. Needs the extra `push`.
"""

from __future__ import annotations

import hashlib
import time
from urllib.parse import SplitResult

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bridgehead.core.extras import require
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.tables.stored_seats import decode_base64, encode_base64
from bridgehead.server.tables.table import Refused

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the group of P-256
DAY = 86_400  # seconds for which the push service keeps a message, and for which a signature is valid
SECRET = 16  # bytes of a subscription's secret (RFC 8291, 3.2)
GONE = (b"404", b"410")


class SubscriptionGone(Exception):
    """The browser has no such subscription any more."""


class Keys(msgspec.Struct):
    """The keys of a subscription: the browser's public key, and its shared secret."""

    p256dh: str
    auth: str


class Subscription(msgspec.Struct):
    """A browser's subscription, as `PushSubscription.toJSON` gives it."""

    endpoint: str
    keys: Keys


class Pusher:
    """Sends push messages. key: the server's signing key; contact: its address, for the push services."""

    def __init__(self, key: bytes, contact: str, web: Webhooks) -> None:
        require("push")
        secret = int.from_bytes(hashlib.sha512(b"bridgehead push\0" + key).digest(), "big") % (ORDER - 1) + 1
        self._key, self._contact, self._web = ec.derive_private_key(secret, ec.SECP256R1()), contact, web

    @property
    def public(self) -> str:
        """The public key, as a browser takes it for a subscription."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return encode_base64(point)

    def read(self, text: str) -> Subscription:
        """A subscription that a page sends. Errors: Refused."""
        try:
            found = msgspec.json.decode(text, type=Subscription)
            self._address(found)
            if len(decode_base64(found.keys.auth)) != SECRET:
                raise ValueError("the secret has another length")
            self._encrypted(found, b"test")
        except Refused:
            raise
        except Exception as error:  # keys that are no keys fail in many ways
            raise Refused("bad", "remind.subscription") from error
        return found

    def send(self, to: Subscription, text: bytes) -> None:
        """In a thread: send a message. Errors: Gone; Refused for an address that is not public; OSError."""
        from py_vapid import Vapid02

        parts = self._address(to)
        signer = Vapid02(self._key)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + DAY // 2, "sub": self._contact}
        headers = {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "TTL": str(DAY)}
        answer = self._web.post(parts, self._encrypted(to, text), {**headers, **signer.sign(claims)})
        status = answer.split(b" ")[1:2]
        if status and status[0] in GONE:
            raise SubscriptionGone(to.endpoint)
        if not status or not status[0].startswith(b"2"):
            raise OSError(answer[:40].decode("ascii", "replace"))

    def _address(self, to: Subscription) -> SplitResult:
        parts = self._web.check_url(to.endpoint)
        if parts.scheme != "https" and not self._web.anywhere:
            raise Refused("bad", "remind.subscription")
        return parts

    def _encrypted(self, to: Subscription, text: bytes) -> bytes:
        """The message as only that browser can read it (RFC 8291): the key that it is agreed with is used once."""
        import http_ece

        once = ec.generate_private_key(ec.SECP256R1())
        its, secret = decode_base64(to.keys.p256dh), decode_base64(to.keys.auth)
        body: bytes = http_ece.encrypt(text, private_key=once, dh=its, auth_secret=secret, version="aes128gcm")
        return body
