"""The answer about one call that its framework runs later: soon, after a queue, more than once, or never."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from .answers import Answer, Permitted

FRESH_S = 1.0
"""Seconds for which an answer holds. After them the gateway is asked again, as after every pause."""


def is_fresh(since: float, monotonic: Callable[[], float] = time.monotonic) -> bool:
    """Whether an answer of then, in seconds of this clock, still holds."""
    return monotonic() - since <= FRESH_S


class BoundAnswer:
    """Holds once, and for a moment. After that the gateway is asked again."""

    def __init__(
        self,
        answer: Answer,
        ask: Callable[[Permitted | None], Awaitable[Answer]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._monotonic = monotonic
        self._answer: Answer | None = answer
        self._since = monotonic()

    async def take(self) -> Answer:
        """Called immediately before the tool would run."""
        answer, self._answer = self._answer, None
        if answer is None:
            return await self._ask(None)
        if not isinstance(answer, Permitted) or is_fresh(self._since, self._monotonic):
            return answer
        now = await self._ask(answer)
        answer.give_back_unless(now)
        return now
