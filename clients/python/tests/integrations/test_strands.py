"""The adapter of Strands Agents, in the framework itself, with a scripted model."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.answers import ALLOWED, ANSWERS, ARGS, DENIED, PAUSED, REWRITTEN, AnswerCase, named
from support.cancelling import check_cancelled
from support.framework import need
from support.gateways import Request, args_of, eventually
from support.world import FINAL, Seen, World, describe
from svc_client import session

need("strands")
from strands import Agent, tool  # noqa: E402
from strands.hooks import AfterToolCallEvent, BeforeToolCallEvent, HookProvider  # noqa: E402
from strands.models import Model  # noqa: E402
from strands.session import FileSessionManager  # noqa: E402
from svc_client.integrations._core import bound_answer  # noqa: E402
from svc_client.integrations.strands import ExecuteToolStage, Governance  # noqa: E402


class ScriptedModel(Model):
    """Calls `refund` once for each of the arguments, all in one message, and then says that it is done."""

    def __init__(self, *calls: dict[str, Any], tool: str = "refund") -> None:
        self._calls = calls
        self._tool = tool

    def update_config(self, **_: Any) -> None: ...
    def get_config(self) -> Any: ...
    def structured_output(self, *_: Any, **__: Any) -> Any: ...

    async def stream(self, messages: Any, *_: Any, **__: Any) -> Any:
        yield {"messageStart": {"role": "assistant"}}
        if any("toolResult" in block for message in messages for block in message["content"]):
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": FINAL}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn"}}
            return
        for at, args in enumerate(self._calls):
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": f"t{at}", "name": self._tool}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(args)}}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use"}}


def agent_of(
    world: World, client: Any, *calls: dict[str, Any], hooks: Sequence[Any] = (), **more: Any
) -> Agent:
    return Agent(
        ScriptedModel(*(calls or (ARGS,))),
        tools=[tool(world.refund)],
        hooks=[Governance("agent-1", client=client), *hooks],
        callback_handler=None,
        **more,
    )


def seen_by(agent: Agent, result: Any) -> Seen:
    blocks = [block for message in agent.messages for block in message["content"]]
    results = [block["toolResult"] for block in blocks if "toolResult" in block]
    return Seen(
        read=[item.get("text", "") for each in results for item in each["content"]],
        paused="" if not result.interrupts else str(result.interrupts[0].reason),
        final="" if result.interrupts else str(result).strip(),
    )


def resumed(agent: Agent, result: Any, response: object) -> Any:
    return agent(
        [{"interruptResponse": {"interruptId": each.id, "response": response}} for each in result.interrupts]
    )


@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_answer(world: World, case: AnswerCase) -> None:
    agent = agent_of(world, world.meet(case))
    world.check(case, seen_by(agent, agent("go")))


def test_answers_in_an_event_loop(world: World) -> None:
    async def run() -> None:
        for case in (ALLOWED, DENIED, REWRITTEN):
            world.forget()
            agent = agent_of(world, world.meet(case))
            world.check(case, seen_by(agent, await agent.invoke_async("go")))

    world.run(run())


def test_reports_how_calls_ended(world: World) -> None:
    agent_of(world, world.client)("go")
    world.wait_for_outcomes("succeeded")

    @tool(name="refund")
    def fails(order: str, amount: int) -> str:
        """Pays money back."""
        raise RuntimeError(order)

    Agent(ScriptedModel(ARGS), tools=[fails], hooks=[Governance("agent-1", client=world.client)])("go")
    world.wait_for_outcomes("succeeded", "failed")


def test_a_pause_asks_again_and_ignores_what_it_is_resumed_with(world: World) -> None:
    agent = agent_of(world, world.meet(PAUSED))
    paused = agent("go")
    assert paused.stop_reason == "interrupt"
    still = resumed(agent, paused, True)
    assert (world.ran, len(world.gateway.seen)) == ([], 2)
    assert "approve it first" in seen_by(agent, still).read[0]


def test_a_pause_ends_when_the_gateway_allows(world: World) -> None:
    agent = agent_of(world, world.meet(PAUSED))
    paused = agent("go")
    world.meet(REWRITTEN)
    world.check(REWRITTEN, seen_by(agent, resumed(agent, paused, "no")))


def test_parallel_calls_are_judged_each(world: World) -> None:
    def reply(request: Request) -> bytes:
        return named("denied" if request.document["args"]["amount"] == 2 else "refund")(request) or b""

    world.gateway.reply = reply
    agent = agent_of(world, world.client, {**ARGS, "amount": 1}, {**ARGS, "amount": 2}, {**ARGS, "amount": 3})
    seen = seen_by(agent, agent("go"))
    assert sorted(each["amount"] for each in world.ran) == [1, 3]
    assert [("Not this one" in text) for text in seen.read] == [False, True, False]


def test_a_session_of_the_framework_is_the_session(world: World, tmp_path: Path) -> None:
    manager = FileSessionManager("conversation-7", storage_dir=str(tmp_path))
    agent_of(world, world.client, session_manager=manager)("go")
    assert world.sessions() == ["conversation-7"]
    assert world.keys() != [""]


def test_a_session_around_is_the_session(world: World) -> None:
    with session("conversation-8"):
        agent_of(world, world.client)("go")
    assert world.sessions() == ["conversation-8"]


class Meddler(HookProvider):
    """A hook that comes after ours, whatever its order is."""

    def __init__(self, do: Callable[[BeforeToolCallEvent], None]) -> None:
        self._do = do

    def register_hooks(self, registry: Any, **_: Any) -> None:
        registry.add_callback(BeforeToolCallEvent, self._do, order=float("inf"))


def change(event: BeforeToolCallEvent) -> None:
    event.tool_use["input"]["amount"] = 31_337


def uncancel(event: BeforeToolCallEvent) -> None:
    event.cancel_tool = False


def test_a_later_hook_cannot_change_what_was_judged(world: World) -> None:
    agent_of(world, world.client, hooks=[Meddler(change)])("go")
    assert world.ran == [ARGS]


def test_a_later_hook_cannot_take_a_deny_back(world: World) -> None:
    agent = agent_of(world, world.meet(DENIED), hooks=[Meddler(uncancel)])
    world.check(DENIED, seen_by(agent, agent("go")))


def other_tool(world: World) -> Any:
    return tool(name="other")(world.refund)


def test_a_later_hook_cannot_replace_the_tool(world: World) -> None:
    def put(event: BeforeToolCallEvent) -> None:
        event.selected_tool = other_tool(world)

    with pytest.raises(Exception, match="selected_tool is not writable"):
        agent_of(world, world.client, hooks=[Meddler(put)])("go")
    assert world.ran == []


def with_middleware(world: World, client: Any, handler: Any, *, early: bool, **more: Any) -> Agent:
    """An agent whose middleware is there before its first call, or from its second one on."""
    agent = agent_of(world, client, **more)
    if not early:
        agent("go")
        agent.messages.clear()
        world.forget()
    agent._middleware_registry.add_middleware(ExecuteToolStage, handler)
    return agent


EARLY = pytest.mark.parametrize("early", [True, False], ids=["at first", "later"])


@EARLY
def test_middleware_cannot_replace_the_tool(world: World, early: bool) -> None:
    async def replacing(context: Any, inner: Any) -> Any:
        async for event in inner(replace(context, tool=other_tool(world))):
            yield event

    agent = with_middleware(world, world.client, replacing, early=early)
    assert "put another tool in place" in seen_by(agent, agent("go")).read[0]
    assert world.ran == []


def test_middleware_cannot_run_a_tool_for_a_name_that_nobody_was_asked_about(world: World) -> None:
    async def replacing(context: Any, inner: Any) -> Any:
        async for event in inner(replace(context, tool=other_tool(world))):
            yield event

    agent = with_middleware(world, world.client, replacing, early=True)
    agent.model = ScriptedModel(ARGS, tool="unknown")
    assert "put another tool in place" in seen_by(agent, agent("go")).read[0]
    assert world.ran == []


@EARLY
def test_middleware_cannot_change_what_was_judged(world: World, early: bool) -> None:
    async def changing(context: Any, inner: Any) -> Any:
        changed = {**context.tool_use, "input": {**ARGS, "amount": 31_337}}
        async for event in inner(replace(context, tool_use=changed)):
            yield event

    with_middleware(world, world.client, changing, early=early)("go")
    assert world.ran == [ARGS]


@EARLY
def test_a_retry_of_middleware_asks_again(world: World, early: bool) -> None:
    async def twice(context: Any, inner: Any) -> Any:
        async for _ in inner(context):
            world.meet(DENIED)
        async for event in inner(context):
            yield event

    agent = with_middleware(world, world.client, twice, early=early)
    assert "Not this one" in seen_by(agent, agent("go")).read[0]
    assert (world.ran, len(world.gateway.seen)) == ([ARGS], 2)


def deny_and_age(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a kill switch does while a call waits for longer than an answer holds."""
    world.meet(DENIED)
    monkeypatch.setattr(bound_answer, "FRESH_S", -1)


