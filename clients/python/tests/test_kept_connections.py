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


def named(request: Request, status: int = 200) -> bytes:
    """An answer as the gateway gives it."""
    return render(status=status, headers={"x-request-id": request.headers["x-request-id"]})


def test_each_request_has_a_name_of_its_own(make: Make, gateway: ScriptedGateway) -> None:
    for asker in (make(gateway.url), make(gateway.url)):
        assert [asker.decide().decision for _ in range(3)] == ["allow"] * 3
    names = [request.headers["x-request-id"] for request in gateway.seen]
    assert len(set(names)) == 6
    assert len({name.rpartition("-")[0] for name in names}) == 2


def test_a_second_answer_to_one_question_is_not_the_answer_to_the_next(
    make: Make, gateway: ScriptedGateway
) -> None:
    """It comes while the next question is out. The gateway would deny that one."""
    first: list[bytes] = []

    def reply(request: Request) -> bytes:
        if len(gateway.seen) == 2:
            return first[0] + render(status=503)
        first.append(named(request))
        return first[-1]

    gateway.reply = reply
    asker = make(gateway.url)
    verdicts = [asker.decide() for _ in range(3)]
    stray = verdicts[1]
    assert isinstance(stray, Deny)
    assert (stray.reason_code, stray.fail_closed) == ("gateway_unreachable", True)
    assert "ANSWER_TO_ANOTHER_REQUEST" in stray.reason
    # Its connection is not used again.
    assert verdicts[2].decision == "allow"
    assert gateway.ports[0] == gateway.ports[1] != gateway.ports[2]


NOT_NAMED: dict[str, dict[str, str]] = {
    "no name": {},
    "the name of a proxy": {"x-request-id": "6f1e6a1e-6a0b-4c0c-9a43-1d4b2f0b7f0e"},
}


@pytest.mark.parametrize("headers", NOT_NAMED.values(), ids=NOT_NAMED)
def test_a_verdict_must_name_its_request_where_one_before_it_did(
    make: Make, gateway: ScriptedGateway, headers: dict[str, str]
) -> None:
    gateway.reply = lambda request: named(request) if len(gateway.seen) == 1 else render(headers=headers)
    asker = make(gateway.url)
    verdicts = [asker.decide() for _ in range(3)]
    # The third goes over another connection, on which nothing is named.
    assert [verdict.decision for verdict in verdicts] == ["allow", "deny", "allow"]
    assert isinstance(verdicts[1], Deny)
    assert verdicts[1].reason_code == "gateway_unreachable"


@pytest.mark.parametrize("headers", NOT_NAMED.values(), ids=NOT_NAMED)
def test_a_proxy_may_take_the_name_away(
    make: Make, gateway: ScriptedGateway, headers: dict[str, str]
) -> None:
    gateway.reply = lambda _: render(headers=headers)
    asker = make(gateway.url)
    assert [asker.decide().decision for _ in range(3)] == ["allow"] * 3
    assert len(set(gateway.ports)) == 1


def test_a_proxy_may_add_its_own_name(make: Make, gateway: ScriptedGateway) -> None:
    gateway.reply = lambda request: named(request).replace(b"\r\n", b"\r\nX-Request-Id: of-a-proxy\r\n", 1)
    asker = make(gateway.url)
    assert [asker.decide().decision for _ in range(3)] == ["allow"] * 3
    assert len(set(gateway.ports)) == 1
