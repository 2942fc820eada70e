"""Ed25519 signatures (RFC 8032) by the library `cryptography`, with strict checks of public keys.

The library accepts keys of small order, for which one signature fits any message, and second encodings of a key. We
refuse both. The library is imported at the first signature, because most commands need none.
"""

from __future__ import annotations

FIELD = 2**255 - 19
_Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7  # of two points of order 8
SMALL_ORDER = frozenset((0, 1, FIELD - 1, _Y8, FIELD - _Y8))  # the y of all points whose order divides 8


def public_key(secret: bytes) -> bytes:
    """The public key, 32 bytes, that belongs to 32 secret bytes."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def sign(secret: bytes, message: bytes) -> bytes:
    """The signature of a message, 64 bytes."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret).sign(message)


def is_sound(key: bytes) -> bool:
    """Can it be a public key? Not one of small order, nor a second encoding of another key."""
    y = int.from_bytes(key, "little") & (1 << 255) - 1
    return len(key) == 32 and y < FIELD and y not in SMALL_ORDER


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Is this the key's signature of the message? False also for a malformed key or signature, and a key of small order."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not is_sound(key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
