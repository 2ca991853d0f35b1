"""Heartbeats for the sessions of runs."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.gateways import ScriptedGateway, eventually, render
from svc_client import AsyncClient, Client, govern_call, governed, governed_fn, session
from svc_client._heartbeat import IDLE_SESSION_S


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

    def test_where_no_thread_can_be_started_the_log_says_that_none_is_sent(
        self, gateway: ScriptedGateway, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        start = threading.Thread.start

        def refuse(thread: threading.Thread) -> None:
            if thread.name.startswith("svc-client"):
                raise RuntimeError("daemon threads are disabled in this interpreter")
            start(thread)

        with Client(gateway.url, environment={}, heartbeats=True) as client:
            with monkeypatch.context() as patched:
                patched.setattr(threading.Thread, "start", refuse)
                assert client.decide("pay", {}, "agent-1", "s-1").decision == "allow"
        assert "no heartbeats are sent" in caplog.text
        assert gateway.beats == []

    def test_a_closed_client_ends_its_sessions(self, gateway: ScriptedGateway) -> None:
        with Client(gateway.url, environment={}, heartbeats=True) as client:
            client.execute("pay", {}, "agent-1", "s-1")
        assert gateway.beats[-1].document == {"session_id": "s-1", "ended": True}


class TestSessionsEnd:
    """While their client lives, and without a wait."""

    @pytest.fixture
    def client(self, gateway: ScriptedGateway) -> Iterator[Client]:
        with Client(gateway.url, environment={}, heartbeats=True) as opened:
            yield opened

    def test_with_their_block_also_when_it_raises(self, gateway: ScriptedGateway, client: Client) -> None:
        with session("s-1", agent_id="agent-1"):
            client.execute("pay", {})
        with pytest.raises(ValueError, match="mine"), session("s-2", agent_id="agent-1"):
            client.execute("pay", {})
            raise ValueError("mine")
        eventually(lambda: sorted(ends(gateway)) == ["s-1", "s-2"], "both ends")
        with session("s-1", agent_id="agent-1"):
            client.execute("pay", {})
            eventually(lambda: lives(gateway, "s-1"), "the session begins again")

    def test_with_the_last_of_their_blocks_and_runs(self, gateway: ScriptedGateway, client: Client) -> None:
        @governed(agent_id="agent-1", session_id="s-1", client=client)
        def run(__gov_ctx__: Any) -> None:
            __gov_ctx__.execute("pay", {})

        begun, over = threading.Event(), threading.Event()

        def other_block() -> None:
            with session("s-1"):
                begun.set()
                over.wait()

        thread = threading.Thread(target=other_block)
        thread.start()
        begun.wait()
        with session("s-1"):
            run()
        run()
        eventually(lambda: lives(gateway, "s-1"), "a heartbeat")
        assert ends(gateway) == []
        assert all("parent_session_id" not in each.document for each in gateway.beats)
        over.set()
        thread.join()
        eventually(lambda: ends(gateway) == ["s-1"], "the end")
        run()
        eventually(lambda: ends(gateway) == ["s-1", "s-1"], "the end of a run with its own session id")

    @pytest.mark.parametrize("kind", ["coroutine", "generator", "async generator", "closed generator", "thread"])
    def test_with_a_run_of_every_kind(self, kind: str, gateway: ScriptedGateway, client: Client) -> None:
        asynchronous = client.for_coroutines()

        @governed(agent_id="agent-1", client=client)
        async def coroutine(__gov_ctx__: Any) -> None:
            await __gov_ctx__.execute("pay", {})

        @governed(agent_id="agent-1", client=client)
        def generator(__gov_ctx__: Any) -> Iterator[int]:
            yield __gov_ctx__.execute("pay", {}).args_constrained
            yield 1

        @governed(agent_id="agent-1", client=client)
        async def async_generator(__gov_ctx__: Any) -> Any:
            yield await __gov_ctx__.execute("pay", {})

        @governed(agent_id="agent-1", client=client)
        def with_thread(__gov_ctx__: Any) -> threading.Thread:
            thread = threading.Thread(target=__gov_ctx__.bind(lambda: __gov_ctx__.execute("pay", {})))
            thread.start()
            return thread

        async def read_all() -> None:
            async for _ in async_generator():
                pass

        def close_early() -> None:
            unread = generator()
            next(unread)
            del unread
            gc.collect()

        ways: dict[str, Callable[[], object]] = {
            "coroutine": lambda: asyncio.run(coroutine()),
            "generator": lambda: list(generator()),
            "async generator": lambda: asyncio.run(read_all()),
            "closed generator": close_early,
            "thread": lambda: with_thread().join(),
        }
        ways[kind]()
        assert asynchronous is client.for_coroutines()
        eventually(lambda: len(ends(gateway)) == 1, "the end of the run")

    def test_of_both_kinds_of_functions_of_one_client(self, gateway: ScriptedGateway, client: Client) -> None:
        @governed_fn("pay", agent_id="agent-1", client=client)
        def pay() -> None: ...

        @governed_fn("pay", agent_id="agent-1", client=client)
        async def pay_later() -> None: ...

        with session("s-1"):
            pay()
            asyncio.run(pay_later())
        eventually(lambda: ends(gateway) == ["s-1", "s-1"], "the end from both")

    @pytest.mark.parametrize("kind", ["Client", "AsyncClient", "AsyncClient.close"])
    def test_when_nobody_has_their_client_any_more(self, kind: str, gateway: ScriptedGateway) -> None:
        if kind == "Client":
            dropped: Any = Client(gateway.url, environment={}, heartbeats=True)
            dropped.execute("pay", {}, "agent-1", "s-1")
        else:
            dropped = AsyncClient(gateway.url, None, heartbeats=True)
            asyncio.run(dropped.execute("pay", {}, "agent-1", "s-1"))
        eventually(lambda: lives(gateway, "s-1"), "a heartbeat")
        if kind == "AsyncClient.close":
            dropped.close()
        else:
            del dropped
            gc.collect()
        eventually(lambda: ends(gateway) == ["s-1"], "the end")

    def test_although_the_gateway_was_away_for_a_moment(self, gateway: ScriptedGateway, client: Client) -> None:
        taken = gateway.beat
        with session("s-1", agent_id="agent-1"):
            client.execute("pay", {})
            eventually(lambda: lives(gateway, "s-1"), "a heartbeat")
            gateway.beat = lambda _: render(b"{}", 503)
        eventually(lambda: len(ends(gateway)) > 1, "a second attempt")
        gateway.beat = taken
        count = len(ends(gateway))
        client.close()
        assert len(ends(gateway)) == count + 1


class TestIdleSessions:
    # A request that is on its way while the clock moves is late, and is sent again.
    def test_end_unless_the_process_is_inside_them_or_runs_their_call(self, gateway: ScriptedGateway) -> None:
        skipped = [0.0]

        def now() -> float:
            return time.monotonic() + skipped[0]

        with Client(gateway.url, environment={}, heartbeats=True, monotonic=now) as client:

            def run() -> None:
                with session("in-block", agent_id="agent-1"):
                    client.execute("pay", {})
                    eventually(lambda: all(lives(gateway, each) for each in ALL), "a heartbeat of each")
                    skipped[0] += IDLE_SESSION_S
                    eventually(lambda: set(ends(gateway)) == {"idle"}, "the end of the idle one")
                    gateway.beats.clear()
                    skipped[0] += IDLE_SESSION_S
                    eventually(lambda: lives(gateway, "in-block") and lives(gateway, "running"), "further ones")

            client.execute("pay", {}, "agent-1", "idle")
            govern_call("pay", {}, agent_id="agent-1", session_id="running", client=client, fn=run)
            eventually(lambda: "in-block" in ends(gateway), "the end of the block")
            skipped[0] += IDLE_SESSION_S
            eventually(lambda: "running" in ends(gateway), "the end of the session without a call")


ALL = ("idle", "in-block", "running")


def lives(gateway: ScriptedGateway, session_id: str) -> bool:
    """Whether the latest heartbeat of the session keeps it."""
    of_session = [each.document for each in gateway.beats if each.document["session_id"] == session_id]
    return bool(of_session) and "ended" not in of_session[-1]


def ends(gateway: ScriptedGateway) -> list[str]:
    return [each.document["session_id"] for each in gateway.beats if each.document.get("ended") is True]


def beats(gateway: ScriptedGateway, agent: str) -> int:
    return sum(agent in each.path for each in gateway.beats)
