"""Reads strict JSON: every reader that accepts such a text reads the same value from it."""

from __future__ import annotations

import json
import math
from typing import NoReturn

from ._json_value import JsonValue
from ._limits import MAX_JSON_DEPTH, MAX_SAFE_INTEGER

_FORBIDDEN_KEYS = frozenset(("__proto__", "constructor", "prototype"))


class NotStrictJson(ValueError):
    """The bytes are not strict JSON."""


def parse_strict_json(data: bytes, max_bytes: int) -> JsonValue:
    """
    RFC 8259, and less: UTF-8 without BOM, no repeated keys, none of `__proto__`, `constructor`, `prototype`
    as a key, at most MAX_JSON_DEPTH levels, finite numbers, integers within 2^53 - 1, no negative zero,
    well-formed Unicode.

    Raises NotStrictJson, and nothing else.
    """
    if len(data) > max_bytes:
        raise NotStrictJson(f"expected at most {max_bytes} bytes, got {len(data)}")
    try:
        value: JsonValue = _DECODER.decode(data.decode("utf-8"))
    except NotStrictJson:
        raise
    except (ValueError, RecursionError) as error:
        raise NotStrictJson("the bytes are not JSON in UTF-8") from error
    # Only an escape writes a lone surrogate, and each level has a bracket.
    if b"\\u" in data or data.count(b"{") + data.count(b"[") > MAX_JSON_DEPTH:
        _require_well_formed(value)
    return value


def _object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise NotStrictJson("expected each key once")
    if not _FORBIDDEN_KEYS.isdisjoint(value):
        raise NotStrictJson("expected a key other than __proto__, constructor, prototype")
    return value


def _integer(literal: str) -> int:
    # 16 digits hold every safe integer. Longer literals are not worth the conversion.
    if len(literal) > 17 or literal == "-0":
        raise NotStrictJson("expected an integer within 2^53 - 1, and 0 without a sign")
    value = int(literal)
    if abs(value) > MAX_SAFE_INTEGER:
        raise NotStrictJson("expected an integer within 2^53 - 1")
    return value


def _float(literal: str) -> float:
    value = float(literal)
    if not math.isfinite(value) or (value == 0 and literal.startswith("-")):
        raise NotStrictJson("expected a finite number, and 0 without a sign")
    if value.is_integer() and abs(value) > MAX_SAFE_INTEGER:
        raise NotStrictJson("expected an integer within 2^53 - 1")
    return value


def _constant(literal: str) -> NoReturn:
    raise NotStrictJson(f"expected a JSON value, got {literal}")


def _require_well_formed(root: JsonValue) -> None:
    level: list[JsonValue] = [root]
    depth = 0
    while level:
        below: list[JsonValue] = []
        for value in level:
            if isinstance(value, str):
                _require_unicode(value)
            elif isinstance(value, dict):
                for key in value:
                    _require_unicode(key)
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
        depth += any(isinstance(value, (dict, list)) for value in level)
        if depth > MAX_JSON_DEPTH:
            raise NotStrictJson(f"expected at most {MAX_JSON_DEPTH} levels")
        level = below


def _require_unicode(text: str) -> None:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise NotStrictJson("expected well-formed Unicode")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)
