"""What a client sends, over which connection, and which answers it takes. Each case runs for both clients."""

from __future__ import annotations

import json
import socket
import threading
import time
from typing import Any

import pytest
from support.asker import Make
from support.faults import FAULT_TIMEOUT_MS
from support.gateways import ALLOW, ALLOW_BODY, Gateway, Peer, ScriptedGateway, render
from svc_client import Deny
from svc_client._limits import MAX_VERDICT_BYTES


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
