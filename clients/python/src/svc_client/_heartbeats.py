"""Heartbeats for the sessions whose calls were allowed. None of this delays a call or raises."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Protocol

from ._at_exit import exit_has_begun, settle_at_exit, watch_exit
from ._deadline import Monotonic
from ._execute_call import ExecuteCall
from ._forget_in_child import forget_in_child
from ._heartbeat import CarriedSession, Heartbeat, interval_of
from ._in_process import is_test_decision
from ._json_value import JsonObject
from ._limits import DOCUMENT_TIMEOUT_MS
from ._open_sessions import open_sessions
from ._verdict import Allow, Verdict

MAX_CARRIED_SESSIONS = 1_000
"""Sessions whose heartbeats one process sends, as count. Calls of further ones are not supervised by it."""

CLOSE_S = 5.0
"""Longest wait in seconds for the ends of all sessions, when the client is closed or the process ends."""

_END_TIMEOUT_MS = 2_000
"""Milliseconds for one batch of these. A gateway that does not answer in time is not asked again."""

_MAX_BATCH = 128
"""
Heartbeats on their way at once, as count. The gateway stores the first and the last one of a session before it
answers, which takes half a second: one after another, they would come too late.
"""

_MAX_LAST_BATCH = 256
"""
The same when the process ends, where a thousand of these have to be through in five seconds, and nothing else needs
the connections.
"""

_END_REPEATED_S = 60.0
"""Seconds for which the end of a session is sent again while the gateway is away. An end that is lost is silence."""

_SENT_AFTER = 0.75
"""Part of the interval after which the next heartbeat is sent, so that none counts as missed on its way."""

_REPEATED_AFTER_S = 3.0
"""Seconds after which a heartbeat that failed is sent again, which is well before its session counts as silent."""

_BACKOFF_S = 1.0
"""Seconds without a heartbeat after one that failed, so that a gateway that recovers is not flooded."""


class PostsDocuments(Protocol):
    def post_all(
        self, documents: Sequence[tuple[str, bytes]], timeout_ms: int
    ) -> list[JsonObject | Exception]: ...


class Heartbeats:
    """One thread sends those that are due together, and waits for all answers."""

    exit_limit_s = CLOSE_S

    def __init__(self, gateway: PostsDocuments, monotonic: Monotonic) -> None:
        self._gateway = gateway
        self._monotonic = monotonic
        self._is_closed = False
        self._is_awaited = False
        self._answers = 0
        """Requests that ended, with an answer or without."""
        self.forget_parent()
        forget_in_child(self)
        open_sessions.listen(self)
        settle_at_exit(self)

    def forget_parent(self) -> None:
        # The parent goes on with the sessions that began in it. The lock lets in its own holder: the collector may
        # close a generator, and with it a session, at any moment.
        self._changed = threading.Condition(threading.RLock())
        self._sessions: dict[tuple[str, str], CarriedSession] = {}
        self._left = 0
        """Sessions whose ends were not sent, as count."""
        self._has_thread = False

    def judged(self, call: ExecuteCall, verdict: Verdict) -> None:
        """A call of the session was judged. The first one that is allowed begins its heartbeats."""
        if call.session_id is None:
            return
        key = (call.agent_id, call.session_id)
        now = self._monotonic()
        with self._changed:
            known = self._sessions.get(key)
            if self._is_closed:
                return
            if known is not None:
                known.called = now
                known.ended = None
                return
            is_new = isinstance(verdict, Allow) and not is_test_decision(verdict.decision_id)
            if not is_new or len(self._sessions) >= MAX_CARRIED_SESSIONS:
                return
            parent = None if call.session is None else call.session.parent_session_id
            self._sessions[key] = CarriedSession(call.agent_id, call.session_id, parent, now)
            self._wake()

    def began(self, call: ExecuteCall, attempt: object) -> None:
        """The call runs until `finished`. A call that takes an hour keeps its session for so long."""
        with self._changed:
            carried = self._sessions.get((call.agent_id, call.session_id or ""))
            if carried is not None:
                carried.running.add(attempt)

    def finished(self, call: ExecuteCall, attempt: object) -> None:
        with self._changed:
            carried = self._sessions.get((call.agent_id, call.session_id or ""))
            if carried is not None:
                carried.running.discard(attempt)
                carried.called = self._monotonic()

    def ended(self, session_id: str) -> None:
        """Its last block or run was left. How the run ended is not told: supervision does not ask."""
        with self._changed:
            for carried in self._sessions.values():
                if carried.session_id == session_id:
                    self._end(carried)
            self._changed.notify_all()

    def end_all(self) -> None:
        """Ends the supervision of every session, and begins no other. Waits for nothing."""
        with self._changed:
            self._is_closed = True
            for carried in self._sessions.values():
                self._end(carried)
            self._changed.notify_all()

    def begin_exit(self) -> None:
        """The same for one who waits: a gateway that is away is not asked again."""
        with self._changed:
            self._is_awaited = True
            self.end_all()

    def settle(self, timeout_s: float) -> bool:
        """
        Waits for the ends. False: the time was over before, or the gateway was silent for the time of one end. Those
        that are left are not sent.
        """
        end = self._monotonic() + timeout_s
        with self._changed:
            while self._sessions:
                answers = self._answers
                wait = min(_END_TIMEOUT_MS / 1_000, end - self._monotonic())
                if wait <= 0 or not self._changed.wait_for(lambda: self._answers > answers, wait):
                    break
            self._give_up()
            left, self._left = self._left, 0
        if left > 0:
            _log_left(left)
        return left == 0

    def close(self) -> None:
        """Ends the supervision of every session, as far as there is time."""
        self.begin_exit()
        self.settle(CLOSE_S)

    def _end(self, carried: CarriedSession) -> None:
        if carried.ended is None:
            carried.ended = self._monotonic()
        carried.due = min(carried.due, self._monotonic())

    def _give_up(self) -> None:
        """Sends no more. The lock is held."""
        self._left += len(self._sessions)
        self._sessions.clear()

    def _wake(self) -> None:
        """The lock is held."""
        self._changed.notify_all()
        if self._has_thread:
            return
        self._has_thread = True
        try:
            watch_exit()
            threading.Thread(target=self._beat_all, name="svc-client-heartbeats", daemon=True).start()
        except RuntimeError as error:
            self._has_thread = False
            self._sessions.clear()
            if not exit_has_begun():
                _log_no_thread(error)

    def _beat_all(self) -> None:
        while True:
            with self._changed:
                batch = [Heartbeat(each, self._is_ending(each)) for each in self._wait_for_due()]
                if not batch:
                    self._has_thread = False
                    return
                timeout_ms = _END_TIMEOUT_MS if self._is_awaited else DOCUMENT_TIMEOUT_MS
            intervals = self._send(batch, timeout_ms)
            with self._changed:
                for beat, interval in zip(batch, intervals):
                    self._sent(beat, interval)
                self._answers += 1
                # One of many may fail for a reason of its own. A gateway that answers none of them is away.
                if self._is_awaited and all(each is None for each in intervals):
                    self._give_up()
                self._changed.notify_all()
                if None in intervals and self._sessions:
                    self._changed.wait(_BACKOFF_S)

    def _wait_for_due(self) -> list[CarriedSession]:
        """Those that are due first, after a wait; none when no session is left. The lock is held."""
        while self._sessions:
            most = _MAX_LAST_BATCH if self._is_awaited else _MAX_BATCH
            by_time = sorted(self._sessions.values(), key=lambda each: each.due)[:most]
            wait = by_time[0].due - self._monotonic()
            if wait <= 0:
                return [each for each in by_time if each.due <= self._monotonic()]
            self._changed.wait(wait)
        return []

    def _is_ending(self, carried: CarriedSession) -> bool:
        if carried.is_idle(self._monotonic()):
            self._end(carried)
        return carried.ended is not None

    def _sent(self, beat: Heartbeat, interval: float | None) -> None:
        """The lock is held."""
        carried = beat.carried
        now = self._monotonic()
        carried.due = now + (_REPEATED_AFTER_S if interval is None else interval * _SENT_AFTER)
        # A call that came meanwhile keeps the session, whose supervision begins again.
        if carried.ended is None:
            return
        if beat.is_end and (interval is not None or now - carried.ended >= _END_REPEATED_S):
            self._sessions.pop((carried.agent_id, carried.session_id), None)
        else:
            carried.due = now

    def _send(self, batch: Sequence[Heartbeat], timeout_ms: int) -> list[float | None]:
        try:
            answers = self._gateway.post_all([each.document() for each in batch], timeout_ms)
        # A heartbeat that is missing is told by the gateway's own supervision, and to nobody else.
        except Exception:
            return [None] * len(batch)
        return [interval_of(each) for each in answers]


def _log_left(left: int) -> None:
    import logging

    sessions = "1 session" if left == 1 else f"{left} sessions"
    logging.getLogger("svc_client").warning(
        "the ends of %s were not sent in time; the gateway will take them for silent", sessions
    )


def _log_no_thread(error: RuntimeError) -> None:
    import logging

    logging.getLogger("svc_client").warning("no heartbeats are sent: no thread can be started: %s", error)
