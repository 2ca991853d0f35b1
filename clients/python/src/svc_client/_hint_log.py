"""Writes hints for the operator to the log."""

from __future__ import annotations

import time

from ._verdict import Deny

_REPEATED_AFTER_S = 60.0
"""Seconds after which the same hint is written again: a gateway that is away denies every call."""


class HintLog:
    """To the logger `svc_client`, which writes warnings to the standard error where nothing else is set up."""

    def __init__(self) -> None:
        self._last: str | None = None
        self._written = 0.0

    def write(self, deny: Deny) -> None:
        now = time.monotonic()
        if deny.hint is None or (deny.hint == self._last and now - self._written < _REPEATED_AFTER_S):
            return
        self._last = deny.hint
        self._written = now
        import logging

        logging.getLogger("svc_client").warning("%s %s", deny.reason, deny.hint)
