"""Money is an integer of micro-USD inside; decimals live on the wire only."""

from __future__ import annotations

import re
from typing import TypeAlias, Union

from ._canonical_json import number_text
from ._limits import MAX_COST_MICRO_USD

Usd: TypeAlias = Union[str, int, float]
"""A decimal of USD. A float is read through its shortest decimal form: 0.1 is 100,000 micro-USD."""

_DECIMAL = re.compile(r"(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,6}))?")

USD_EXPECTATION = "a decimal of USD from 0 to 1000000000 with at most 6 decimals, as number or text"


def parse_usd(value: object) -> int | None:
    """Integer micro-USD; None when the value is not such an amount."""
    if isinstance(value, bool):
        return None
    text = _number(value) if isinstance(value, (int, float)) else value
    match = _DECIMAL.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    micro_usd = int(match[1]) * 1_000_000 + int((match[2] or "").ljust(6, "0"))
    return micro_usd if micro_usd <= MAX_COST_MICRO_USD else None


def format_usd(micro_usd: int) -> str:
    """The shortest decimal text: 1500000 is "1.5"."""
    sign = "-" if micro_usd < 0 else ""
    whole, fraction = divmod(abs(micro_usd), 1_000_000)
    decimals = f"{fraction:06d}".rstrip("0")
    return f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"


def require_usd(field: str, value: object) -> int:
    """Raises ValueError that names the field."""
    micro_usd = parse_usd(value)
    if micro_usd is None:
        raise ValueError(f"{field}: expected {USD_EXPECTATION}; got {value!r}")
    return micro_usd


def _number(value: int | float) -> str | None:
    if isinstance(value, int):
        return str(value) if 0 <= value <= MAX_COST_MICRO_USD else None
    # A sign, an infinity and a NaN stay what the pattern refuses.
    return number_text(value) if 0 < value < float("inf") or str(value) == "0.0" else None
