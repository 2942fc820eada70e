"""Exponential, logarithm and hyperbolic tangent from plain arithmetic, so that they give the same bits everywhere.

The C libraries of systems and browsers differ in the last bit of these. A search that uses such a number may then choose another
action in a browser than on a server. These are within 1e-15 of the true value, for finite numbers.
The method is that of fdlibm (Sun Microsystems, 1993): reduce the number to a small interval, then a polynomial.
"""

from __future__ import annotations

import math
from typing import Any

from bridgehead.core.jit import COMPILED, rule
from bridgehead.core.numbers import int64, np

LN2_HIGH, LN2_LOW, PER_LN2 = 6.93147180369123816490e-01, 1.90821492927058770002e-10, 1.44269504088896338700
E1, E2, E3, E4, E5 = (
    1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05, -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)  # fmt: skip
L1, L2, L3, L4, L5, L6, L7 = (
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
)  # fmt: skip
LOWEST, HIGHEST = -708.0, 709.0  # beyond, the exponential of a number is 0 or infinite here
FLAT = 20.0  # beyond, the hyperbolic tangent is 1
BIAS, MANTISSA, HALF_ROOT = 1023, 52, 0.70710678118654752440
FRACTION, HALF = int64((1 << 52) - 1), int64(1022 << 52)


def power_of_two(k: Any) -> Any:
    """2 to the power of a whole number between -1022 and 1023."""
    return math.ldexp(1.0, k)


def split(x: Any) -> Any:
    """A positive number that is not denormal, as a number from 1/2 to 1 and the power of two that it is multiplied with."""
    return math.frexp(x)


def _power_of_two(k: Any) -> Any:
    return np.int64((k + BIAS) << MANTISSA).view(np.float64)


def _split(x: Any) -> Any:
    bits = np.float64(x).view(np.int64)
    return np.int64((bits & FRACTION) | HALF).view(np.float64), (bits >> MANTISSA) - BIAS + 1


if COMPILED:
    power_of_two = rule(_power_of_two)
    split = rule(_split)


@rule
def exp(x: Any) -> Any:
    """e to the power of x."""
    x = float(x)
    if x > HIGHEST:
        return math.inf
    if x < LOWEST:
        return 0.0
    k = math.floor(x * PER_LN2 + 0.5)
    high, low = x - k * LN2_HIGH, k * LN2_LOW
    rest = high - low
    square = rest * rest
    c = rest - square * (E1 + square * (E2 + square * (E3 + square * (E4 + square * E5))))
    part = 1.0 - ((low - (rest * c) / (2.0 - c)) - high)
    half = k // 2  # two factors, because 2**k itself may be too large
    return part * power_of_two(half) * power_of_two(k - half)


@rule
def log(x: Any) -> Any:
    """The natural logarithm of a positive number that is not denormal."""
    part, k = split(float(x))
    if part < HALF_ROOT:
        part, k = part * 2.0, k - 1
    f = part - 1.0
    s = f / (2.0 + f)
    square = s * s
    rest = square * (L1 + square * (L2 + square * (L3 + square * (L4 + square * (L5 + square * (L6 + square * L7))))))
    half = 0.5 * f * f
    return k * LN2_HIGH - ((half - (s * (half + rest) + k * LN2_LOW)) - f)


@rule
def tanh(x: Any) -> Any:
    """The hyperbolic tangent; exactly odd."""
    size = abs(float(x))
    found = 1.0 if size > FLAT else 1.0 - 2.0 / (exp(2.0 * size) + 1.0)
    return found if x >= 0.0 else -found
