"""Copies a value as the JSON that it is, so that what is judged cannot change meanwhile."""

from __future__ import annotations

import math
from collections.abc import Callable, ItemsView
from typing import cast

from ._json_value import JsonValue
from ._limits import MAX_JSON_DEPTH, MAX_SAFE_INTEGER

Encode = Callable[[object], object]
"""Turns a value that JSON cannot say into one that it can."""

_FORBIDDEN_KEYS = frozenset(("__proto__", "constructor", "prototype"))


class NotJson(ValueError):
    """The value is not what its JSON would say. The text names the place, and never the value."""


def json_snapshot(value: object, path: str, encode: Encode | None = None) -> JsonValue:
    """
    A copy of plain JSON types. A tuple is an array; a subclass of a JSON type is the value that it holds.
    `encode` is asked once for a value of any other type.

    Raises NotJson.
    """
    return _snapshot(value, path, encode, MAX_JSON_DEPTH)


def _snapshot(value: object, path: str, encode: Encode | None, levels: int) -> JsonValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, int):
        return _integer(value, path)
    if isinstance(value, float):
        return _float(value, path)
    if isinstance(value, (dict, list, tuple)):
        if levels == 0:
            raise NotJson(f"{path}: expected at most {MAX_JSON_DEPTH} levels (does it contain itself?)")
        if isinstance(value, dict):
            return _object(cast("dict[object, object]", value), path, encode, levels - 1)
        items = cast("list[object] | tuple[object, ...]", value)
        return [_snapshot(item, f"{path}[{at}]", encode, levels - 1) for at, item in enumerate(items)]
    if encode is not None:
        return _snapshot(encode(value), path, None, levels)
    kind = type(value).__name__
    raise NotJson(
        f"{path}: expected a value that JSON can say; got {kind}. Pass encode= to say how it is written"
    )


def _object(value: dict[object, object], path: str, encode: Encode | None, levels: int) -> JsonValue:
    copy: dict[str, JsonValue] = {}
    for key, item in cast("ItemsView[object, object]", dict.items(value)):  # pyright: ignore[reportUnknownMemberType]
        if not isinstance(key, str):
            raise NotJson(f"{path}: expected keys that are text; got {type(key).__name__}")
        name = _text(key, path)
        if name in _FORBIDDEN_KEYS:
            raise NotJson(f"{path}: expected a key other than __proto__, constructor, prototype")
        copy[name] = _snapshot(item, f"{path}.{name}", encode, levels)
    return copy


def _text(value: str, path: str) -> str:
    text = str.__str__(value)
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise NotJson(f"{path}: expected well-formed Unicode; got a lone surrogate")
    return text


def _integer(value: int, path: str) -> int:
    number = int.__int__(value)
    if abs(number) > MAX_SAFE_INTEGER:
        raise NotJson(f"{path}: expected an integer within 2^53 - 1; pass a larger one as text")
    return number


def _float(value: float, path: str) -> float:
    number = float.__float__(value)
    if not math.isfinite(number):
        raise NotJson(f"{path}: expected a finite number")
    if number.is_integer() and abs(number) > MAX_SAFE_INTEGER:
        raise NotJson(f"{path}: expected an integer within 2^53 - 1; pass a larger one as text")
    # JSON has a negative zero, and readers disagree about it.
    return number if number != 0 else 0.0
