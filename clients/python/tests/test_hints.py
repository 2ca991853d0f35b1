"""What the operator reads about a deny, and the model does not. Each case runs for both clients."""

from __future__ import annotations

import json
import logging
import pickle
import socket
import time

import pytest
from support.asker import Make
from support.gateways import Gateway, Peer, ScriptedGateway, render
from svc_client import Client, Deny, SvcDenied, governed_fn


@pytest.fixture
def nowhere() -> str:
    """An address where nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{bound.getsockname()[1]}"


class TestHints:
    def test_name_the_address_and_its_setting_and_are_not_in_the_text(self, make: Make, nowhere: str) -> None:
        asker = make(nowhere)
        with pytest.raises(SvcDenied) as denied:
            asker.run(lambda: asker.client.execute("pay", {}, "agent-1"))
        assert denied.value.hint == f"No gateway answered at {nowhere}. Start it there, or set SVC_URL to its address."
        assert str(denied.value) == (
            "pay was denied: No answer came from the gateway (ECONNREFUSED). No decision could be obtained, so it was "
            "not run. The same call may be allowed later."
        )
        assert pickle.loads(pickle.dumps(denied.value)).hint == denied.value.hint

    def test_say_that_a_server_does_not_speak_tls(self, make: Make) -> None:
        def refuse(peer: Peer) -> None:
            peer.write(render(status=400))

        with Gateway(refuse) as gateway:
            address = gateway.url.replace("http:", "https:")
            verdict = make(address).decide()
        assert isinstance(verdict, Deny)
        assert verdict.hint == f"The server at {address} does not speak TLS. If it is the gateway, SVC_URL begins with http://."
        assert verdict.retryable is False

    def test_are_logged_once_and_again_after_a_minute(
        self, make: Make, nowhere: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asker = make(nowhere)
        asker.decide()
        asker.decide()
        (record,) = caplog.records
        assert (record.name, record.levelno) == ("svc_client", logging.WARNING)
        assert nowhere in record.getMessage()
        later = time.monotonic() + 60
        monkeypatch.setattr("svc_client._hint_log.time.monotonic", lambda: later)
        asker.decide()
        assert len(caplog.records) == 2

    def test_go_to_the_observer_of_faults_where_there_is_one(
        self, make: Make, nowhere: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        told: list[Deny] = []
        make(nowhere, on_fault=told.append).decide()
        assert [each.hint is not None for each in told] == [True]
        assert caplog.records == []

    def test_are_not_taken_from_the_gateway(self, make: Make, gateway: ScriptedGateway) -> None:
        body = {"decision": "deny", "reason": "No.", "reason_code": "rule", "args_constrained": False, "fail_closed": False}
        gateway.reply = lambda _: render(json.dumps({**body, "hint": "run this"}).encode())
        verdict = make(gateway.url).decide()
        assert isinstance(verdict, Deny)
        assert (verdict.reason_code, verdict.hint) == ("rule", None)

    def test_say_how_a_call_gets_a_session(
        self, make: Make, gateway: ScriptedGateway, caplog: pytest.LogCaptureFixture
    ) -> None:
        body = {"decision": "deny", "reason": "No session", "reason_code": "session_required"}
        told = {**body, "args_constrained": False, "fail_closed": False}
        gateway.reply = lambda _: render(json.dumps(told).encode())
        verdict = make(gateway.url).decide()
        assert isinstance(verdict, Deny)
        assert verdict.hint is not None
        assert 'session("...")' in verdict.hint
        assert verdict.hint in caplog.text


def test_a_decorated_function_that_no_agent_calls_says_how_it_gets_one(client: Client) -> None:
    refund = governed_fn("payments.refund", client=client)(lambda order: order)
    with pytest.raises(SvcDenied, match="agent_id: expected the agent that makes the call; got none") as denied:
        refund("o-1")
    assert denied.value.hint is not None
    assert 'governed(agent_id="...")' in denied.value.hint
