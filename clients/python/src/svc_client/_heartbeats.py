"""Heartbeats for the sessions whose calls were allowed. None of this delays a call or raises."""

from __future__ import annotations

import json
import threading
from typing import Protocol
from urllib.parse import quote

from ._deadline import Monotonic
from ._execute_call import ExecuteCall
from ._forget_in_child import forget_in_child
from ._in_process import is_test_decision
from ._json_value import JsonObject
from ._verdict import Allow, Verdict

MAX_CARRIED_SESSIONS = 1_000
"""Sessions whose heartbeats one process sends, as count. Calls of further ones are not supervised by it."""

IDLE_SESSION_S = 600.0
"""Seconds without a call after which a session counts as ended."""

_FIRST_INTERVAL_S = 15.0
"""Seconds between two heartbeats of a session until an answer names the interval."""

_SENT_AFTER = 0.75
"""Part of the interval after which the next heartbeat is sent, so that none counts as missed on its way."""

_BACKOFF_S = 1.0
"""Seconds without a heartbeat after one that failed, so that a gateway that recovers is not flooded."""

_CLOSE_S = 1.0
"""Seconds for the heartbeats that end sessions when the client is closed. The rest is not sent."""

_MIN_INTERVAL_S = 1.0
_MAX_INTERVAL_S = 3_600.0
"""Shortest and longest interval in seconds that an answer may name."""


class PostsDocuments(Protocol):
    def post(self, path: str, body: bytes) -> JsonObject: ...


class _Carried:
    """A session and when its next heartbeat is due."""

    def __init__(self, agent_id: str, session_id: str, parent_session_id: str | None, now: float) -> None:
        self.agent_id = agent_id
        self.session_id = session_id
        self.parent_session_id = parent_session_id
        self.due = now
        self.called = now
        self.is_ending = False


class Heartbeats:
    """One request is in flight at a time, so heartbeats need one connection."""

    def __init__(self, gateway: PostsDocuments, monotonic: Monotonic) -> None:
        self._gateway = gateway
        self._monotonic = monotonic
        self._is_closed = False
        self.forget_parent()
        forget_in_child(self)

    def forget_parent(self) -> None:
        # The parent goes on with the sessions that began in it.
        self._changed = threading.Condition(threading.Lock())
        self._sessions: dict[tuple[str, str], _Carried] = {}
        self._has_thread = False
        self._is_sending = False

    def judged(self, call: ExecuteCall, verdict: Verdict) -> None:
        """A call of the session was judged. The first one that is allowed begins its heartbeats."""
        if call.session_id is None:
            return
        key = (call.agent_id, call.session_id)
        now = self._monotonic()
        with self._changed:
            known = self._sessions.get(key)
            if known is not None:
                known.called = now
                known.is_ending = False
                return
            is_new = isinstance(verdict, Allow) and not is_test_decision(verdict.decision_id)
            if not is_new or self._is_closed or len(self._sessions) >= MAX_CARRIED_SESSIONS:
                return
            parent = None if call.session is None else call.session.parent_session_id
            self._sessions[key] = _Carried(call.agent_id, call.session_id, parent, now)
            self._wake()

    def ended(self, session_id: str) -> None:
        """The session ended in good order."""
        with self._changed:
            for carried in self._sessions.values():
                if carried.session_id == session_id:
                    carried.is_ending = True
                    carried.due = self._monotonic()
            self._wake()

    def close(self) -> None:
        """Ends the supervision of every session, as far as there is time."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
            # One that arrives after the end of its session would begin the supervision again.
            self._changed.wait_for(lambda: not self._is_sending, _CLOSE_S)
            carried = list(self._sessions.values())
            self._sessions.clear()
        end = self._monotonic() + _CLOSE_S
        for each in carried:
            each.is_ending = True
            if self._monotonic() >= end or self._send(each) is None:
                return

    def _wake(self) -> None:
        """The lock is held."""
        self._changed.notify_all()
        if self._has_thread or not self._sessions or self._is_closed:
            return
        try:
            threading.Thread(target=self._beat_all, name="svc-client-heartbeats", daemon=True).start()
            self._has_thread = True
        except RuntimeError:
            # No thread can be started at the end of the process. The sessions end with it.
            self._sessions.clear()

    def _beat_all(self) -> None:
        while True:
            with self._changed:
                carried = self._next()
                if carried is None:
                    self._has_thread = False
                    return
                if self._monotonic() - carried.called >= IDLE_SESSION_S:
                    carried.is_ending = True
                is_ending = carried.is_ending
                carried.due = self._monotonic() + _FIRST_INTERVAL_S * _SENT_AFTER
                self._is_sending = True
            interval = self._send(carried)
            with self._changed:
                self._is_sending = False
                self._changed.notify_all()
                if interval is not None:
                    carried.due = self._monotonic() + interval * _SENT_AFTER
                # A call that came meanwhile keeps the session, whose supervision begins again. One that
                # ended is forgotten also when the gateway did not take it: it may not know the agent.
                if is_ending and carried.is_ending:
                    self._sessions.pop((carried.agent_id, carried.session_id), None)
                if interval is None:
                    self._changed.wait(_BACKOFF_S)

    def _next(self) -> _Carried | None:
        """The session that is due, after a wait; None when none is left. The lock is held."""
        while self._sessions and not self._is_closed:
            carried = min(self._sessions.values(), key=lambda each: each.due)
            wait = carried.due - self._monotonic()
            if wait <= 0:
                return carried
            self._changed.wait(wait)
        return None

    def _send(self, carried: _Carried) -> float | None:
        """The interval in seconds that the answer names; None when the gateway did not take it."""
        body: dict[str, object] = {"session_id": carried.session_id}
        if carried.parent_session_id is not None:
            body["parent_session_id"] = carried.parent_session_id
        if carried.is_ending:
            body["ended"] = True
        path = f"/api/v1/agents/{quote(carried.agent_id, safe='')}/heartbeat"
        try:
            seconds = self._gateway.post(path, json.dumps(body).encode()).get("interval_seconds")
        # A heartbeat that is missing is told by the gateway's own supervision, and to nobody else.
        except Exception:
            return None
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            return _FIRST_INTERVAL_S
        return min(max(float(seconds), _MIN_INTERVAL_S), _MAX_INTERVAL_S)
