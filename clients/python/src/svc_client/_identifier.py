"""The grammar of the identifiers of organizations, and what came, for messages."""

from __future__ import annotations

import re

_IDENTIFIER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._:@/-]{0,127}")
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,128}")

IDENTIFIER_EXPECTATION = (
    "1 to 128 ASCII characters: a letter, digit or _ first, then letters, digits or . _ : @ / -"
)
IDEMPOTENCY_KEY_EXPECTATION = "1 to 128 visible ASCII characters without spaces"


def is_identifier(value: object) -> bool:
    return isinstance(value, str) and _IDENTIFIER.fullmatch(value) is not None


def is_idempotency_key(value: object) -> bool:
    return isinstance(value, str) and _IDEMPOTENCY_KEY.fullmatch(value) is not None


def require_identifier(field: str, value: object) -> None:
    """Raises ValueError that names the field."""
    if not is_identifier(value):
        raise ValueError(f"{field}: expected {IDENTIFIER_EXPECTATION}; got {excerpt(value)}")


def excerpt(value: object) -> str:
    """What came, short enough for a message. Only the type of anything that is not a text."""
    if not isinstance(value, str):
        return f"a value of type {type(value).__name__}"
    return repr(value if len(value) <= 64 else f"{value[:61]}...")
