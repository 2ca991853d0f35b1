"""What a client says and does when it gets no verdict. Each case runs for both clients."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.asker import Make
from support.gateways import Gateway, Peer, Request, ScriptedGateway, answering, eventually, render
from svc_client import AsyncClient, Client, Deny

PROBLEM = "application/problem+json"
REQUEST_ID = f"req_{'0a' * 16}"


def head(status: int, headers: dict[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} Scripted\r\n{lines}\r\n".encode()


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
    @pytest.mark.parametrize("headers", [{}, {"transfer-encoding": "chunked"}])
    def test_tell_what_the_gateway_says_and_what_to_do(self, make: Make, headers: dict[str, str]) -> None:
        body = json.dumps({"detail": "Send Authorization: Bearer with the key"}).encode()
        sent = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if headers else body
        length = headers or {"content-length": str(len(body))}
        answer = head(401, {"content-type": PROBLEM, "x-request-id": REQUEST_ID, **length}) + sent
        with answering(answer) as gateway:
            verdict = make(gateway.url, "svc_id_secret").decide()
        assert isinstance(verdict, Deny)
        assert verdict.reason == (
            f"The gateway answered with status 401 (request {REQUEST_ID}): it refused the API key."
        )
        assert verdict.hint == "Send Authorization: Bearer with the key."
        assert verdict.retryable is False

    @pytest.mark.parametrize("how", ["hangs", "ends", "is reset", "is too long", "has two lengths", "breaks its chunks"])
    def test_do_not_need_the_body_of_a_refusal(self, make: Make, how: str) -> None:
        length = {"transfer-encoding": "chunked"} if how == "breaks its chunks" else {"content-length": "30000"}
        two = b"HTTP/1.1 403 Scripted\r\ncontent-type: %b\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"
        answer = head(403, {"content-type": PROBLEM, **length}) + b'{"detail":"' + b"x" * (20_000 if "long" in how else 9)
        if how == "has two lengths":
            answer = two % PROBLEM.encode()

        def script(peer: Peer) -> None:
            peer.read_request()
            peer.write(answer)
            if how == "hangs":
                peer.hang()
            if how == "is reset":
                peer.reset()

        with Gateway(script) as gateway:
            verdict = make(gateway.url, "svc_id_secret").decide()
        assert isinstance(verdict, Deny)
        reason = "The gateway answered with status 403: the API key does not permit this call."
        assert (verdict.reason_code, verdict.reason) == ("gateway_refused", reason)

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
