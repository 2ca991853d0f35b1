"""Looks up the address of the gateway within a deadline, which the resolver of the system does not keep."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any, TypeAlias

from ._deadline import Deadline, DeadlineExpired
from ._forget_in_child import forget_in_child

Address: TypeAlias = "tuple[socket.AddressFamily, tuple[Any, ...]]"


class Lookup:
    """One question to the resolver of the system, on a thread of its own that nobody has to wait for."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._listeners: list[Callable[[], None]] = []
        self._addresses: list[Address] = []
        self._error: Exception | None = None

    def start(self) -> None:
        threading.Thread(target=self._run, name="svc-client-resolver", daemon=True).start()

    @property
    def found(self) -> list[Address]:
        return self._addresses

    def wait(self, deadline: Deadline) -> list[Address]:
        if not self._done.wait(deadline.remaining_s()):
            raise DeadlineExpired
        return self.addresses()

    def on_done(self, listener: Callable[[], None]) -> None:
        """Called once, on some thread; at once when the answer is there."""
        with self._lock:
            if not self._done.is_set():
                self._listeners.append(listener)
                return
        listener()

    def addresses(self) -> list[Address]:
        if self._error is not None:
            raise self._error
        return self._addresses

    @property
    def is_done(self) -> bool:
        return self._done.is_set()

    def _run(self) -> None:
        try:
            self._addresses = look_up(self._host, self._port)
        # Each waiter raises the error as its own. A lookup without an end would hang them all.
        except Exception as error:
            self._error = error
        self._settled()

    def settle(self, addresses: list[Address]) -> None:
        """Answers it without a question."""
        self._addresses = addresses
        self._settled()

    def _settled(self) -> None:
        with self._lock:
            self._done.set()
            listeners = self._listeners
            self._listeners = []
        for listener in listeners:
            listener()


class Resolver:
    """Questions of one client share a lookup, so a resolver that hangs holds one thread and not thousands."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._lock = threading.Lock()
        self._lookup: Lookup | None = None
        self._numeric: list[Address] | None = _numeric(host, port)
        forget_in_child(self)

    def forget_parent(self) -> None:
        self._lock = threading.Lock()
        self._lookup = None

    def known(self) -> list[Address] | None:
        """The address, where the host is one and nobody has to be asked."""
        return self._numeric

    def lookup(self) -> Lookup:
        """
        The lookup that is on its way, or a new one. At the end of the process no thread can be started: what is sent
        then goes to the address that was found last.
        """
        with self._lock:
            lookup = self._lookup
            if lookup is None or lookup.is_done:
                found = [] if lookup is None else lookup.found
                lookup = Lookup(self._host, self._port)
                try:
                    lookup.start()
                except RuntimeError:
                    if not found:
                        raise
                    lookup.settle(found)
                self._lookup = lookup
            return lookup


def look_up(host: str, port: int, flags: int = 0) -> list[Address]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return [(family, address) for family, _, _, _, address in found]


def _numeric(host: str, port: int) -> list[Address] | None:
    try:
        return look_up(host, port, socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return None
