"""What a client sends, when it gives up, and what it never does. Each case runs for both clients."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from support.faults import FAULT_TIMEOUT_MS
from support.gateways import (
    ALLOW,
    ALLOW_BODY,
    PATIENT_MS,
    Gateway,
    Peer,
    Request,
    ScriptedGateway,
    answering,
    eventually,
    render,
)
from svc_client import AsyncClient, Client, Deny, SvcDenied, Verdict
from svc_client._limits import MAX_VERDICT_BYTES, MAX_WAITING_PER_AGENT


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


@pytest.fixture(params=[False, True], ids=["Client", "AsyncClient"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    made: list[Asker] = []

    def start(url: str, key: str | None = None, **options: Any) -> Asker:
        made.append(Asker(url, key, request.param, **options))
        return made[-1]

    yield start
    for each in made:
        each.end()


class TestReadableVerdicts:
    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"args_constrained": True, "shaped_args": {"amount": 10}},
            {"policy_id": "p", "policy_version": 3, "mode": "shadow", "repeated": True},
        ],
    )
    def test_are_passed_on_unchanged(self, make: Make, gateway: ScriptedGateway, fields: dict[str, Any]) -> None:
        gateway.reply = lambda _: render(json.dumps({**ALLOW, **fields}).encode())
        verdict = make(gateway.url).decide()
        assert verdict.decision == "allow"
        assert verdict.args == fields.get("shaped_args", {"amount": 12})
        for name, value in fields.items():
            assert name == "shaped_args" or getattr(verdict, name) == value

    def test_of_exactly_the_largest_size(self, make: Make, gateway: ScriptedGateway) -> None:
        gateway.reply = lambda _: render(ALLOW_BODY.ljust(MAX_VERDICT_BYTES))
        assert make(gateway.url).decide().decision == "allow"

    def test_in_chunks_that_come_byte_by_byte(self, make: Make) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nTransfer-Encoding: chunked\r\n"
        chunks = b"5\r\n" + ALLOW_BODY[:5] + b"\r\n%x\r\n" % len(ALLOW_BODY[5:]) + ALLOW_BODY[5:] + b"\r\n0\r\n\r\n"
        answer = b"HTTP/1.1 103 Early Hints\r\n\r\n" + head + b"\r\n" + chunks

        def script(peer: Peer) -> None:
            peer.read_request()
            for at in range(len(answer)):
                peer.write(answer[at : at + 1])

        with Gateway(script) as slow:
            assert make(slow.url).decide().decision == "allow"


class TestWhatIsSent:
    def test_is_the_call_with_nothing_that_the_caller_did_not_name(
        self, make: Make, gateway: ScriptedGateway
    ) -> None:
        make(gateway.url).decide()
        request = gateway.seen[0]
        assert request.path == "/api/v1/gateway/execute"
        assert request.document == {"agent_id": "agent-1", "tool": "payments.refund", "args": {"amount": 12}}
        assert not {"authorization", "x-svc-org-id", "idempotency-key"} & set(request.headers)

    def test_carries_every_field_the_key_the_organization_and_the_idempotency_key(
        self, make: Make, gateway: ScriptedGateway
    ) -> None:
        asker = make(f"{gateway.url}/prefix/", "svc_id_secret", org_id="org-1")
        asker.decide(session_id="s-1", namespace="ns", cost_usd=1.5, idempotency_key="request-1")
        request = gateway.seen[0]
        assert request.path == "/prefix/api/v1/gateway/execute"
        sent = request.document
        assert (sent["session_id"], sent["namespace"], sent["cost_usd"]) == ("s-1", "ns", "1.5")
        assert request.headers["authorization"] == "Bearer svc_id_secret"
        assert request.headers["x-svc-org-id"] == "org-1"
        assert request.headers["idempotency-key"] == "request-1"
        assert request.headers["host"] == f"127.0.0.1:{gateway.port}"

    @pytest.mark.parametrize("how", ["closes", "answers 503", "hangs"])
    def test_is_asked_once(self, make: Make, how: str) -> None:
        asked: list[str] = []

        def script(peer: Peer) -> None:
            while peer.read_request() is not None:
                asked.append(how)
                if how == "closes":
                    return
                if how == "hangs":
                    peer.hang()
                peer.write(render(status=503, headers={"retry-after": "0"}))

        with Gateway(script) as gateway:
            verdict = make(gateway.url, timeout_ms=FAULT_TIMEOUT_MS).decide()
            assert isinstance(verdict, Deny)
            assert verdict.fail_closed
            assert asked == [how]

    def test_never_goes_into_a_connection_that_the_gateway_has_closed_meanwhile(self, make: Make) -> None:
        ports: list[int] = []
        closed = threading.Semaphore(0)

        def script(peer: Peer) -> None:
            request = peer.read_request()
            if request is None:
                return
            ports.append(request.port)
            peer.write(render())
            peer.socket.shutdown(socket.SHUT_RDWR)
            closed.release()

        with Gateway(script) as gateway:
            asker = make(gateway.url)
            for _ in range(3):
                assert asker.decide().decision == "allow"
                assert closed.acquire(timeout=10)
                # The end of the connection is on its way through the kernel.
                time.sleep(0.02)
        assert len(set(ports)) == 3

    def test_never_takes_what_the_gateway_says_unasked(self, make: Make) -> None:
        """A second answer behind the first one is nobody's."""
        said = threading.Semaphore(0)

        def script(peer: Peer) -> None:
            while (request := peer.read_request()) is not None:
                deny = render(b'{"decision":"deny","reason":"no","fail_closed":false}')
                is_first = request.document["tool"] == "first"
                peer.write(render() if is_first else deny)
                if is_first:
                    time.sleep(0.02)
                    peer.write(render())
                    said.release()

        with Gateway(script) as gateway:
            asker = make(gateway.url)
            assert asker.decide("first").decision == "allow"
            assert said.acquire(timeout=10)
            time.sleep(0.02)
            assert asker.decide("second").decision == "deny"

    def test_goes_over_one_kept_connection_when_calls_come_one_after_another(
        self, make: Make, gateway: ScriptedGateway
    ) -> None:
        asker = make(gateway.url)
        for _ in range(20):
            asker.decide()
        assert len(set(gateway.ports)) == 1

    @pytest.mark.parametrize("headers", [{"connection": "close"}, {"keep-alive": "timeout=1"}])
    def test_leaves_a_connection_that_the_gateway_wants_to_end(
        self, make: Make, gateway: ScriptedGateway, headers: dict[str, str]
    ) -> None:
        gateway.reply = lambda _: render(headers=headers)
        asker = make(gateway.url)
        for _ in range(3):
            asker.decide()
        assert len(set(gateway.ports)) == 3

    def test_uses_no_proxy_of_the_environment(
        self, make: Make, gateway: ScriptedGateway, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with ScriptedGateway() as proxy:
            for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.url)
            assert make(gateway.url).decide().decision == "allow"
            assert (len(gateway.seen), proxy.seen) == (1, [])


