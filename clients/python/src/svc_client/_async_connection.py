"""One connection to the gateway in an event loop."""

from __future__ import annotations

import asyncio
import math
import select
import socket
from typing import cast

from ._answer import Answer
from ._answer_reader import AnswerReader
from ._deadline import DeadlineExpired
from ._limits import PROBLEM_WAIT_S
from ._request_names import AnswersOfConnection, named_request
from ._transport_fault import TransportFault


class AsyncConnection(asyncio.Protocol):
    """One connection, used by one task at a time. What comes while nobody asks makes it unusable."""

    def __init__(self, loop: asyncio.AbstractEventLoop, plain: socket.socket) -> None:
        self.loop = loop
        self.usable_until = 0.0
        self._plain = plain
        self._transport: asyncio.Transport | None = None
        self._is_over = False
        self._answers = AnswersOfConnection()
        self._reader: AnswerReader | None = None
        self._answer: asyncio.Future[Answer] | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._expiry = 0.0
        self._watch: asyncio.TimerHandle | None = None

    async def ask(self, request: bytes, name: str, max_body_bytes: int, within_s: float | None) -> Answer:
        if self._transport is None or self._is_over:
            raise TransportFault("CLOSED")
        self._reader = AnswerReader(max_body_bytes)
        self._answer = self.loop.create_future()
        self._expire_at(math.inf if within_s is None else self.loop.time() + within_s)
        try:
            self._transport.write(named_request(request, name))
            answer = await self._answer
            self._answers.check(answer, name)
            return answer
        finally:
            self._answer = None
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

    def _expire_at(self, expiry: float) -> None:
        """Keeps the time of a question. The timer of an earlier one goes on: a timer for each costs more than all else."""
        self._expiry = expiry
        if expiry == math.inf:
            return
        if self._watch is not None:
            if self._watch.when() <= expiry:
                return
            self._watch.cancel()
        self._watch = self.loop.call_at(expiry, self._look_at_time)

    def _look_at_time(self) -> None:
        self._watch = None
        if self._answer is None or self._answer.done() or self._expiry == math.inf:
            return
        if self.loop.time() < self._expiry:
            self._watch = self.loop.call_at(self._expiry, self._look_at_time)
        else:
            self._end(DeadlineExpired())

    def is_usable(self, now: float) -> bool:
        """Whether it is still open and silent, also where the loop has not had the time to notice."""
        if now >= self.usable_until or self._is_over or self._plain.fileno() < 0:
            return False
        if not hasattr(select, "poll"):
            return True
        watch = select.poll()
        watch.register(self._plain.fileno(), select.POLLIN | select.POLLPRI)
        return not watch.poll(0)

    def close(self) -> None:
        self._is_over = True
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        try:
            if self._transport is not None:
                self._transport.abort()
        except RuntimeError:
            # Its loop is closed, and would have closed the socket later.
            self._plain.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._answer is None or self._answer.done() or self._reader is None:
            self.close()
            return
        try:
            answer = self._reader.feed(data)
        # It ends the question instead of the loop.
        except Exception as error:
            self._end(error)
            return
        if answer is not None:
            self._answer.set_result(answer)
        elif self._patience is None and self._reader.refusal() is not None:
            self._patience = self.loop.call_later(PROBLEM_WAIT_S, self._end, TransportFault("CLOSED"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_over = True
        self._end(exc or TransportFault("CLOSED"))

    def _end(self, error: Exception) -> None:
        """No more of the answer comes. What is known of a refusal is enough."""
        if self._answer is None or self._answer.done():
            return
        refusal = None if self._reader is None else self._reader.refusal()
        if refusal is None:
            self._answer.set_exception(error)
        else:
            self._answer.set_result(refusal)
