"""The sessions whose blocks and runs this process is inside, so that the last one that is left ends the session."""

from __future__ import annotations

import threading
from collections import Counter
from types import TracebackType
from typing import Protocol
from weakref import WeakSet

from ._forget_in_child import forget_in_child


class HearsOfEnds(Protocol):
    def ended(self, session_id: str) -> None: ...


class OpenSessions:
    """A generator that nobody needs is closed by the collector, at any moment of any thread: the lock lets it in."""

    def __init__(self) -> None:
        self._listeners: WeakSet[HearsOfEnds] = WeakSet()
        self.forget_parent()
        forget_in_child(self)

    def forget_parent(self) -> None:
        # The blocks that a child inherits are left in the parent.
        self._lock = threading.RLock()
        self._depths: Counter[str] = Counter()

    def listen(self, listener: HearsOfEnds) -> None:
        with self._lock:
            self._listeners.add(listener)

    def is_open(self, session_id: str) -> bool:
        return session_id in self._depths

    def enter(self, session_id: str) -> None:
        with self._lock:
            self._depths[session_id] += 1

    def leave(self, session_id: str) -> None:
        with self._lock:
            self._depths[session_id] -= 1
            if self._depths[session_id] > 0:
                return
            del self._depths[session_id]
            listeners = list(self._listeners)
        for each in listeners:
            each.ended(session_id)


open_sessions = OpenSessions()


class Inside:
    """A block of a session: entered once and left once."""

    def __init__(self, session_id: str) -> None:
        self._session_id = session_id

    def __enter__(self) -> None:
        open_sessions.enter(self._session_id)

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        open_sessions.leave(self._session_id)