class TestDeadline:
    def test_an_answer_that_comes_too_late_is_not_taken_for_that_of_the_next_call(self, make: Make) -> None:
        late = threading.Event()
        calls: list[int] = []

        def script(peer: Peer) -> None:
            while peer.read_request() is not None:
                calls.append(1)
                if len(calls) == 1:
                    late.wait(10)
                    peer.write(render())
                else:
                    peer.write(render(b'{"decision":"unreadable"}'))

        with Gateway(script) as gateway:
            asker = make(gateway.url, timeout_ms=FAULT_TIMEOUT_MS)
            first = asker.decide()
            late.set()
            second = asker.decide()
        assert isinstance(first, Deny)
        assert isinstance(second, Deny)
        assert [first.reason_code, second.reason_code] == ["decision_timeout", "verdict_unreadable"]

    def test_an_allow_that_was_read_after_the_deadline_is_a_deny(
        self, make: Make, gateway: ScriptedGateway
    ) -> None:
        """Even when no timer fired, as on a machine that slept."""
        begin = time.monotonic()

        def monotonic() -> float:
            return begin + (PATIENT_MS if gateway.seen else 0)

        verdict = make(gateway.url, monotonic=monotonic).decide()
        assert isinstance(verdict, Deny)
        assert verdict.reason_code == "decision_timeout"
        assert len(gateway.seen) == 1

    @pytest.mark.parametrize("jump_s", [-86_400.0, 86_400.0])
    def test_a_change_of_the_clock_on_the_wall_moves_nothing(
        self, make: Make, gateway: ScriptedGateway, monkeypatch: pytest.MonkeyPatch, jump_s: float
    ) -> None:
        asker = make(gateway.url)
        wall = time.time
        gateway.reply = lambda _: [monkeypatch.setattr(time, "time", lambda: wall() + jump_s), render()][1]
        assert [asker.decide().decision for _ in range(3)] == ["allow"] * 3

    def test_a_clock_that_fails_does_not_leave_the_caller_waiting(
        self, make: Make, gateway: ScriptedGateway
    ) -> None:
        def monotonic() -> float:
            if gateway.seen:
                raise OSError("no clock")
            return 0.0

        verdict = make(gateway.url, monotonic=monotonic).decide()
        assert isinstance(verdict, Deny)
        assert verdict.fail_closed

    def test_a_resolver_that_hangs_is_a_deny_in_time(
        self, make: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        free = threading.Event()
        look_up = socket.getaddrinfo

        def hang(host: str, *args: Any, **options: Any) -> Any:
            if host != "slow.invalid" or options.get("flags", 0):
                return look_up(host, *args, **options)
            free.wait(30)
            raise socket.gaierror(socket.EAI_AGAIN, "no answer")

        monkeypatch.setattr(socket, "getaddrinfo", hang)
        asker = make("http://slow.invalid:8080", timeout_ms=200)
        begin = time.monotonic()
        verdicts = [asker.decide() for _ in range(3)]
        assert time.monotonic() - begin < 10
        assert [each.reason_code for each in verdicts if isinstance(each, Deny)] == ["decision_timeout"] * 3
        # The questions share one lookup, and one thread.
        assert sum(each.name == "svc-client-resolver" for each in threading.enumerate()) == 1
        free.set()
        eventually(
            lambda: all(each.name != "svc-client-resolver" for each in threading.enumerate()), "the thread"
        )


class TestItNeverRaises:
    def test_an_observer_that_raises_does_not_undo_the_deny(self, make: Make) -> None:
        def on_fault(_: Deny) -> None:
            raise RuntimeError("the log is full")

        with answering(render(status=503)) as gateway:
            verdict = make(gateway.url, on_fault=on_fault).decide()
        assert isinstance(verdict, Deny)
        assert verdict.reason_code == "gateway_refused"

    def test_a_closed_client_denies(self, make: Make, gateway: ScriptedGateway) -> None:
        asker = make(gateway.url)
        asker.close()
        verdict = asker.decide()
        assert isinstance(verdict, Deny)
        assert verdict.reason_code == "gateway_unreachable"
        assert gateway.seen == []

    def test_a_defect_of_the_client_is_a_deny(
        self, make: Make, gateway: ScriptedGateway, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def defect(*_: object) -> None:
            raise AssertionError("secret")

        for module in ("_client", "_async_client"):
            monkeypatch.setattr(f"svc_client.{module}.read_verdict", defect)
        verdict = make(gateway.url).decide()
        assert isinstance(verdict, Deny)
        assert verdict.reason_code == "internal_error"
        assert "secret" not in str(verdict)


class TestReasons:
    @pytest.mark.parametrize(
        ("status", "told"), [(401, "status 401: it refused the API key"), (403, "API key"), (503, "status 503")]
    )
    def test_tell_the_operator_what_happened(self, make: Make, status: int, told: str) -> None:
        with answering(render(status=status)) as gateway:
            verdict = make(gateway.url).decide()
        assert isinstance(verdict, Deny)
        assert told in verdict.reason

    def test_name_the_request_and_repeat_nothing_else_of_the_headers(self, make: Make) -> None:
        request_id = f"req_{'0a' * 16}"
        for sent, told in ((request_id, f"(request {request_id})"), ("svc_secret", "what that key asked for.")):
            with answering(render(status=401, headers={"x-request-id": sent})) as gateway:
                verdict = make(gateway.url).decide()
            assert isinstance(verdict, Deny)
            assert told in verdict.reason
            assert "svc_secret" not in verdict.reason

    def test_a_refusal_does_not_cost_its_neighbours_their_answers(
        self, make: Make, gateway: ScriptedGateway
    ) -> None:
        gateway.reply = lambda _: render(status=503 if len(gateway.seen) % 2 else 200)
        asker = make(gateway.url)
        assert [asker.decide().decision for _ in range(4)] == ["deny", "allow", "deny", "allow"]


class TestAbandoning:
    def test_a_task_that_is_cancelled_does_not_run_its_call(self) -> None:
        ran: list[str] = []

        async def main() -> None:
            async with AsyncClient(gateway.url, None) as client:

                async def call() -> None:
                    await client.execute("pay", {}, "agent-1")
                    ran.append("pay")

                task = asyncio.ensure_future(call())
                while not gateway.seen:
                    await asyncio.sleep(0.005)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

        with ScriptedGateway(reply=lambda _: None) as gateway:
            asyncio.run(main())
        assert ran == []

    def test_closing_denies_what_is_pending_at_once(self) -> None:
        with ScriptedGateway(reply=lambda _: None) as gateway, ThreadPoolExecutor(1) as threads:
            client = Client(gateway.url, timeout_ms=60_000, environment={})
            pending = threads.submit(client.decide, "pay", {}, "agent-1")
            eventually(lambda: len(gateway.seen) == 1, "a question")
            client.close()
            verdict = pending.result(10)
        assert isinstance(verdict, Deny)
        assert verdict.fail_closed

    def test_an_interrupt_leaves_no_answer_behind(self) -> None:
        """The answer to the question that was interrupted must not become that of the next one."""
        answered = threading.Event()

        def reply(request: Request) -> bytes | None:
            if request.document["tool"] == "interrupted":
                os.kill(os.getpid(), signal.SIGINT)
                answered.wait(0.2)
                return render()
            return render(b'{"decision":"deny","reason":"no","fail_closed":false}')

        with ScriptedGateway(reply=reply) as gateway, Client(gateway.url, environment={}) as client:
            with pytest.raises(KeyboardInterrupt):
                client.decide("interrupted", {}, "agent-1")
            answered.set()
            assert client.decide("next", {}, "agent-1").decision == "deny"


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
