"""The adapter of Google ADK, in the framework itself, with a scripted model."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import pytest
from support.answers import ALLOWED, ANSWERS, ARGS, DENIED, PAUSED, REWRITTEN, AnswerCase, named
from support.cancelling import check_cancelled
from support.framework import need
from support.gateways import Request
from support.world import FINAL, Seen, World, describe

need("google.adk")
from google.adk.agents import LlmAgent  # noqa: E402
from google.adk.apps import App  # noqa: E402
from google.adk.code_executors import UnsafeLocalCodeExecutor  # noqa: E402
from google.adk.models import BaseLlm, LlmResponse  # noqa: E402
from google.adk.plugins.base_plugin import BasePlugin  # noqa: E402
from google.adk.runners import InMemoryRunner  # noqa: E402
from google.adk.tools import FunctionTool, google_search  # noqa: E402
from google.adk.tools.agent_tool import AgentTool  # noqa: E402
from google.adk.workflow import START, Workflow  # noqa: E402
from google.adk.workflow._tool_node import _ToolNode  # noqa: E402
from google.genai import types  # noqa: E402
from svc_client.integrations._core import bound_answer  # noqa: E402
from svc_client.integrations.google_adk import Governance  # noqa: E402

USER = "user-1"


class ScriptedModel(BaseLlm):
    """Calls its tool once for each of the arguments, all in one message, and then says that it is done."""

    model: str = "scripted"
    calls: list[dict[str, Any]] = []
    tool: str = "refund"

    async def generate_content_async(
        self, llm_request: Any, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        answered = any(
            part.function_response for content in llm_request.contents for part in content.parts or ()
        )
        parts = [types.Part(text=FINAL)]
        if not answered:
            parts = [types.Part.from_function_call(name=self.tool, args=args) for args in self.calls]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


@dataclass
class Run:
    """A conversation with one agent."""

    runner: InMemoryRunner
    session_id: str = ""
    events: list[Any] = field(default_factory=list[Any])

    async def say(self, *parts: types.Part) -> Seen:
        if not self.session_id:
            service = self.runner.session_service
            made = await service.create_session(app_name=self.runner.app_name, user_id=USER)
            self.session_id = made.id
        message = types.Content(role="user", parts=list(parts) or [types.Part(text="go")])
        self.events = [
            event
            async for event in self.runner.run_async(
                user_id=USER, session_id=self.session_id, new_message=message
            )
        ]
        return self.seen()

    async def confirm(self, confirmed: bool) -> Seen:
        """Answers the confirmation that the last run asked for."""
        (asked,) = self.confirmations()
        answer = types.FunctionResponse(id=asked.id, name=asked.name, response={"confirmed": confirmed})
        return await self.say(types.Part(function_response=answer))

    def confirmations(self) -> list[Any]:
        calls = [call for event in self.events for call in event.get_function_calls()]
        return [call for call in calls if call.name == "adk_request_confirmation"]

    def seen(self) -> Seen:
        results = [each.response for event in self.events for each in event.get_function_responses()]
        texts = [part.text for event in self.events if event.content for part in event.content.parts or ()]
        asked = self.confirmations()
        final = [text for text in texts if text]
        return Seen(
            read=[str(each) for each in results],
            paused=str(asked[0].args) if asked else "",
            final=final[-1] if final else "",
        )


def agent_of(world: World, *calls: dict[str, Any], **more: Any) -> LlmAgent:
    more.setdefault("tools", [world.refund])
    return LlmAgent(name="agent", model=ScriptedModel(calls=list(calls or (ARGS,))), **more)


def run_of(agent: Any, client: Any, *earlier: BasePlugin, later: tuple[BasePlugin, ...] = ()) -> Run:
    plugins = [*earlier, Governance("agent-1", client=client), *later]
    return Run(InMemoryRunner(app=App(name="shop", root_agent=agent, plugins=plugins)))


def play(world: World, agent: LlmAgent, client: Any, *earlier: BasePlugin) -> Seen:
    return world.run(run_of(agent, client, *earlier).say())


@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_answer(world: World, case: AnswerCase) -> None:
    world.check(case, play(world, agent_of(world), world.meet(case)))


def test_reports_how_calls_ended(world: World) -> None:
    play(world, agent_of(world), world.client)
    world.wait_for_outcomes("succeeded")

    def refund(order: str, amount: int) -> str:
        raise RuntimeError(order)

    with pytest.raises(RuntimeError):
        play(world, agent_of(world, tools=[refund]), world.client)
    world.wait_for_outcomes("succeeded", "failed")


def test_a_pause_asks_again_and_ignores_the_confirmation(world: World) -> None:
    async def run() -> None:
        conversation = run_of(agent_of(world), world.meet(PAUSED))
        assert (await conversation.say()).paused
        still = await conversation.confirm(True)
        assert (world.ran, len(world.gateway.seen)) == ([], 2)
        assert "approve it first" in still.read[0]

    world.run(run())


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_pause_ends_when_the_gateway_allows(world: World, confirmed: bool) -> None:
    async def run() -> None:
        conversation = run_of(agent_of(world), world.meet(PAUSED))
        await conversation.say()
        world.meet(REWRITTEN)
        world.check(REWRITTEN, await conversation.confirm(confirmed))

    world.run(run())


def test_parallel_calls_are_judged_each(world: World) -> None:
    def reply(request: Request) -> bytes:
        return named("denied" if request.document["args"]["amount"] == 2 else "refund")(request) or b""

    world.gateway.reply = reply
    seen = play(world, agent_of(world, *({**ARGS, "amount": amount} for amount in (1, 2, 3))), world.client)
    assert sorted(each["amount"] for each in world.ran) == [1, 3]
    assert ["Not this one" in text for text in seen.read] == [False, True, False]


def test_the_session_of_the_framework_is_the_session(world: World) -> None:
    async def run() -> None:
        conversation = run_of(agent_of(world), world.client)
        await conversation.say()
        assert world.sessions() == [conversation.session_id]
        assert world.keys() != [""]

    world.run(run())


def change(tool: Any, args: dict[str, Any], tool_context: Any) -> None:
    args["amount"] = 31_337


def test_what_a_callback_of_the_agent_changes_is_judged(world: World) -> None:
    def reply(request: Request) -> bytes:
        return named("denied" if request.document["args"]["amount"] > 100 else "refund")(request) or b""

    world.gateway.reply = reply
    agent = agent_of(world, before_tool_callback=change)
    for _ in range(2):
        seen = play(world, agent, world.client)
        assert "Not this one" in seen.read[0]
    assert world.ran == []
    world.wait_for_outcomes("not_executed", "not_executed")


def test_a_callback_of_the_agent_that_changes_nothing_costs_no_question(world: World) -> None:
    play(world, agent_of(world, before_tool_callback=lambda tool, args, tool_context: None), world.client)
    assert (world.ran, len(world.gateway.seen)) == ([ARGS], 1)


def test_what_a_plugin_before_changes_is_judged(world: World) -> None:
    class Early(BasePlugin):
        async def before_tool_callback(
            self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any
        ) -> None:
            tool_args["amount"] = 7

    play(world, agent_of(world), world.client, Early(name="early"))
    assert [request.document["args"]["amount"] for request in world.gateway.seen] == [7]
    assert [each["amount"] for each in world.ran] == [7]


class Later(BasePlugin):
    """After Governance. Changes the arguments, or answers in place of the tool."""

    def __init__(self, answer: dict[str, Any] | None) -> None:
        super().__init__(name="later")
        self.answer = answer

    async def before_tool_callback(
        self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any
    ) -> dict[str, Any] | None:
        tool_args["amount"] = 31_337
        return self.answer


def test_what_a_plugin_behind_changes_is_judged(world: World) -> None:
    def reply(request: Request) -> bytes:
        return named("denied" if request.document["args"]["amount"] > 100 else "refund")(request) or b""

    world.gateway.reply = reply
    agent = agent_of(world)
    for _ in range(2):
        seen = world.run(run_of(agent, world.client, later=(Later(None),)).say())
        assert "Not this one" in seen.read[0]
    # The agent serves two apps, and each call is judged by its own: twice.
    assert (world.ran, len(world.gateway.seen)) == ([], 4)
    world.wait_for_outcomes("not_executed", "not_executed")


class Waiting(BasePlugin):
    """After Governance. Holds the call up for longer than an answer holds, and a kill switch comes."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(name="waiting")
        self._world, self._monkeypatch = world, monkeypatch

    async def before_tool_callback(
        self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any
    ) -> dict[str, Any] | None:
        self._world.meet(DENIED)
        self._monkeypatch.setattr(bound_answer, "FRESH_S", -1)
        return None


