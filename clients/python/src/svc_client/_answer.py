"""The answer of a server as it came. Nothing in it is checked yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, tuple[str, ...]]
    """By lower-case name; one value for each line."""
    body: bytes | None
    """The body of a 200, or the problem of a refusal. None when it is too long, or says nothing."""
    reusable_s: float
    """Seconds for which the connection may wait for its next request; 0: it must be closed."""

    def header(self, name: str) -> str | None:
        """The value of a header that stands there exactly once."""
        values = self.headers.get(name, ())
        return values[0] if len(values) == 1 else None
