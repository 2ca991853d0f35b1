"""The asynchronous client, for asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from ._answer import Answer
from ._asking import OnFault, deny_fault, deny_overloaded
from ._async_exchange import AsyncExchange
from ._client_core import ClientCore, permitted
from ._deadline import Deadline, DeadlineExpired, Monotonic
from ._execute_call import ExecuteCall, MalformedCall, render_body
from ._fair_share import FairShare
from ._limits import MAX_CONNECTIONS, MAX_VERDICT_BYTES
from ._outcome_reports import OnLost
from ._read_verdict import read_verdict
from ._request import EXECUTE_PATH, RequestRenderer
from ._settings import make_settings
from ._usd import Usd
from ._verdict import Allow, Deny, Verdict

if TYPE_CHECKING:
    import ssl


class AsyncClient(ClientCore):
    """
    Asks a gateway about tool calls from the tasks of an event loop. It reads no environment variable: address
    and key must be given. Every fault between here and there is a deny. A task that is cancelled while it
    asks is cancelled, and its call does not run.

    Raises ValueError for a setting that is not usable.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        *,
        org_id: str | None = None,
        timeout_ms: int | None = None,
        heartbeats: bool = False,
        ssl_context: ssl.SSLContext | None = None,
        on_fault: OnFault | None = None,
        on_lost_report: OnLost | None = None,
        monotonic: Monotonic = time.monotonic,
    ) -> None:
        super().__init__(
            make_settings(base_url, api_key, org_id, timeout_ms),
            monotonic=monotonic,
            ssl_context=ssl_context,
            heartbeats=heartbeats,
            on_fault=on_fault,
            on_lost_report=on_lost_report,
        )
        self._request = RequestRenderer(self._settings)
        self._share = FairShare(MAX_CONNECTIONS)
        self._exchange = AsyncExchange(self._settings, monotonic, ssl_context)

    async def execute(
        self,
        tool: str,
        args: Mapping[str, object],
        agent_id: str | None = None,
        session_id: str | None = None,
        namespace: str | None = None,
        *,
        cost_usd: Usd | None = None,
        call_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Allow:
        """As `Client.execute`."""
        verdict = await self.decide(
            tool,
            args,
            agent_id,
            session_id,
            namespace,
            cost_usd=cost_usd,
            call_id=call_id,
            idempotency_key=idempotency_key,
        )
        return permitted(tool, verdict)

    async def decide(
        self,
        tool: str,
        args: Mapping[str, object],
        agent_id: str | None = None,
        session_id: str | None = None,
        namespace: str | None = None,
        *,
        cost_usd: Usd | None = None,
        call_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Verdict:
        """As `Client.decide`."""
        call = self.call_or_deny(
            partial(
                self.make_call,
                tool,
                args,
                agent_id=agent_id,
                session_id=session_id,
                namespace=namespace,
                cost_usd=cost_usd,
                call_id=call_id,
                idempotency_key=idempotency_key,
            )
        )
        return call if isinstance(call, Deny) else await self.ask(call)

    async def ask(self, call: ExecuteCall) -> Verdict:
        """One question, one deadline, one verdict."""
        try:
            verdict = await self._ask(call)
        except MalformedCall as error:
            return self.malformed(error)
        # The only place where a fault ends. It becomes a deny, whatever it was.
        except Exception as error:
            verdict = deny_fault(error, self._settings)
        self.note(call, verdict)
        return verdict

    def close(self) -> None:
        """Closes all connections at once. Reports and ends of sessions are sent while the process lives."""
        self._exchange.close()
        if self._heartbeats is not None:
            self._heartbeats.end_all()

    async def aclose(self) -> None:
        """As `Client.close`."""
        self._exchange.close()
        await asyncio.get_running_loop().run_in_executor(None, self.settle)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _ask(self, call: ExecuteCall) -> Verdict:
        deadline = Deadline(self._settings.timeout_ms, self._monotonic)
        request = self._request.post(EXECUTE_PATH, render_body(call), call.idempotency_key)
        turn = _Turn()
        leave = self._share.enter(call.agent_id, turn.start)
        if leave is None:
            return deny_overloaded()
        try:
            answer = await self._answer(turn, request, deadline)
        finally:
            leave()
        # A blocked event loop delivers the answer and the end of its time at once.
        deadline.remaining_s()
        return read_verdict(answer, call.args, self._settings)

    async def _answer(self, turn: _Turn, request: bytes, deadline: Deadline) -> Answer:
        """Raises DeadlineExpired, also while it waits for its turn or a connection."""
        idle = self._exchange.take_idle() if turn.has_begun else None
        if idle is not None:
            return await self._exchange.ask(idle, request, MAX_VERDICT_BYTES, deadline.remaining_s())
        exchange = asyncio.ensure_future(self._exchange_in_turn(turn, request, deadline))
        try:
            # Not wait_for(): it can lose a cancellation, or outlast its time until a cancelled task has ended.
            done, _ = await asyncio.wait({exchange}, timeout=deadline.remaining_s())
        finally:
            exchange.cancel()
        if not done:
            raise DeadlineExpired
        return exchange.result()

    async def _exchange_in_turn(self, turn: _Turn, request: bytes, deadline: Deadline) -> Answer:
        await turn.began()
        return await self._exchange.send(request, deadline, MAX_VERDICT_BYTES)


class _Turn:
    """A place among the connections, which may be given on another thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._has_begun = False
        self._waiting: asyncio.Future[None] | None = None

    @property
    def has_begun(self) -> bool:
        return self._has_begun

    def start(self) -> None:
        self._has_begun = True
        if self._waiting is None:
            return
        try:
            self._loop.call_soon_threadsafe(self._settle)
        except RuntimeError:
            # The loop is closed, and nobody waits any more.
            pass

    async def began(self) -> None:
        if self._has_begun:
            return
        self._waiting = self._loop.create_future()
        # It may have begun on another thread meanwhile.
        if not self._has_begun:
            await self._waiting

    def _settle(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)
