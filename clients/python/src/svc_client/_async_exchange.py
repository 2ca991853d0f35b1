"""Requests to the gateway over the streams of an event loop."""

from __future__ import annotations

import asyncio
import select
import socket
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ._answer import Answer
from ._answer_reader import AnswerReader
from ._deadline import Monotonic
from ._exchange import CLOSED
from ._forget_in_child import forget_in_child
from ._limits import MAX_CONNECTIONS
from ._resolver import Address, Resolver
from ._settings import ClientSettings
from ._transport_fault import TransportFault

if TYPE_CHECKING:
    import ssl

_READ_BYTES = 64 * 1024
"""Most bytes of one read."""


class AsyncExchange:
    """
    Opens no connection before the first request. A request is sent at most once; no redirect is followed, and
    no proxy is used. It has no clock: whoever asks must keep the time, and cancel. Connections belong to the
    loop that opened them.
    """

    def __init__(
        self, settings: ClientSettings, monotonic: Monotonic, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._ssl_context = ssl_context
        self._resolver = Resolver(settings.host, settings.port)
        self._is_closed = False
        self.forget_parent()
        forget_in_child(self)

    def forget_parent(self) -> None:
        self._idle: WeakKeyDictionary[asyncio.AbstractEventLoop, list[_Connection]] = WeakKeyDictionary()
        self._busy: set[_Connection] = set()

    async def send(self, request: bytes, max_body_bytes: int) -> Answer:
        """Raises TransportFault or an error of the operating system."""
        connection = self._take() or await self._open()
        try:
            answer = await connection.ask(request, max_body_bytes)
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

    def _take(self) -> _Connection | None:
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

    async def _open(self) -> _Connection:
        addresses = self._resolver.known() or await self._look_up()
        faults: list[OSError] = []
        for address in addresses:
            try:
                connection = await self._connect(address)
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

    async def _connect(self, address: Address) -> _Connection:
        loop = asyncio.get_running_loop()
        family, target = address
        plain = socket.socket(family, socket.SOCK_STREAM)
        try:
            plain.setblocking(False)
            await loop.sock_connect(plain, target)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if not self._settings.is_tls:
                streams = await asyncio.open_connection(sock=plain)
            else:
                # Whoever waits for the verdict cancels this earlier.
                streams = await asyncio.open_connection(
                    sock=plain, ssl=self._context(), server_hostname=self._settings.host
                )
        except BaseException:
            plain.close()
            raise
        return _Connection(loop, plain, *streams)

    def _context(self) -> ssl.SSLContext:
        if self._ssl_context is None:
            import ssl

            self._ssl_context = ssl.create_default_context()
        return self._ssl_context

    def _drop(self, connection: _Connection) -> None:
        self._busy.discard(connection)
        connection.close()

    def _give_back(self, connection: _Connection, reusable_s: float) -> None:
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


class _Connection:
    """One connection, used by one task at a time."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        plain: socket.socket,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.loop = loop
        self._plain = plain
        self._reader = reader
        self._writer = writer
        self.usable_until = 0.0

    async def ask(self, request: bytes, max_body_bytes: int) -> Answer:
        reader = AnswerReader(max_body_bytes)
        self._writer.write(request)
        await self._writer.drain()
        while True:
            answer = reader.feed(await self._reader.read(_READ_BYTES))
            if answer is not None:
                return answer

    def is_usable(self, now: float) -> bool:
        """Whether it is still open and silent, also where the loop has not had the time to notice."""
        if now >= self.usable_until or self._writer.is_closing() or self._reader.at_eof():
            return False
        descriptor = self._plain.fileno()
        if descriptor < 0 or not hasattr(select, "poll"):
            return descriptor >= 0
        watch = select.poll()
        watch.register(descriptor, select.POLLIN | select.POLLPRI)
        return not watch.poll(0)

    def close(self) -> None:
        try:
            self._writer.transport.abort()
        except RuntimeError:
            # Its loop is closed, and would have closed the socket later.
            self._plain.close()
