"""Requests to the gateway over sockets that stay open."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ._answer import Answer
from ._answer_reader import AnswerReader
from ._deadline import Deadline, DeadlineExpired, Monotonic
from ._forget_in_child import forget_in_child
from ._in_process import in_process_gateway
from ._limits import MAX_CONNECTIONS, PROBLEM_WAIT_S
from ._request_names import AnswersOfConnection, RequestNames, named_request
from ._resolver import Address, Resolver
from ._settings import ClientSettings
from ._transport_fault import TransportFault

if TYPE_CHECKING:
    import ssl

T = TypeVar("T")

_READ_BYTES = 64 * 1024
"""Most bytes of one read."""

CLOSED = "CLIENT_CLOSED"


class Exchange:
    """
    For any number of threads. Opens no connection before the first request. A request is sent at most once:
    one that may have been judged is never repeated. No redirect is followed, and no proxy is used.
    """

    def __init__(
        self, settings: ClientSettings, monotonic: Monotonic, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._ssl_context = ssl_context
        self._resolver = Resolver(settings.host, settings.port)
        self._names = RequestNames()
        self._lock = threading.Lock()
        self._idle: list[_Connection] = []
        self._busy: set[_Connection] = set()
        self._is_closed = False
        forget_in_child(self)

    def send(self, request: bytes, deadline: Deadline, max_body_bytes: int) -> Answer:
        """Raises DeadlineExpired, TransportFault or an error of the operating system."""
        in_process = in_process_gateway()
        if in_process is not None:
            if self._is_closed:
                raise TransportFault(CLOSED)
            return in_process(request, self._settings)
        return self._receive(self._begin(request, deadline), deadline, max_body_bytes)

    def send_all(
        self, requests: Sequence[bytes], deadline: Deadline, max_body_bytes: int
    ) -> list[Answer | Exception]:
        """
        Each on a connection of its own, and all before it reads the first answer: what takes the gateway long takes it
        long once. At most as many as there may be connections.
        """
        if in_process_gateway() is not None:
            return [_tried(partial(self.send, each, deadline, max_body_bytes)) for each in requests]
        begun = [_tried(partial(self._begin, each, deadline)) for each in requests]
        return [
            each if isinstance(each, Exception) else _tried(partial(self._receive, each, deadline, max_body_bytes))
            for each in begun
        ]

    def close(self) -> None:
        """Closes all connections at once. Requests in flight end with a fault."""
        with self._lock:
            self._is_closed = True
            connections = [*self._idle, *self._busy]
            self._idle = []
        for connection in connections:
            connection.shut_down()

    def forget_parent(self) -> None:
        idle = self._idle
        self._lock = threading.Lock()
        self._idle = []
        self._busy = set()
        for connection in idle:
            # This closes the child's copy. The connection of the parent stays open.
            connection.close()

    def _begin(self, request: bytes, deadline: Deadline) -> _Connection:
        connection = self._take() or self._open(deadline)
        try:
            connection.send(request, self._names.next(), deadline)
        except BaseException:
            self._drop(connection)
            raise
        return connection

    def _receive(self, connection: _Connection, deadline: Deadline, max_body_bytes: int) -> Answer:
        try:
            answer = connection.receive(deadline, max_body_bytes)
            # An answer that was read too late counts as none.
            deadline.remaining_s()
        except BaseException:
            # Its answer may still come, and must not be taken for the answer to another request.
            self._drop(connection)
            raise
        self._give_back(connection, answer.reusable_s)
        return answer

    def _take(self) -> _Connection | None:
        while True:
            with self._lock:
                if self._is_closed:
                    raise TransportFault(CLOSED)
                if not self._idle:
                    return None
                connection = self._idle.pop()
                self._busy.add(connection)
            if connection.is_usable(self._monotonic()):
                return connection
            self._drop(connection)

    def _open(self, deadline: Deadline) -> _Connection:
        addresses = self._resolver.known() or self._resolver.lookup().wait(deadline)
        if not addresses:
            raise TransportFault("EAI_NODATA")
        for place, address in enumerate(addresses, start=1):
            connection = _Connection(address)
            with self._lock:
                if self._is_closed:
                    connection.close()
                    raise TransportFault(CLOSED)
                self._busy.add(connection)
            try:
                # Each address gets its part of the time, so one that is silent does not use it up.
                connection.connect(deadline, len(addresses) - place + 1)
                if self._settings.is_tls:
                    connection.secure(self._context(), self._settings.host, deadline)
                return connection
            except BaseException as error:
                self._drop(connection)
                if place == len(addresses) or not isinstance(error, OSError):
                    raise
        raise TransportFault("EAI_NODATA")

    def _context(self) -> ssl.SSLContext:
        if self._ssl_context is None:
            import ssl

            self._ssl_context = ssl.create_default_context()
        return self._ssl_context

    def _drop(self, connection: _Connection) -> None:
        with self._lock:
            self._busy.discard(connection)
        connection.close()

    def _give_back(self, connection: _Connection, reusable_s: float) -> None:
        connection.usable_until = self._monotonic() + reusable_s
        with self._lock:
            is_owned = connection in self._busy
            self._busy.discard(connection)
            if self._is_closed:
                connection.close()
                raise TransportFault(CLOSED)
            if is_owned and reusable_s > 0 and len(self._idle) < MAX_CONNECTIONS:
                self._idle.append(connection)
                return
        connection.close()


def _tried(do: Callable[[], T]) -> T | Exception:
    try:
        return do()
    except Exception as error:
        return error


class _Connection:
    """One connection, used by one thread at a time."""

    def __init__(self, address: Address) -> None:
        family, self._address = address
        self._socket: socket.socket = socket.socket(family, socket.SOCK_STREAM)
        self._answers = AnswersOfConnection()
        self._name = ""
        self.usable_until = 0.0

    def connect(self, deadline: Deadline, addresses_left: int) -> None:
        self._socket.settimeout(deadline.remaining_s() / addresses_left)
        try:
            self._socket.connect(self._address)
        except TimeoutError:
            deadline.remaining_s()
            if addresses_left == 1:
                raise DeadlineExpired from None
            raise
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def secure(self, context: ssl.SSLContext, host: str, deadline: Deadline) -> None:
        self._socket.settimeout(deadline.remaining_s())
        secured = context.wrap_socket(self._socket, server_hostname=host, do_handshake_on_connect=False)
        self._socket = secured
        try:
            secured.do_handshake()
        except TimeoutError:
            raise DeadlineExpired from None

    def send(self, request: bytes, name: str, deadline: Deadline) -> None:
        self._name = name
        self._socket.settimeout(deadline.remaining_s())
        try:
            self._socket.sendall(named_request(request, name))
        except TimeoutError:
            deadline.remaining_s()
            raise

    def receive(self, deadline: Deadline, max_body_bytes: int) -> Answer:
        """The answer to what was sent."""
        answer = self._read(deadline, max_body_bytes)
        self._answers.check(answer, self._name)
        return answer

    def _read(self, deadline: Deadline, max_body_bytes: int) -> Answer:
        reader = AnswerReader(max_body_bytes)
        try:
            while True:
                wait_s = deadline.remaining_s()
                is_refused = reader.refusal() is not None
                self._socket.settimeout(min(wait_s, PROBLEM_WAIT_S) if is_refused else wait_s)
                answer = reader.feed(self._socket.recv(_READ_BYTES))
                if answer is not None:
                    return answer
        except (OSError, TransportFault) as error:
            refusal = reader.refusal()
            if refusal is not None:
                return refusal
            # The time of the deadline, unless the system gave up the connection before.
            if isinstance(error, TimeoutError):
                deadline.remaining_s()
            raise

    def is_usable(self, now: float) -> bool:
        """Whether it is still open and silent. What a server says unasked is nobody's answer."""
        if now >= self.usable_until:
            return False
        poll = getattr(select, "poll", None)
        if poll is None:
            return not select.select([self._socket], [], [], 0)[0]
        # Not select(): it cannot watch a descriptor above 1023.
        watch = select.poll()
        watch.register(self._socket, select.POLLIN | select.POLLPRI)
        return not watch.poll(0)

    def shut_down(self) -> None:
        """Ends it for a thread that reads from it."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            # It was not connected, or is closed already.
            pass
        self.close()

    def close(self) -> None:
        self._socket.close()
