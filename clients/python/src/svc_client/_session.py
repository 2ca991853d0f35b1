"""The session that calls belong to, carried by a context variable."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from ._name import require_name
from ._open_sessions import Inside


class Session:
    """
    One run of an agent. Counts what was allowed, as this process saw it; the gateway keeps the account that
    ceilings are judged by.
    """

    def __init__(
        self,
        session_id: str | None = None,
        *,
        agent_id: str | None = None,
        namespace: str | None = None,
        parent: Session | None = None,
    ) -> None:
        self.session_id = session_id if session_id is not None else f"s-{os.urandom(16).hex()}"
        require_name("session_id", self.session_id)
        if agent_id is not None:
            require_name("agent_id", agent_id)
        if namespace is not None:
            require_name("namespace", namespace)
        self.agent_id = agent_id
        self.namespace = namespace
        self.parent = parent
        # The collector may end a call while its own thread counts another one.
        self._lock = threading.RLock()
        self._steps = 0
        self._cost_micro_usd = 0

    @property
    def parent_session_id(self) -> str | None:
        parent = self.parent
        # No session started itself, however often it is entered.
        while parent is not None and parent.session_id == self.session_id:
            parent = parent.parent
        return None if parent is None else parent.session_id

    @property
    def steps(self) -> int:
        return self._steps

    @property
    def cost_micro_usd(self) -> int:
        return self._cost_micro_usd

    def count_step(self) -> None:
        with self._lock:
            self._steps += 1

    def add_cost(self, micro_usd: int) -> None:
        with self._lock:
            self._cost_micro_usd += micro_usd


current_session: ContextVar[Session | None] = ContextVar("svc_client_session", default=None)


@contextmanager
def session(
    session_id: str | None = None, *, agent_id: str | None = None, namespace: str | None = None
) -> Generator[Session]:
    """
    Everything inside belongs to this session: a conversation keeps its id over many runs. Without an id it
    gets a new one. With heartbeats, leaving the last block of the session ends its supervision.
    """
    entered = Session(session_id, agent_id=agent_id, namespace=namespace, parent=current_session.get())
    token = current_session.set(entered)
    try:
        with Inside(entered.session_id):
            yield entered
    finally:
        current_session.reset(token)
