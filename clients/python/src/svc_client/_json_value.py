"""The types of JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, Union

JsonValue: TypeAlias = Union[
    None, bool, int, float, str, Sequence["JsonValue"], Mapping[str, "JsonValue"]
]
JsonObject: TypeAlias = dict[str, JsonValue]
