"""Runs of agents: sessions, steps and cost by themselves."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from support.gateways import ScriptedGateway, sessions
from svc_client import (
    Client,
    GovernedContext,
    SvcApprovalRequired,
    SvcDenied,
    govern_call,
    governed,
    governed_fn,
    report_cost,
    session,
)


def test_the_context_asks_in_a_session_of_the_run(client: Client, gateway: ScriptedGateway) -> None:
    @governed(agent_id="agent-1", namespace="prod", client=client)
    def run(question: str, __gov_ctx__: Any) -> Any:
        allow = __gov_ctx__.execute("search", {"query": question}, cost_usd="0.5")
        __gov_ctx__.execute("read", {})
        __gov_ctx__.report_outcome(allow, "succeeded", duration_ms=5)
        return __gov_ctx__

    context = run("why")
    assert isinstance(context, GovernedContext)
    assert (context.agent_id, context.steps, context.cost_usd) == ("agent-1", 2, "0.5")
    assert sessions(gateway) == [("agent-1", context.session_id)] * 2
    assert {each.document["namespace"] for each in gateway.seen} == {"prod"}
    other = run("again")
    assert other.session_id != context.session_id


def test_denies_and_pauses_are_raised(client: Client) -> None:
    @governed(agent_id="agent-1", client=client)
    def run(tool: str, __gov_ctx__: Any) -> None:
        __gov_ctx__.execute(tool, {})

    with pytest.raises(SvcDenied):
        run("denied")
    with pytest.raises(SvcApprovalRequired):
        run("paused")
    with pytest.raises(SvcDenied, match="tool: expected"):
        run("no*tool")


def test_governed_functions_inside_belong_to_the_session(client: Client, gateway: ScriptedGateway) -> None:
    @governed_fn("pay", client=client, cost_usd=1)
    def pay() -> None:
        report_cost("0.25")

    @governed(agent_id="agent-1", client=client)
    def run(__gov_ctx__: Any) -> Any:
        pay()
        govern_call("mail", {}, fn=lambda: None, client=client)
        client.execute("shell", {})
        return __gov_ctx__

    context = run()
    assert sessions(gateway) == [("agent-1", context.session_id)] * 3
    assert (context.steps, context.cost_usd) == (3, "0.25")
    with pytest.raises(SvcDenied, match="agent_id: expected"):
        pay()


def test_a_refused_call_is_not_a_step(client: Client) -> None:
    @governed(agent_id="agent-1", client=client)
    def run(__gov_ctx__: Any) -> int:
        with pytest.raises(SvcDenied):
            __gov_ctx__.execute("denied", {}, cost_usd=5)
        steps: int = __gov_ctx__.steps
        assert __gov_ctx__.cost_usd == "0"
        return steps

    assert run() == 0


class TestPlaceOfTheContext:
    def test_first_anywhere_or_by_keyword_alone(self, client: Client) -> None:
        decorate = governed(agent_id="agent-1", client=client)

        @decorate
        def first(__gov_ctx__: GovernedContext, a: int, b: int = 2) -> Any:
            return (a, b, __gov_ctx__.agent_id)

        @decorate
        def middle(a: int, __gov_ctx__: Any, b: int) -> Any:
            return (a, b, __gov_ctx__.agent_id)

        @decorate
        def keyword(a: int, *, b: int = 2, __gov_ctx__: Any) -> Any:
            return (a, b, __gov_ctx__.agent_id)

        class Agent:
            @decorate
            def method(self, a: int, b: int, __gov_ctx__: Any) -> Any:
                return (a, b, __gov_ctx__.agent_id)

        wanted = (1, 2, "agent-1")
        calls: list[Any] = [first(1), first(1, 2), first(a=1, b=2), keyword(1), keyword(a=1, b=2)]
        calls += [middle(1, 2), middle(1, b=2), middle(a=1, b=2)]
        calls += [Agent().method(1, 2), Agent().method(1, b=2)]
        assert calls == [wanted] * len(calls)

    def test_callers_neither_see_nor_give_it(self, client: Client) -> None:
        @governed(agent_id="agent-1", client=client)
        def run(a: int, __gov_ctx__: Any = None) -> Any:
            return a

        assert list(inspect.signature(run).parameters) == ["a"]
        assert list(run.__annotations__) == ["a", "return"]
        with pytest.raises(TypeError, match="not by callers"):
            run(1, __gov_ctx__=object())
        with pytest.raises(TypeError):
            run(1, object())

    def test_a_function_without_it_is_refused(self, client: Client) -> None:
        with pytest.raises(TypeError, match="<lambda> has no parameter __gov_ctx__. Add one"):
            governed(agent_id="agent-1", client=client)(lambda: None)


class TestNesting:
    def test_another_agent_has_a_session_below(self, client: Client) -> None:
        @governed(agent_id="inner", client=client)
        def inner(__gov_ctx__: Any) -> Any:
            return __gov_ctx__

        @governed(agent_id="outer", client=client)
        def outer(__gov_ctx__: Any) -> Any:
            return __gov_ctx__, inner(), inner()

        above, first, second = outer()
        assert first.parent_session_id == second.parent_session_id == above.session_id
        assert len({above.session_id, first.session_id, second.session_id}) == 3

    def test_an_agent_that_calls_itself_keeps_its_session_and_its_ceilings(self, client: Client) -> None:
        @governed(agent_id="agent-1", client=client)
        def run(depth: int, __gov_ctx__: Any) -> list[str]:
            return [__gov_ctx__.session_id, *(run(depth - 1) if depth else [])]

        assert len(set(run(3))) == 1

    def test_a_conversation_keeps_its_session_over_runs(self, client: Client) -> None:
        @governed(agent_id="agent-1", client=client)
        def run(__gov_ctx__: Any) -> Any:
            return __gov_ctx__.session_id

        with session("conversation-7") as around:
            assert (run(), run()) == ("conversation-7", "conversation-7")
            assert around.session_id == "conversation-7"
        assert run() != "conversation-7"
        with pytest.raises(ValueError, match="session_id: expected"), session("no*name"):
            pass


class TestGenerators:
    def test_a_run_that_yields_does_not_leak_its_session(self, client: Client, gateway: ScriptedGateway) -> None:
        @governed(agent_id="agent-1", client=client)
        def run(__gov_ctx__: Any) -> Iterator[str]:
            for _ in range(2):
                client.execute("inside", {})
                yield __gov_ctx__.session_id

        for own in run():
            client.execute("outside", {}, "other")
            assert sessions(gateway)[-2:] == [("agent-1", own), ("other", None)]

    def test_a_block_in_a_generator_reaches_who_reads_it(self, client: Client, gateway: ScriptedGateway) -> None:
        """What the documentation warns of."""

        async def stream() -> AsyncIterator[str]:
            with session("of-alice"):
                yield "first"

        async def main() -> None:
            reading = stream()
            await reading.__anext__()
            client.execute("outside", {}, "other")
            with pytest.raises(StopAsyncIteration):
                await reading.__anext__()
            client.execute("outside", {}, "other")

        asyncio.run(main())
        assert sessions(gateway) == [("other", "of-alice"), ("other", None)]

    def test_nor_does_an_asynchronous_one(self, client: Client, gateway: ScriptedGateway) -> None:
        asking = client.for_coroutines()

        @governed(agent_id="agent-1", client=client)
        async def run(__gov_ctx__: Any) -> AsyncIterator[str]:
            for _ in range(2):
                await asking.execute("inside", {})
                await asyncio.sleep(0)
                yield __gov_ctx__.session_id

        async def main() -> None:
            async for own in run():
                await asking.execute("outside", {}, "other")
                assert sessions(gateway)[-2:] == [("agent-1", own), ("other", None)]

        asyncio.run(main())
        assert len(gateway.seen) == 4
