"""RFC 8785: equal values have equal texts, and different values different ones."""

from __future__ import annotations

import hashlib
from json.encoder import encode_basestring

from ._json_value import JsonValue

_LARGEST_PLAIN_EXPONENT = 21
"""Numbers from 10^21 on are written with an exponent, as ECMAScript writes them."""

_SMALLEST_PLAIN_EXPONENT = -6
"""Numbers below 10^-6 are written with an exponent."""


def canonical_json(value: JsonValue) -> str:
    """The value must come from the strict reader or from a snapshot: finite numbers, well-formed text."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, dict):
        keys = sorted(value, key=_utf16_units)
        return "{" + ",".join(f"{encode_basestring(key)}:{canonical_json(value[key])}" for key in keys) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(canonical_json(item) for item in value) + "]"
    raise TypeError(f"expected a JSON value, got {type(value).__name__}")


def digest_of(value: JsonValue) -> str:
    """`sha256:` and the hexadecimal digest of the canonical JSON in UTF-8."""
    return f"sha256:{hashlib.sha256(canonical_json(value).encode()).hexdigest()}"


def number_text(value: int | float) -> str:
    """The shortest text of the double, in the form of ECMAScript."""
    number = float(value)
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    digits, point = _shortest_digits(abs(number))
    count = len(digits)
    if count <= point <= _LARGEST_PLAIN_EXPONENT:
        return sign + digits + "0" * (point - count)
    if 0 < point <= _LARGEST_PLAIN_EXPONENT:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if _SMALLEST_PLAIN_EXPONENT < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if count > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"


def _shortest_digits(number: float) -> tuple[str, int]:
    """Significant digits, and the place of the point counted from before the first one."""
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or "0")
    digits = whole + fraction
    leading = len(digits) - len(digits.lstrip("0"))
    return digits.strip("0"), point - leading


def _utf16_units(text: str) -> bytes:
    return text.encode("utf-16-be")