def test_a_call_that_a_plugin_holds_up_is_judged_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(agent_of(world), world.client, later=(Waiting(world, monkeypatch),))
    assert "Not this one" in world.run(run.say()).read[0]
    assert (world.ran, len(world.gateway.seen)) == ([], 2)
    world.wait_for_outcomes("not_executed")


def workflow_of(world: World, read: list[Any]) -> Workflow:
    """A workflow with a tool as a node, between one that says its arguments and one that reads its result."""

    def first(node_input: Any) -> dict[str, Any]:
        return ARGS

    def last(node_input: Any) -> str:
        read.append(node_input)
        return "done"

    return Workflow(name="workflow", edges=[(START, first, FunctionTool(world.refund), last)])


ASKS_PLUGINS = hasattr(_ToolNode, "_run_tool_with_plugin_callbacks")
"""Whether this release asks plugins about the tools of a workflow."""

tool_nodes = pytest.mark.skipif(not ASKS_PLUGINS, reason="this release does not judge tools that are nodes")


@pytest.mark.skipif(ASKS_PLUGINS, reason="this release judges tools that are nodes")
def test_a_tool_that_is_a_node_is_refused_where_plugins_are_not_asked(world: World) -> None:
    with pytest.raises(Exception, match="cannot be judged"):
        world.run(run_of(workflow_of(world, []), world.client).say())
    assert (world.ran, world.gateway.seen) == ([], [])


