"""One deadline over everything that a question takes: turn, name, connection, headers and body."""

from __future__ import annotations

from collections.abc import Callable

Monotonic = Callable[[], float]
"""Seconds that only move forward. A change of the clock on the wall moves no deadline."""


class DeadlineExpired(Exception):
    """No whole answer came in time."""


class Deadline:
    """Starts now."""

    def __init__(self, timeout_ms: int, monotonic: Monotonic) -> None:
        self._monotonic = monotonic
        self._end = monotonic() + timeout_ms / 1_000

    def remaining_s(self) -> float:
        """More than 0. Raises DeadlineExpired."""
        remaining = self._end - self._monotonic()
        if not remaining > 0:
            raise DeadlineExpired
        return remaining
