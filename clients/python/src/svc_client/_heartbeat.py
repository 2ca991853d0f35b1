"""One heartbeat of a session, and what its answer says."""

from __future__ import annotations

import json
from urllib.parse import quote
from weakref import WeakSet

from ._gateway_documents import DocumentRefused
from ._json_value import JsonObject
from ._open_sessions import open_sessions

IDLE_SESSION_S = 600.0
"""Seconds without a call after which a session ends whose block or run the process is not inside."""

FIRST_INTERVAL_S = 15.0
"""Seconds between two heartbeats of a session until an answer names the interval."""

_MIN_INTERVAL_S = 1.0
_MAX_INTERVAL_S = 3_600.0
"""Shortest and longest interval in seconds that an answer may name."""


class CarriedSession:
    """A session and when its next heartbeat is due."""

    def __init__(self, agent_id: str, session_id: str, parent_session_id: str | None, now: float) -> None:
        self.agent_id = agent_id
        self.session_id = session_id
        self.parent_session_id = parent_session_id
        self.due = now
        self.called = now
        self.ended: float | None = None
        """Since when it has ended; None: it lives."""
        self.running: WeakSet[object] = WeakSet()
        """Its calls that run. One that is forgotten without an end does not run."""

    def is_idle(self, now: float) -> bool:
        if self.running or open_sessions.is_open(self.session_id):
            return False
        return now - self.called >= IDLE_SESSION_S


class Heartbeat:
    """One heartbeat of a session."""

    def __init__(self, carried: CarriedSession, is_end: bool) -> None:
        self.carried = carried
        self.is_end = is_end

    def document(self) -> tuple[str, bytes]:
        body: dict[str, object] = {"session_id": self.carried.session_id}
        if self.carried.parent_session_id is not None:
            body["parent_session_id"] = self.carried.parent_session_id
        if self.is_end:
            body["ended"] = True
        path = f"/api/v1/agents/{quote(self.carried.agent_id, safe='')}/heartbeat"
        return path, json.dumps(body).encode()


def interval_of(answer: JsonObject | Exception) -> float | None:
    """The interval in seconds that the answer names; None when no answer came."""
    if isinstance(answer, DocumentRefused):
        # A repeat does not change that the gateway does not supervise this agent.
        return None if answer.is_temporary else FIRST_INTERVAL_S
    if isinstance(answer, Exception):
        return None
    seconds = answer.get("interval_seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return FIRST_INTERVAL_S
    return min(max(float(seconds), _MIN_INTERVAL_S), _MAX_INTERVAL_S)
