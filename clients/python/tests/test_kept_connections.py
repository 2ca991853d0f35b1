"""Questions over a connection that an earlier one left open. Each case runs for both clients."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from support.asker import Make
from support.gateways import Request, ScriptedGateway, render
from svc_client import AsyncClient, Deny

TIMEOUT_MS = 400


def only_first(gateway: ScriptedGateway) -> None:
    gateway.reply = lambda _: render() if len(gateway.seen) == 1 else None


def test_a_gateway_that_falls_silent_is_a_deny_in_time(make: Make, gateway: ScriptedGateway) -> None:
    only_first(gateway)
    asker = make(gateway.url, timeout_ms=TIMEOUT_MS)
    assert asker.decide().decision == "allow"
    began = time.monotonic()
    verdict = asker.decide()
    assert isinstance(verdict, Deny)
    assert verdict.reason_code == "decision_timeout"
    assert time.monotonic() - began >= TIMEOUT_MS / 1_000 * 0.9


def test_the_time_of_an_earlier_question_ends_no_later_one(make: Make, gateway: ScriptedGateway) -> None:
    asker = make(gateway.url, timeout_ms=TIMEOUT_MS)
    until = time.monotonic() + TIMEOUT_MS / 1_000 * 2.5

    def slow(_: Request) -> bytes:
        time.sleep(TIMEOUT_MS / 1_000 * 0.3)
        return render()

    gateway.reply = slow
    while time.monotonic() < until:
        assert asker.decide().decision == "allow"


def test_a_task_that_is_cancelled_leaves_no_answer_behind(gateway: ScriptedGateway) -> None:
    only_first(gateway)

    async def main() -> list[Any]:
        async with AsyncClient(gateway.url, None) as client:
            first = await client.decide("pay", {}, "agent-1")
            task = asyncio.ensure_future(client.decide("pay", {}, "agent-1"))
            while len(gateway.seen) < 2:
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            gateway.reply = lambda _: render(status=503)
            return [first, await client.decide("pay", {}, "agent-1")]

    first, last = asyncio.run(main())
    assert first.decision == "allow"
    assert last.reason_code == "gateway_refused"
