"""Agents, threads and processes that share a client."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor

from support.gateways import PATIENT_MS, Request, ScriptedGateway, eventually, render
from svc_client import AsyncClient, Client, Deny, SvcDenied, Verdict
from svc_client._limits import MAX_WAITING_PER_AGENT


class TestShares:
    """Questions of one agent leave connections for those of another, however many there are."""

    def test_of_tasks(self) -> None:
        def reply(request: Request) -> bytes | None:
            return None if request.document["agent_id"] == "greedy" else render()

        async def main() -> None:
            async with AsyncClient(gateway.url, None, timeout_ms=PATIENT_MS) as client:
                greedy = [asyncio.ensure_future(client.decide("pay", {}, "greedy")) for _ in range(300)]
                modest = await asyncio.gather(*(client.decide("pay", {}, "modest") for _ in range(20)))
                assert [each.decision for each in modest] == ["allow"] * 20
                for task in greedy:
                    task.cancel()
                await asyncio.gather(*greedy, return_exceptions=True)

        with ScriptedGateway(reply=reply) as gateway:
            asyncio.run(main())

    def test_past_a_bound_are_denied_by_name(self) -> None:
        async def main() -> Verdict:
            async with AsyncClient(gateway.url, None, timeout_ms=PATIENT_MS) as client:
                count = MAX_WAITING_PER_AGENT + 300
                asked = [asyncio.ensure_future(client.decide("pay", {}, "greedy")) for _ in range(count)]
                await asyncio.sleep(0)
                verdict = await client.decide("pay", {}, "greedy")
                for task in asked:
                    task.cancel()
                await asyncio.gather(*asked, return_exceptions=True)
                return verdict

        with ScriptedGateway(reply=lambda _: None) as gateway:
            verdict = asyncio.run(main())
        assert isinstance(verdict, Deny)
        assert (verdict.reason_code, verdict.fail_closed) == ("adapter_overloaded", True)

    def test_of_threads(self) -> None:
        free = threading.Event()

        def reply(request: Request) -> bytes | None:
            if request.document["agent_id"] == "greedy":
                free.wait(10)
            return render()

        with ScriptedGateway(reply=reply) as gateway, Client(gateway.url, environment={}) as client:
            with ThreadPoolExecutor(200) as threads:
                greedy = [threads.submit(client.decide, "pay", {}, "greedy") for _ in range(180)]
                eventually(lambda: len(gateway.seen) >= 100, "the greedy agent")
                assert client.decide("pay", {}, "modest").decision == "allow"
                free.set()
                assert {each.result().decision for each in greedy} == {"allow"}


class TestFork:
    """A child that reads from a connection of its parent could get the verdict on another call."""

    def test_a_child_opens_connections_of_its_own(self) -> None:
        with ScriptedGateway() as gateway, Client(gateway.url, environment={}) as client:
            client.decide("pay", {}, "agent-1")
            told, tell = os.pipe()
            child = os.fork()
            if child == 0:
                decision = client.decide("pay", {}, "agent-1").decision
                os.write(tell, decision.encode())
                os._exit(0)
            os.waitpid(child, 0)
            assert os.read(told, 16) == b"allow"
            client.decide("pay", {}, "agent-1")
            os.close(told)
            os.close(tell)
        parent, forked, again = gateway.ports
        assert parent == again
        assert parent != forked

    def test_a_child_of_a_busy_parent_neither_hangs_nor_takes_its_answers(self) -> None:
        """Locks that other threads hold, reports that wait and questions in flight stay with the parent."""
        with ScriptedGateway() as gateway, Client(gateway.url, environment={}) as client:
            stop = threading.Event()

            def ask() -> None:
                while not stop.is_set():
                    verdict = client.decide("pay", {}, "agent-1")
                    assert verdict.decision == "allow"
                    client.report_outcome(verdict, "succeeded")

            with ThreadPoolExecutor(4) as threads:
                asking = [threads.submit(ask) for _ in range(4)]
                try:
                    for _ in range(10):
                        assert decided_in_child(client) == "deny"
                finally:
                    stop.set()
                for each in asking:
                    each.result()


def decided_in_child(client: Client) -> str:
    child = os.fork()
    if child == 0:
        code = 2
        try:
            client.execute("denied", {}, "agent-1")
        except SvcDenied as error:
            code = 1 if error.reason == "Not this one." else 3
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return {0: "allow", 1: "deny"}.get(os.waitstatus_to_exitcode(status), f"status {status}")
