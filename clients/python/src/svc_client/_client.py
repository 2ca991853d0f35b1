"""The synchronous client."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from ._asking import OnFault, deny_fault, deny_overloaded
from ._client_core import ClientCore, permitted
from ._deadline import Deadline, DeadlineExpired, Monotonic
from ._exchange import Exchange
from ._execute_call import ExecuteCall, MalformedCall, render_body
from ._fair_share import FairShare
from ._limits import MAX_CONNECTIONS, MAX_VERDICT_BYTES
from ._outcome_reports import OnLost
from ._read_verdict import read_verdict
from ._request import EXECUTE_PATH, RequestRenderer
from ._settings import settings_from_environment
from ._usd import Usd
from ._verdict import Allow, Deny, Verdict

if TYPE_CHECKING:
    import ssl

    from ._async_client import AsyncClient


class Client(ClientCore):
    """
    Asks a gateway about tool calls, from any number of threads. What is not given is read from SVC_URL,
    SVC_API_KEY, SVC_ORG_ID and SVC_DECISION_TIMEOUT_MS. Every fault between here and there is a deny.

    Raises ValueError for a setting that is not usable.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        org_id: str | None = None,
        timeout_ms: int | None = None,
        heartbeats: bool = False,
        ssl_context: ssl.SSLContext | None = None,
        on_fault: OnFault | None = None,
        on_lost_report: OnLost | None = None,
        environment: Mapping[str, str] = os.environ,
        monotonic: Monotonic = time.monotonic,
    ) -> None:
        settings = settings_from_environment(
            environment, base_url=base_url, api_key=api_key, org_id=org_id, timeout_ms=timeout_ms
        )
        super().__init__(
            settings,
            monotonic=monotonic,
            ssl_context=ssl_context,
            heartbeats=heartbeats,
            on_fault=on_fault,
            on_lost_report=on_lost_report,
        )
        self._request = RequestRenderer(settings)
        self._share = FairShare(MAX_CONNECTIONS)
        self._exchange = Exchange(settings, monotonic, ssl_context)
        self._async: AsyncClient | None = None

    def execute(
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
        """
        For calls that are not functions. Returns the allow: run the call with its `args`, then tell with
        `report_outcome` how it ended. Agent, session and namespace that are not given are those of the
        session around. `call_id` names a call that a framework may ask about twice.

        Raises SvcDenied or SvcApprovalRequired when the call must not run.
        """
        verdict = self.decide(
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

    def decide(
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
        """The same, with every verdict as a value. A fault is a deny, and never an exception."""
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
        return call if isinstance(call, Deny) else self.ask(call)

    def ask(self, call: ExecuteCall) -> Verdict:
        """One question, one deadline, one verdict."""
        try:
            verdict = self._ask(call)
        except MalformedCall as error:
            return self.malformed(error)
        # The only place where a fault ends. It becomes a deny, whatever it was.
        except Exception as error:
            verdict = deny_fault(error, self._settings)
        self.note(call, verdict)
        return verdict

    def close(self) -> None:
        """Waits a moment for outcome reports and ends of sessions, and closes all connections. Later questions are denied."""
        self._exchange.close()
        self.settle()
        if self._async is not None:
            self._async.close()
            self._async.settle()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def for_coroutines(self) -> AsyncClient:
        """An asynchronous client with the settings of this one. It goes with it."""
        if self._async is None:
            from ._async_client import AsyncClient

            self._async = AsyncClient(
                self._settings.base_url,
                self._settings.api_key,
                org_id=self._settings.org_id,
                timeout_ms=self._settings.timeout_ms,
                heartbeats=self._heartbeats is not None,
                ssl_context=self._ssl_context,
                on_fault=self._on_fault,
                on_lost_report=self._on_lost_report,
                monotonic=self._monotonic,
            )
        return self._async

    def _ask(self, call: ExecuteCall) -> Verdict:
        deadline = Deadline(self._settings.timeout_ms, self._monotonic)
        request = self._request.post(EXECUTE_PATH, render_body(call), call.idempotency_key)
        turn = threading.Lock()
        turn.acquire()
        leave = self._share.enter(call.agent_id, turn.release)
        if leave is None:
            return deny_overloaded()
        try:
            if not turn.acquire(timeout=deadline.remaining_s()):
                raise DeadlineExpired
            answer = self._exchange.send(request, deadline, MAX_VERDICT_BYTES)
        finally:
            leave()
        return read_verdict(answer, call.args, self._settings)