@tool_nodes
@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_a_tool_that_is_a_node_is_judged(world: World, case: AnswerCase) -> None:
    read: list[Any] = []
    world.run(run_of(workflow_of(world, read), world.meet(case)).say())
    assert world.ran == ([] if case.ran_with is None else [case.ran_with])
    assert case.told is None or case.told in str(read)
    if case.ran_with is not None:
        world.wait_for_outcomes("succeeded")


@tool_nodes
def test_what_a_plugin_behind_changes_at_a_node_is_judged(world: World) -> None:
    world.gateway.reply = lambda request: named(
        "denied" if request.document["args"]["amount"] > 100 else "refund"
    )(request)
    for _ in range(2):
        read: list[Any] = []
        world.run(run_of(workflow_of(world, read), world.client, later=(Later(None),)).say())
        assert "Not this one" in str(read)
    assert (world.ran, len(world.gateway.seen)) == ([], 4)
    world.wait_for_outcomes("not_executed", "not_executed")


@tool_nodes
def test_a_node_that_a_plugin_holds_up_is_judged_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []
    world.run(run_of(workflow_of(world, read), world.client, later=(Waiting(world, monkeypatch),)).say())
    assert "Not this one" in str(read)
    assert (world.ran, len(world.gateway.seen)) == ([], 2)
    world.wait_for_outcomes("not_executed")


def test_an_answer_in_place_of_the_tool_is_no_success(world: World) -> None:
    world.run(run_of(agent_of(world), world.client, later=(Later({"done": "no"}),)).say())
    assert world.ran == []
    world.wait_for_outcomes("not_executed")


