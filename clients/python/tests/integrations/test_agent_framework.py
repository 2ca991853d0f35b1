"""The adapter of Microsoft Agent Framework, in the framework itself, with a scripted model."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from support.answers import ALLOWED, ANSWERS, ARGS, DENIED, PAUSED, REWRITTEN, AnswerCase, named
from support.cancelling import check_cancelled
from support.framework import need
from support.gateways import Request
from support.world import FINAL, Seen, World, describe

need("agent_framework")
from agent_framework import (  # noqa: E402
    Agent,
    BaseChatClient,
    ChatMiddleware,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationContext,
    FunctionInvocationLayer,
    FunctionMiddleware,
    Message,
    tool,
)
from svc_client.integrations.agent_framework import governance  # noqa: E402


class ScriptedModel(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """Calls its tool once for each of the arguments, all in one message, and then says that it is done."""

    def __init__(self, *calls: dict[str, Any], tool: str = "refund") -> None:
        super().__init__()
        self.calls = calls
        self.tool = tool
        self.read: list[str] = []
        self.turns = 0

    def _inner_get_response(self, *, messages: Any, stream: bool, **_: Any) -> Any:
        async def updates() -> AsyncGenerator[ChatResponseUpdate, None]:
            for message in (await respond()).messages:
                yield ChatResponseUpdate(role="assistant", contents=message.contents)

        async def respond() -> ChatResponse:
            self.turns += 1
            contents = [content for message in messages for content in message.contents]
            self.read = [str(each.result) for each in contents if each.type == "function_result"]
            if self.read:
                return ChatResponse(messages=[Message(role="assistant", contents=[FINAL])])
            calls = [
                Content.from_function_call(call_id=f"c{at}", name=self.tool, arguments=args)
                for at, args in enumerate(self.calls)
            ]
            return ChatResponse(messages=[Message(role="assistant", contents=calls)])

        return self._build_response_stream(updates()) if stream else respond()


@dataclass
class Run:
    """A conversation with one agent."""

    agent: Agent
    model: ScriptedModel
    requests: list[Any] = field(default_factory=list[Any])
    session: Any = None

    async def say(self, *messages: Any, **more: Any) -> Seen:
        if self.session is None:
            self.session = self.agent.create_session()
        response = await self.agent.run(list(messages) or ["go"], session=self.session, **more)
        self.requests = list(response.user_input_requests)
        paused = str(self.requests[0].to_dict()) if self.requests else ""
        return Seen(read=self.model.read, paused=paused, final="" if paused else response.text)

    async def approve(self, approved: bool) -> Seen:
        answers = [each.to_function_approval_response(approved) for each in self.requests]
        return await self.say(Message(role="user", contents=answers))


def run_of(
    world: World,
    client: Any,
    *calls: dict[str, Any],
    tools: Any = None,
    before: Any = (),
    named_: str = "refund",
) -> Run:
    model = ScriptedModel(*(calls or (ARGS,)), tool=named_)
    middleware = [*before, *governance("agent-1", client=client)]
    agent = Agent(model, name="agent", tools=tools or [tool(world.refund)], middleware=middleware)
    return Run(agent, model)


@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_answer(world: World, case: AnswerCase) -> None:
    world.check(case, world.run(run_of(world, world.meet(case)).say()))


def test_reports_how_calls_ended(world: World) -> None:
    world.run(run_of(world, world.client).say())
    world.wait_for_outcomes("succeeded")

    @tool(name="refund")
    def fails(order: str, amount: int) -> str:
        raise RuntimeError(order)

    world.run(run_of(world, world.client, tools=[fails]).say())
    world.wait_for_outcomes("succeeded", "failed")


def test_a_pause_asks_again_and_ignores_the_approval(world: World) -> None:
    async def run() -> None:
        conversation = run_of(world, world.meet(PAUSED))
        assert (await conversation.say()).paused
        still = await conversation.approve(True)
        assert (world.ran, len(world.gateway.seen)) == ([], 2)
        assert "approve it first" in still.read[0]
        assert not still.paused

    world.run(run())


@pytest.mark.parametrize("case", [ALLOWED, REWRITTEN], ids=describe)
def test_a_pause_ends_when_the_gateway_allows(world: World, case: AnswerCase) -> None:
    async def run() -> None:
        conversation = run_of(world, world.meet(PAUSED))
        await conversation.say()
        world.meet(case)
        world.check(case, await conversation.approve(True))

    world.run(run())


def test_a_pause_that_a_person_rejects_here_does_not_run(world: World) -> None:
    async def run() -> None:
        conversation = run_of(world, world.meet(PAUSED))
        await conversation.say()
        world.meet(ALLOWED)
        await conversation.approve(False)
        assert world.ran == []

    world.run(run())


def denying(amount: int) -> Callable[[Request], bytes]:
    def reply(request: Request) -> bytes:
        return (
            named("denied" if request.document["args"].get("amount") == amount else "refund")(request) or b""
        )

    return reply


def test_parallel_calls_are_judged_each(world: World) -> None:
    world.gateway.reply = denying(2)
    conversation = run_of(world, world.client, *({**ARGS, "amount": amount} for amount in (1, 2, 3)))
    seen = world.run(conversation.say())
    assert sorted(each["amount"] for each in world.ran) == [1, 3]
    assert ["Not this one" in text for text in seen.read] == [False, True, False]


def test_the_session_of_the_framework_is_the_session(world: World) -> None:
    conversation = run_of(world, world.client)
    world.run(conversation.say())
    assert world.sessions() == [conversation.session.session_id]
    assert world.keys() != [""]


class Changes(FunctionMiddleware):
    async def process(
        self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]
    ) -> None:
        context.arguments = {**ARGS, "amount": 31_337}
        await call_next()


def test_what_middleware_before_changes_is_judged(world: World) -> None:
    world.run(run_of(world, world.client, before=[Changes()]).say())
    assert [request.document["args"]["amount"] for request in world.gateway.seen] == [31_337]


def test_nothing_runs_while_middleware_comes_after_it(world: World) -> None:
    seen = world.run(run_of(world, world.client).say(middleware=[Changes()]))
    assert (world.ran, world.gateway.seen) == ([], [])
    assert "must be the last entry" in seen.read[0]


class Swaps(FunctionMiddleware):
    """Says that another function was called. The framework runs the one of the call all the same."""

    def __init__(self, other: Any) -> None:
        self.other = other

    async def process(
        self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]
    ) -> None:
        context.function = self.other
        await call_next()


def test_nothing_runs_whose_function_was_replaced(world: World) -> None:
    @tool(name="harmless")
    def harmless(order: str, amount: int) -> str:
        return order

    seen = world.run(run_of(world, world.client, before=[Swaps(harmless)]).say())
    assert (world.ran, world.gateway.seen) == ([], [])
    assert "put another function in place" in seen.read[0]


class AddsHostedTool(ChatMiddleware):
    async def process(self, context: Any, call_next: Callable[[], Awaitable[None]]) -> None:
        context.options["tools"] = [*(context.options.get("tools") or []), {"type": "web_search"}]
        await call_next()


def test_no_model_is_asked_while_chat_middleware_comes_after_it(world: World) -> None:
    conversation = run_of(world, world.client)
    with pytest.raises(Exception, match="must be the last entry"):
        world.run(conversation.say(middleware=[AddsHostedTool()]))
    model = ScriptedModel(ARGS)
    middleware = [*governance("agent-1", client=world.client), AddsHostedTool()]
    with pytest.raises(Exception, match="must be the last entry"):
        world.run(Run(Agent(model, tools=[tool(world.refund)], middleware=middleware), model).say())
    assert (conversation.model.turns, model.turns, world.ran) == (0, 0, [])


def test_chat_middleware_before_it_adds_no_hosted_tool(world: World) -> None:
    conversation = run_of(world, world.client, before=[AddsHostedTool()])
    with pytest.raises(Exception, match="web_search"):
        world.run(conversation.say())
    assert conversation.model.turns == 0


def test_an_approval_of_the_tool_itself_still_holds(world: World) -> None:
    async def run() -> None:
        held = tool(approval_mode="always_require")(world.refund)
        conversation = run_of(world, world.meet(DENIED), tools=[held])
        assert (await conversation.say()).paused
        assert (world.ran, world.gateway.seen) == ([], [])
        world.check(DENIED, await conversation.approve(True))

    world.run(run())


def test_an_agent_that_is_a_tool_needs_middleware_of_its_own(world: World) -> None:
    """A documented limit: the outer middleware sees the call of the inner agent, and not the calls it makes."""
    for middleware, ran in ((None, [ARGS]), (governance("inner", client=world.client), [])):
        world.forget()
        world.gateway.reply = denying(ARGS["amount"])
        inner = Agent(ScriptedModel(ARGS), name="inner", tools=[tool(world.refund)], middleware=middleware)
        world.run(run_of(world, world.client, {"task": "go"}, tools=[inner.as_tool()], named_="inner").say())
        assert world.ran == ran


def test_a_tool_that_runs_at_the_provider_is_refused(world: World) -> None:
    with pytest.raises(Exception, match="web_search"):
        world.run(run_of(world, world.client, tools=[{"type": "web_search"}]).say())


def test_an_agent_id_must_be_one(world: World) -> None:
    with pytest.raises(ValueError, match="agent_id"):
        governance("refund*bot", client=world.client)


def test_a_run_that_is_cancelled_while_it_asks_runs_nothing(world: World) -> None:
    check_cancelled(world, run_of(world, world.client).say)


@pytest.mark.parametrize("case", [ALLOWED, DENIED], ids=describe)
def test_a_tool_of_a_class_of_its_own_is_judged(world: World, case: AnswerCase) -> None:
    inner: Any = tool(world.refund)

    class Own(type(inner)):  # type: ignore[misc]
        async def invoke(self, *, arguments: Any = None, **_: Any) -> Any:
            given = arguments if isinstance(arguments, dict) else arguments.model_dump()
            return [Content.from_text(world.refund(**given))]

    inner.__class__ = Own
    world.check(case, world.run(run_of(world, world.meet(case), tools=[inner]).say()))
    assert len(world.gateway.seen) == 1


class Failing(FunctionMiddleware):
    async def process(self, context: Any, call_next: Any) -> None:
        raise RuntimeError("a middleware of somebody else")


def test_a_middleware_before_it_that_raises_runs_nothing(world: World) -> None:
    with contextlib.suppress(RuntimeError):
        world.run(run_of(world, world.client, before=[Failing()]).say())
    assert world.ran == []
