"""Reports to the gateway how calls ended, on a thread of its own: no call waits for a report."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol
from weakref import WeakSet

from ._at_exit import settle_at_exit, watch_exit
from ._forget_in_child import forget_in_child
from ._in_process import in_process_gateway, is_test_decision
from ._json_value import JsonObject
from ._limits import EXIT_FLUSH_S, MAX_WAITING_REPORTS
from ._outcome import Outcome, render_outcome
from ._request import OUTCOME_PATH
from ._transport_fault import transport_code

OnLost = Callable[[Outcome, Exception], None]

_IDLE_S = 5.0
"""Seconds without a report after which the thread ends. The next report starts another one."""


class PostsDocuments(Protocol):
    def post(self, path: str, body: bytes) -> JsonObject: ...


class TooManyReports(Exception):
    """More reports wait than may."""


class OutcomeReports:
    """A report that cannot be delivered is lost: its decision then stays without an outcome."""

    exit_limit_s = EXIT_FLUSH_S

    def __init__(self, gateway: PostsDocuments, on_lost: OnLost | None = None) -> None:
        self._gateway = gateway
        self._on_lost = on_lost or _log_lost
        self.forget_parent()
        forget_in_child(self)
        _open_reports.add(self)
        settle_at_exit(self)

    def forget_parent(self) -> None:
        # The parent sends what waits in it. The lock lets in its own holder: the collector may close a generator, and
        # so end its call, at any moment.
        self._changed = threading.Condition(threading.RLock())
        self._waiting: deque[Outcome] = deque()
        self._is_sending = False
        self._has_thread = False

    def report(self, outcome: Outcome) -> None:
        """Never raises, and never waits for the gateway."""
        try:
            with self._changed:
                if len(self._waiting) >= MAX_WAITING_REPORTS:
                    raise TooManyReports(f"{MAX_WAITING_REPORTS} reports wait")
                self._waiting.append(outcome)
                self._changed.notify()
                if self._has_thread:
                    return
                self._has_thread = True
            watch_exit()
            threading.Thread(target=self._send_all, name="svc-client-outcomes", daemon=True).start()
        except RuntimeError as error:
            # No thread can be started, for instance at the end of the process.
            with self._changed:
                self._has_thread = False
                self._waiting.clear()
            self._tell_lost(outcome, error)
        except TooManyReports as error:
            self._tell_lost(outcome, error)

    def begin_exit(self) -> None:
        """What waits is on its way already."""

    def settle(self, timeout_s: float) -> bool:
        """Waits until no report waits or is in flight. False: the time was over before."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._is_sending, timeout_s)

    def _send_all(self) -> None:
        while True:
            with self._changed:
                if not self._changed.wait_for(lambda: len(self._waiting) > 0, _IDLE_S):
                    self._has_thread = False
                    return
                outcome = self._waiting.popleft()
                self._is_sending = True
            try:
                self._deliver(outcome)
            # Whatever went wrong, this report is lost and the next one is sent.
            except Exception as error:
                self._tell_lost(outcome, error)
            finally:
                with self._changed:
                    self._is_sending = False
                    self._changed.notify_all()

    def _deliver(self, outcome: Outcome) -> None:
        body = render_outcome(outcome)
        if not is_test_decision(outcome.decision_id):
            self._gateway.post(OUTCOME_PATH, body)
            return
        gateway = in_process_gateway()
        # Once the test is over, nobody asks how the call ended.
        if gateway is not None:
            gateway(f"POST {OUTCOME_PATH} HTTP/1.1\r\n\r\n".encode("ascii") + body, None)

    def _tell_lost(self, outcome: Outcome, error: Exception) -> None:
        try:
            self._on_lost(outcome, error)
        except Exception:
            # A listener that fails must not end the thread, nor the call that reports.
            _log_lost(outcome, error)


_open_reports: WeakSet[OutcomeReports] = WeakSet()


def _log_lost(outcome: Outcome, error: Exception) -> None:
    import logging

    why = transport_code(error) if isinstance(error, OSError) else f"{type(error).__name__} {error}"
    logging.getLogger("svc_client").warning(
        "the outcome %s of decision %s could not be reported: %s", outcome.status, outcome.decision_id, why
    )


def settle_reports(timeout_s: float) -> None:
    """Waits until no report of the process waits."""
    end = time.monotonic() + timeout_s
    for each in list(_open_reports):
        each.settle(max(0.0, end - time.monotonic()))
