"""Requests to the gateway over the connections of an event loop."""

from __future__ import annotations

import asyncio
import errno
import socket
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ._answer import Answer
from ._async_connection import AsyncConnection
from ._deadline import Deadline, Monotonic
from ._exchange import CLOSED
from ._forget_in_child import forget_in_child
from ._in_process import in_process_gateway
from ._limits import MAX_CONNECTIONS
from ._request_names import RequestNames
from ._resolver import Address, Resolver
from ._settings import ClientSettings
from ._transport_fault import TransportFault

if TYPE_CHECKING:
    import ssl


class AsyncExchange:
    """
    Opens no connection before the first request. A request is sent at most once; no redirect is followed, and
    no proxy is used. The caller must keep the time, and cancel. Connections belong to the loop that opened
    them.
    """

    def __init__(
        self, settings: ClientSettings, monotonic: Monotonic, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._ssl_context = ssl_context
        self._resolver = Resolver(settings.host, settings.port)
        self._names = RequestNames()
        self._is_closed = False
        self.forget_parent()
        forget_in_child(self)

    def forget_parent(self) -> None:
        self._idle: WeakKeyDictionary[asyncio.AbstractEventLoop, list[AsyncConnection]] = WeakKeyDictionary()
        self._busy: set[AsyncConnection] = set()

    async def send(self, request: bytes, deadline: Deadline, max_body_bytes: int) -> Answer:
        """Raises TransportFault or an error of the operating system."""
        in_process = in_process_gateway()
        if in_process is not None:
            if self._is_closed:
                raise TransportFault(CLOSED)
            return in_process(request, self._settings)
        connection = self._take() or await self._open(deadline)
        return await self.ask(connection, request, max_body_bytes)

    def take_idle(self) -> AsyncConnection | None:
        """A connection that is open and free; None: `send` has to find another way. Pass it to `ask`."""
        return self._take() if in_process_gateway() is None else None

    async def ask(
        self, connection: AsyncConnection, request: bytes, max_body_bytes: int, within_s: float | None = None
    ) -> Answer:
        """
        Without `within_s`, the caller must keep the time.

        Raises DeadlineExpired, TransportFault or an error of the operating system.
        """
        try:
            answer = await connection.ask(request, self._names.next(), max_body_bytes, within_s)
        except BaseException:
            # Its answer may still come, and must not be taken for the answer to another request.
            self._drop(connection)
            raise
        self._give_back(connection, answer.reusable_s)
        return answer

    def close(self) -> None:
        """Closes all connections at once. Requests in flight end with a fault."""
        self._is_closed = True
        connections = [each for idle in self._idle.values() for each in idle]
        connections += self._busy
        self.forget_parent()
        for connection in connections:
            connection.close()

    def _take(self) -> AsyncConnection | None:
        if self._is_closed:
            raise TransportFault(CLOSED)
        idle = self._idle.get(asyncio.get_running_loop(), [])
        while idle:
            connection = idle.pop()
            if connection.is_usable(self._monotonic()):
                self._busy.add(connection)
                return connection
            connection.close()
        return None

    async def _open(self, deadline: Deadline) -> AsyncConnection:
        addresses = self._resolver.known() or await self._look_up()
        faults: list[OSError] = []
        for place, address in enumerate(addresses):
            try:
                connection = await self._connect_within(address, deadline, len(addresses) - place)
            except OSError as error:
                faults.append(error)
                continue
            if self._is_closed:
                connection.close()
                raise TransportFault(CLOSED)
            self._busy.add(connection)
            return connection
        raise faults[-1] if faults else TransportFault("EAI_NODATA")

    async def _look_up(self) -> list[Address]:
        loop = asyncio.get_running_loop()
        lookup = self._resolver.lookup()
        done = loop.create_future()

        def settle() -> None:
            if not done.done():
                done.set_result(None)

        def on_done() -> None:
            try:
                loop.call_soon_threadsafe(settle)
            except RuntimeError:
                # The loop is closed, and nobody waits any more.
                pass

        lookup.on_done(on_done)
        await done
        return lookup.addresses()

    async def _connect_within(self, address: Address, deadline: Deadline, addresses_left: int) -> AsyncConnection:
        """Each address gets its part of the time, so one that is silent does not use it up."""
        if addresses_left == 1:
            return await self._connect(address)
        connecting = asyncio.ensure_future(self._connect(address))
        try:
            done, _ = await asyncio.wait({connecting}, timeout=deadline.remaining_s() / addresses_left)
        except BaseException:
            _abandon(connecting)
            raise
        if not done:
            _abandon(connecting)
            raise TimeoutError(errno.ETIMEDOUT, "no connection in time")
        return connecting.result()

    async def _connect(self, address: Address) -> AsyncConnection:
        loop = asyncio.get_running_loop()
        family, target = address
        plain = socket.socket(family, socket.SOCK_STREAM)
        try:
            plain.setblocking(False)
            await loop.sock_connect(plain, target)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # The caller cancels a handshake that takes too long.
            context = self._context() if self._settings.is_tls else None
            name = self._settings.host if self._settings.is_tls else None
            _, connection = await loop.create_connection(
                lambda: AsyncConnection(loop, plain), sock=plain, ssl=context, server_hostname=name
            )
        except BaseException:
            plain.close()
            raise
        return connection

    def _context(self) -> ssl.SSLContext:
        if self._ssl_context is None:
            import ssl

            self._ssl_context = ssl.create_default_context()
        return self._ssl_context

    def _drop(self, connection: AsyncConnection) -> None:
        self._busy.discard(connection)
        connection.close()

    def _give_back(self, connection: AsyncConnection, reusable_s: float) -> None:
        is_owned = connection in self._busy
        self._busy.discard(connection)
        if self._is_closed:
            connection.close()
            raise TransportFault(CLOSED)
        connection.usable_until = self._monotonic() + reusable_s
        idle = self._idle.setdefault(connection.loop, [])
        if is_owned and reusable_s > 0 and len(idle) < MAX_CONNECTIONS:
            idle.append(connection)
        else:
            connection.close()


def _abandon(connecting: asyncio.Future[AsyncConnection]) -> None:
    """Nobody waits for the connection. One that is made all the same is closed."""

    def close(done: asyncio.Future[AsyncConnection]) -> None:
        if not done.cancelled() and done.exception() is None:
            done.result().close()

    connecting.cancel()
    connecting.add_done_callback(close)
