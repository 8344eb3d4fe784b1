"""Verification of Ed25519 signatures (RFC 8032), which the standard library lacks.

Only for public data: it takes more or less time depending on its arguments.
"""

from __future__ import annotations

import hashlib
from typing import Optional, Tuple

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)

# Extended coordinates: x = X/Z, y = Y/Z, x*y = T/Z.
_Point = Tuple[int, int, int, int]


def _add(one: _Point, other: _Point) -> _Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _decode(encoded: bytes) -> Optional[_Point]:
    """None for what is not a point, and for a second way to write one."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


def _encode(point: _Point) -> bytes:
    inverse = pow(point[2], _P - 2, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


_BASE = _decode((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))
_NEUTRAL: _Point = (0, 1, 1, 0)


def verify_ed25519(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is the key's, for this message."""
    key = _decode(public_key) if len(public_key) == 32 and len(signature) == 64 else None
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or _BASE is None or scalar >= _ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(digest, "little") % _ORDER
    minus_key = (_P - key[0], key[1], 1, _P - key[3])
    both = _add(_BASE, minus_key)
    # scalar * base - challenge * key, with one doubling for both per bit.
    reached = _NEUTRAL
    for bit in range(max(scalar.bit_length(), challenge.bit_length()) - 1, -1, -1):
        reached = _add(reached, reached)
        bits = (scalar >> bit & 1, challenge >> bit & 1)
        if bits != (0, 0):
            reached = _add(reached, both if bits == (1, 1) else _BASE if bits == (1, 0) else minus_key)
    return _encode(reached) == signature[:32]
