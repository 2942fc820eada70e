"""Ed25519 signatures (RFC 8032), in whole numbers: a few a table, so that no library is needed, and anybody can read it.

It takes milliseconds, and not always the same number of them: sign only what one has made oneself.
"""

from __future__ import annotations

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # of -1
Point = tuple[int, int, int, int]  # x/z, y/z, and xy/z
NEUTRAL: Point = (0, 1, 1, 0)


def public(secret: bytes) -> bytes:
    """The public key of 32 secret bytes."""
    return _pressed(_times(_halves(secret)[0], BASE))


def sign(secret: bytes, message: bytes) -> bytes:
    """64 bytes."""
    scalar, prefix = _halves(secret)
    own = _pressed(_times(scalar, BASE))
    r = _number(prefix + message)
    point = _pressed(_times(r, BASE))
    return point + ((r + _number(point + own + message) * scalar) % ORDER).to_bytes(32, "little")


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Is it the signature of the message by whoever has that public key?"""
    if len(key) != 32 or len(signature) != 64:
        return False
    a, r, s = _unpressed(key), _unpressed(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    h = _number(signature[:32] + key + message)
    return _same(_times(s, BASE), _sum(r, _times(h, a)))


def _halves(secret: bytes) -> tuple[int, bytes]:
    made = hashlib.sha512(secret).digest()
    return int.from_bytes(made[:32], "little") & ((1 << 254) - 8) | 1 << 254, made[32:]


def _number(data: bytes) -> int:
    return int.from_bytes(hashlib.sha512(data).digest(), "little") % ORDER


def _sum(a: Point, b: Point) -> Point:
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    x, y, z, t = f - e, h - g, h + g, f + e
    return x * y % P, z * t % P, y * z % P, x * t % P


def _times(number: int, point: Point) -> Point:
    found = NEUTRAL
    while number:
        if number & 1:
            found = _sum(found, point)
        point = _sum(point, point)
        number >>= 1
    return found


def _same(a: Point, b: Point) -> bool:
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def _pressed(point: Point) -> bytes:
    shrunk = pow(point[2], -1, P)
    x, y = point[0] * shrunk % P, point[1] * shrunk % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _unpressed(data: bytes) -> Point | None:
    """The point of 32 bytes; None if there is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


_Y = 4 * pow(5, -1, P) % P
BASE: Point = _unpressed(_Y.to_bytes(32, "little")) or NEUTRAL
