"""Writes what a framework has parsed with Pydantic as JSON. Imported only beside such a framework."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, cast

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from ..._json_snapshot import NotJson

MAX_KEPT_TYPES = 1_000
"""Types of arguments whose readers are kept, as count: a program has some dozens."""


def pydantic_json(value: object) -> object:
    """
    The value as JSON, if it can be read back from that. What a SecretStr hides, or a field with exclude=True, no
    policy would judge, and the tool would run with it.

    Raises NotJson.
    """
    written: object = to_jsonable_python(value)
    try:
        is_whole = bool(_reader_of(cast(Hashable, type(value))).validate_python(written) == value)
    # Reading a value back runs code of its type, and what that says may show the value.
    except Exception:
        is_whole = False
    if not is_whole:
        raise NotJson(
            f"args: expected arguments that can be read back from their JSON; got a {type(value).__name__}, which "
            "cannot: no policy could judge all of it. Give the tool an argument of another type"
        )
    return written


@lru_cache(maxsize=MAX_KEPT_TYPES)
def _reader_of(kind: Hashable) -> TypeAdapter[Any]:
    # Any annotation of an argument.
    return TypeAdapter(cast("type[Any]", kind))