def test_code_of_the_model_is_refused(world: World) -> None:
    agent = agent_of(world, code_executor=UnsafeLocalCodeExecutor())
    with pytest.raises(RuntimeError, match="code_executor"):
        play(world, agent, world.client)
    assert world.ran == []


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_confirmation_of_the_tool_itself_still_holds(world: World, confirmed: bool) -> None:
    async def run() -> None:
        tool = FunctionTool(world.refund, require_confirmation=True)
        conversation = run_of(agent_of(world, tools=[tool]), world.client)
        assert (await conversation.say()).paused
        assert world.ran == []
        await conversation.confirm(confirmed)
        assert (world.ran, len(world.gateway.seen)) == ([ARGS] if confirmed else [], 2)
        world.wait_for_outcomes("succeeded" if confirmed else "not_executed")

    world.run(run())


def inner_of(world: World) -> LlmAgent:
    inner = agent_of(world)
    inner.name = "inner"
    return inner


def denying_refunds(request: Request) -> bytes:
    return named("denied" if request.document["tool"] == "refund" else "other")(request) or b""


def test_agents_below_are_judged(world: World) -> None:
    world.gateway.reply = denying_refunds
    outer = LlmAgent(
        name="outer",
        model=ScriptedModel(calls=[{"agent_name": "inner"}], tool="transfer_to_agent"),
        sub_agents=[inner_of(world)],
    )
    play(world, outer, world.client)
    assert [request.document["tool"] for request in world.gateway.seen] == ["transfer_to_agent", "refund"]
    assert world.ran == []


@pytest.mark.parametrize("include_plugins", [True, False])
def test_an_agent_that_is_a_tool_is_judged_or_not_run(world: World, include_plugins: bool) -> None:
    world.gateway.reply = denying_refunds
    tool = AgentTool(inner_of(world), include_plugins=include_plugins)
    outer = LlmAgent(name="outer", model=ScriptedModel(calls=[{"request": "go"}], tool="inner"), tools=[tool])
    seen = play(world, outer, world.client)
    assert [request.document["tool"] for request in world.gateway.seen] == (
        ["inner", "refund"] if include_plugins else []
    )
    assert world.ran == []
    if not include_plugins:
        assert "no plugins" in seen.read[0]


def test_a_tool_that_runs_at_the_provider_is_refused(world: World) -> None:
    class Gemini(ScriptedModel):
        model: str = "gemini-2.5-flash"

    agent = LlmAgent(name="agent", model=Gemini(calls=[ARGS]), tools=[google_search])
    with pytest.raises(RuntimeError, match="google_search"):
        play(world, agent, world.client)


def test_an_agent_id_must_be_one(world: World) -> None:
    with pytest.raises(ValueError, match="agent_id"):
        Governance("refund*bot", client=world.client)


def test_a_run_that_is_cancelled_while_it_asks_runs_nothing(world: World) -> None:
    check_cancelled(world, run_of(agent_of(world), world.client).say)


@pytest.mark.parametrize("case", [ALLOWED, DENIED], ids=describe)
def test_a_tool_of_a_class_of_its_own_is_judged(world: World, case: AnswerCase) -> None:
    class Own(FunctionTool):
        async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> Any:
            return world.refund(**args)

    agent = agent_of(world, tools=[Own(world.refund)])
    world.check(case, play(world, agent, world.meet(case)))
    assert len(world.gateway.seen) == 1


def failing(*_: Any, **__: Any) -> Any:
    raise RuntimeError("a callback of somebody else")


def excused(*_: Any, **__: Any) -> Any:
    return {"result": "as if nothing had happened"}


@pytest.mark.parametrize("handler", [None, excused])
def test_a_callback_before_the_tool_that_raises_runs_nothing(world: World, handler: Any) -> None:
    agent = agent_of(world, before_tool_callback=failing, on_tool_error_callback=handler)
    with contextlib.suppress(RuntimeError):
        play(world, agent, world.client)
    assert world.ran == []


def test_a_callback_after_the_tool_that_raises_makes_no_deny_an_allow(world: World) -> None:
    agent = agent_of(world, after_tool_callback=failing, on_tool_error_callback=excused)
    with contextlib.suppress(RuntimeError):
        play(world, agent, world.meet(DENIED))
    assert world.ran == []