@EARLY
def test_a_call_that_waits_in_middleware_is_judged_again(
    world: World, early: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def waiting(context: Any, inner: Any) -> Any:
        deny_and_age(world, monkeypatch)
        async for event in inner(context):
            yield event

    agent = with_middleware(world, world.client, waiting, early=early)
    assert "Not this one" in seen_by(agent, agent("go")).read[0]
    assert (world.ran, len(world.gateway.seen)) == ([], 2)
    world.wait_for_outcomes("not_executed")


def test_a_call_that_is_judged_again_and_counted_once_is_not_given_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def waiting(context: Any, inner: Any) -> Any:
        monkeypatch.setattr(bound_answer, "FRESH_S", -1)
        context.tool_use["input"]["amount"] = 31_337
        async for event in inner(context):
            yield event

    with_middleware(world, world.client, waiting, early=True)("go")
    assert (world.ran, args_of(world.gateway)) == ([ARGS], [ARGS, ARGS])
    world.wait_for_outcomes("succeeded")


def test_calls_in_the_queue_of_the_framework_are_judged_when_they_run(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "background_tasks" not in inspect.signature(Agent).parameters:
        pytest.skip("this release has no queue")

    @tool
    def refund(order: str, amount: int) -> str:
        """Pays money back."""
        eventually(lambda: len(world.gateway.seen) == 3, "all calls are in the queue")
        deny_and_age(world, monkeypatch)
        return world.refund(order, amount)

    # A busy machine takes longer than an answer holds. Here it holds until the test ends that.
    monkeypatch.setattr(bound_answer, "FRESH_S", 3_600)
    queue: dict[str, Any] = {"always": ["refund"], "max_concurrency": 1}
    agent = agent_of(world, world.client, *({**ARGS, "amount": at} for at in range(3)), background_tasks=queue)
    agent.tool_registry.process_tools([refund])
    with session("conversation-9"):
        agent("go")
    eventually(lambda: len(world.gateway.seen) == 5, "the calls in the queue are judged")
    assert world.sessions() == ["conversation-9"] * 5
    # The one whose answer came first.
    assert len(world.ran) == 1
    eventually(lambda: len(world.gateway.outcomes) == 3, "outcomes")
    assert sorted(each["status"] for each in world.gateway.outcomes) == ["not_executed"] * 2 + ["succeeded"]


def test_an_earlier_hook_is_judged(world: World) -> None:
    class Early(HookProvider):
        def register_hooks(self, registry: Any, **_: Any) -> None:
            registry.add_callback(BeforeToolCallEvent, change, order=90)

    agent_of(world, world.client, hooks=[Early()])("go")
    assert [request.document["args"]["amount"] for request in world.gateway.seen] == [31_337]


def test_a_retry_of_the_framework_asks_again(world: World) -> None:
    class Retry(HookProvider):
        def register_hooks(self, registry: Any, **_: Any) -> None:
            registry.add_callback(AfterToolCallEvent, self._after)

        def _after(self, event: AfterToolCallEvent) -> None:
            event.retry = len(world.ran) == 1
            world.meet(DENIED)

    agent_of(world, world.client, hooks=[Retry()])("go")
    assert (world.ran, len(world.gateway.seen)) == ([ARGS], 2)


def test_direct_calls_are_judged(world: World) -> None:
    agent = agent_of(world, world.meet(DENIED))
    assert "Not this one" in str(agent.tool.refund(**ARGS))
    assert world.ran == []


def test_a_tool_that_does_not_exist_is_not_asked_about(world: World) -> None:
    agent = Agent(
        ScriptedModel(ARGS, tool="unknown"),
        tools=[tool(world.refund)],
        hooks=[Governance("agent-1", client=world.client)],
        callback_handler=None,
    )
    assert "Unknown tool" in seen_by(agent, agent("go")).read[0]
    assert (world.ran, world.gateway.seen) == ([], [])


def test_an_agent_that_is_a_tool_needs_a_hook_of_its_own(world: World) -> None:
    """A documented limit: the outer hook sees the call of the inner agent, and not the calls that it makes."""
    for hooks, ran in (([], [ARGS]), ([Governance("inner", client=world.client)], [])):
        world.forget()
        world.gateway.reply = lambda request: named(
            "denied" if request.document["tool"] == "refund" else "asks"
        )(request)
        inner = Agent(
            ScriptedModel(ARGS), tools=[tool(world.refund)], hooks=hooks, callback_handler=None, name="inner"
        )
        outer = Agent(
            ScriptedModel({"input": "go"}, tool="inner"),
            tools=[inner.as_tool()],
            hooks=[Governance("outer", client=world.client)],
            callback_handler=None,
        )
        outer("go")
        assert world.ran == ran


def test_an_agent_id_must_be_one(world: World) -> None:
    with pytest.raises(ValueError, match="agent_id"):
        Governance("refund*bot", client=world.client)


def test_a_run_that_is_cancelled_while_it_asks_runs_nothing(world: World) -> None:
    agent = agent_of(world, world.client)
    check_cancelled(world, lambda: agent.invoke_async("go"))


@pytest.mark.parametrize("case", [ALLOWED, DENIED], ids=describe)
def test_a_tool_of_a_class_of_its_own_is_judged(world: World, case: AnswerCase) -> None:
    inner: Any = tool(world.refund)

    class Own(type(inner)):  # type: ignore[misc]
        async def stream(self, tool_use: Any, *_: Any, **__: Any) -> Any:
            text = world.refund(**tool_use["input"])
            yield {"toolUseId": tool_use["toolUseId"], "status": "success", "content": [{"text": text}]}

    inner.__class__ = Own
    agent = Agent(
        ScriptedModel(ARGS),
        tools=[inner],
        hooks=[Governance("agent-1", client=world.meet(case))],
        callback_handler=None,
    )
    world.check(case, seen_by(agent, agent("go")))
    assert len(world.gateway.seen) == 1


class Failing(HookProvider):
    def __init__(self, event: type[Any]) -> None:
        self._event = event

    def register_hooks(self, registry: Any, **_: Any) -> None:
        registry.add_callback(self._event, self._fail)

    def _fail(self, _: Any) -> None:
        raise RuntimeError("a hook of somebody else")


def test_an_earlier_hook_that_raises_runs_nothing(world: World) -> None:
    agent = agent_of(world, world.client, hooks=[Failing(BeforeToolCallEvent)])
    with pytest.raises(Exception, match="somebody else"):
        agent("go")
    assert world.ran == []


def test_a_hook_that_raises_after_a_deny_runs_nothing(world: World) -> None:
    agent = agent_of(world, world.meet(DENIED), hooks=[Failing(AfterToolCallEvent)])
    with pytest.raises(Exception, match="somebody else"):
        agent("go")
    assert world.ran == []
