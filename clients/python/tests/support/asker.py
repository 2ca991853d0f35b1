"""One client of either kind, so that a test runs for both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from support.gateways import PATIENT_MS
from svc_client import AsyncClient, Client, Verdict


class Asker:
    """One client of either kind. The asynchronous one runs on a loop of its own, as in a program."""

    def __init__(self, url: str, key: str | None, is_async: bool, **options: Any) -> None:
        options = {"timeout_ms": PATIENT_MS, **options}
        self.is_async = is_async
        self._runner = asyncio.new_event_loop() if is_async else None
        self._client: Any = (
            AsyncClient(url, key, **options) if is_async else Client(url, key, environment={}, **options)
        )

    def decide(self, tool: str = "payments.refund", **given: Any) -> Verdict:
        call: dict[str, Any] = {"args": {"amount": 12}, "agent_id": "agent-1", **given}
        return self.run(lambda: self._client.decide(tool, **call))

    def run(self, ask: Callable[[], Any]) -> Any:
        return ask() if self._runner is None else self._runner.run_until_complete(ask())

    @property
    def client(self) -> Any:
        return self._client

    def close(self) -> None:
        if self._runner is None or self._runner.is_closed():
            self._client.close()
        else:
            self._runner.run_until_complete(self._client.aclose())

    def end(self) -> None:
        self.close()
        if self._runner is not None:
            self._runner.run_until_complete(asyncio.sleep(0))
            self._runner.run_until_complete(self._runner.shutdown_default_executor())
            self._runner.close()


Make = Callable[..., Asker]
