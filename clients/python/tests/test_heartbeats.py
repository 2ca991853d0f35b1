"""Heartbeats for the sessions of runs."""

from __future__ import annotations

from typing import Any

from support.gateways import ScriptedGateway, eventually
from svc_client import Client, governed


class TestHeartbeats:
    def test_are_sent_for_sessions_whose_calls_are_allowed_until_the_run_ends(
        self, gateway: ScriptedGateway
    ) -> None:
        with Client(gateway.url, environment={}, heartbeats=True) as client:

            @governed(agent_id="inner/1", client=client)
            def inner(__gov_ctx__: Any) -> str:
                client.execute("pay", {})
                eventually(lambda: beats(gateway, "inner%2F1") > 1, "two heartbeats of the inner run")
                own: str = __gov_ctx__.session_id
                return own

            @governed(agent_id="outer", client=client)
            def outer(__gov_ctx__: Any) -> tuple[str, str]:
                client.execute("pay", {})
                return __gov_ctx__.session_id, inner()

            own, below = outer()
            eventually(lambda: sum("ended" in each.document for each in gateway.beats) == 2, "both ends")
        first = gateway.beats[0]
        assert (first.path, first.document) == ("/api/v1/agents/outer/heartbeat", {"session_id": own})
        assert {"session_id": below, "parent_session_id": own} in [each.document for each in gateway.beats]
        count = len(gateway.beats)
        assert count == len([each for each in gateway.beats if each.document["session_id"] in (own, below)])

    def test_none_is_sent_for_what_is_denied_and_none_unless_asked_for(self, gateway: ScriptedGateway) -> None:
        for heartbeats in (True, False):
            with Client(gateway.url, environment={}, heartbeats=heartbeats) as client:
                client.decide("denied" if heartbeats else "pay", {}, "agent-1", "s-1")
        assert gateway.beats == []

    def test_a_closed_client_ends_its_sessions(self, gateway: ScriptedGateway) -> None:
        with Client(gateway.url, environment={}, heartbeats=True) as client:
            client.execute("pay", {}, "agent-1", "s-1")
        assert gateway.beats[-1].document == {"session_id": "s-1", "ended": True}


def beats(gateway: ScriptedGateway, agent: str) -> int:
    return sum(agent in each.path for each in gateway.beats)
