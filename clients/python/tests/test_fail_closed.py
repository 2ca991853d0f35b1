"""Whatever breaks between the library and the gateway: the function provably never runs."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from support.faults import FAULT_TIMEOUT_MS, FAULTS, Fault
from svc_client import AsyncClient, Client, Deny, SvcDenied, Verdict, govern_call, governed, governed_fn

ARGS: dict[str, Any] = {"amount": 12}


def check(verdict: Verdict, told: list[Deny], wanted: str) -> None:
    assert isinstance(verdict, Deny)
    assert (verdict.reason_code, verdict.fail_closed) == (wanted, True)
    assert "secret" not in str(verdict)
    assert told[0] == verdict


# Most of the time of a fault is waiting, so they run at once.
@pytest.fixture(scope="module")
def pool() -> Any:
    with ThreadPoolExecutor(32) as threads:
        yield threads


def judge(fault: Fault) -> tuple[list[Verdict], list[Deny], list[str]]:
    """The verdicts of both clients, what was told, and what ran in spite of them."""
    told: list[Deny] = []
    ran: list[str] = []
    with fault.start() as gateway:
        options: Any = {"timeout_ms": FAULT_TIMEOUT_MS, "on_fault": told.append}
        with Client(gateway.url, "svc_id_secret", environment={}, **options) as client:
            verdicts: list[Verdict] = [client.decide("payments.refund", ARGS, "agent-1")]
            call_all(client, ran)

            async def ask() -> Verdict:
                async with AsyncClient(gateway.url, "svc_id_secret", **options) as asking:
                    return await asking.decide("payments.refund", ARGS, "agent-1")

            verdicts.append(asyncio.run(ask()))
    return verdicts, told, ran


def call_all(client: Client, ran: list[str]) -> None:
    @governed_fn("payments.refund", agent_id="agent-1", client=client)
    def function(amount: int) -> None:
        ran.append("function")

    @governed_fn("payments.refund", agent_id="agent-1", client=client)
    async def coroutine(amount: int) -> None:
        ran.append("coroutine")

    def called(amount: int) -> None:
        ran.append("called")

    def attempt(what: Any) -> None:
        with pytest.raises(SvcDenied) as denied:
            what()
        assert denied.value.fail_closed

    attempts = (
        lambda: function(12),
        lambda: asyncio.run(coroutine(12)),
        lambda: govern_call("payments.refund", ARGS, agent_id="agent-1", fn=called, client=client),
    )
    with ThreadPoolExecutor(len(attempts)) as threads:
        list(threads.map(attempt, attempts))


@pytest.fixture(scope="module")
def results(pool: ThreadPoolExecutor) -> Any:
    return {fault: pool.submit(judge, fault) for fault in FAULTS}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.wanted}: {fault.name}")
def test_no_fault_becomes_an_allow(fault: Fault, results: Any) -> None:
    verdicts, told, ran = results[fault].result()
    for verdict in verdicts:
        check(verdict, told, fault.wanted)
    assert ran == []
    assert len(told) == 5


def test_the_agent_of_a_fault_can_go_on(results: Any) -> None:
    """The text is for a model: that the call was not run, and why."""
    verdicts, _, _ = results[FAULTS[0]].result()
    text = str(SvcDenied("payments.refund", verdicts[0]))
    assert text.startswith("payments.refund was denied: No answer came from the gateway (ECONNREFUSED).")
    assert "it was not run" in text


def test_a_governed_run_stops_at_a_fault(results: Any) -> None:
    del results
    with FAULTS[0].start() as gateway, Client(gateway.url, environment={}) as client:

        @governed(agent_id="agent-1", client=client)
        def run(__gov_ctx__: Any) -> str:
            __gov_ctx__.execute("payments.refund", ARGS)
            return "ran"

        with pytest.raises(SvcDenied):
            run()
