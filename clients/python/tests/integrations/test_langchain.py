"""LangChain and LangGraph, with a scripted model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import pytest
from support.answers import ANSWERS, APPROVAL_URL, ARGS, DENIED, PAUSED, REWRITTEN, SHAPED, TOOL, AnswerCase
from support.framework import need
from support.gateways import scripted
from support.world import FINAL, Seen, World, describe
from svc_client import Client

need("langchain")

from langchain.agents import create_agent  # noqa: E402
from langchain.agents.middleware import AgentMiddleware, ToolRetryMiddleware  # noqa: E402
from langchain_core.language_models import BaseChatModel  # noqa: E402
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage  # noqa: E402
from langchain_core.outputs import ChatGeneration, ChatResult  # noqa: E402
from langchain_core.tools import StructuredTool, tool  # noqa: E402
from langgraph.checkpoint.memory import InMemorySaver  # noqa: E402
from langgraph.graph import START, MessagesState, StateGraph  # noqa: E402
from langgraph.types import Command  # noqa: E402
from pydantic import BaseModel, StringConstraints  # noqa: E402
from svc_client.integrations.langchain import Governance, GovernedToolNode  # noqa: E402

THREAD: Any = {"configurable": {"thread_id": "thread-1"}}

Call = tuple[str, dict[str, Any]]


class Model(BaseChatModel):
    """Makes the calls of its script, one turn after the other, and keeps what it read."""

    script: list[list[Call]]
    read: list[str] = []
    turns: int = 0

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Model:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self.read[:] = [str(each.content) for each in messages if isinstance(each, ToolMessage)]
        turn, self.turns = self.turns, self.turns + 1
        calls = self.script[turn] if turn < len(self.script) else []
        made: Any = [
            {"name": name, "args": args, "id": f"call-{turn}-{at}", "type": "tool_call"}
            for at, (name, args) in enumerate(calls)
        ]
        message = AIMessage(content="" if made else FINAL, tool_calls=made)
        return ChatResult(generations=[ChatGeneration(message=message)])


def refund_tool(world: World) -> StructuredTool:
    return StructuredTool.from_function(world.refund, name=TOOL)


def agent_of(world: World, model: Model, client: Client, **options: Any) -> Any:
    return create_agent(
        model,
        options.pop("tools", [refund_tool(world)]),
        middleware=[*options.pop("before", []), Governance("agent-1", client=client), *options.pop("after", [])],
        checkpointer=InMemorySaver(),
    )


def graph_of(world: World, model: Model, client: Client) -> Any:
    def call_model(state: MessagesState) -> Any:
        return {"messages": [model.invoke(state["messages"])]}

    def route(state: MessagesState) -> str:
        return "tools" if getattr(state["messages"][-1], "tool_calls", None) else "__end__"

    graph: Any = StateGraph(MessagesState)
    graph.add_node("model", call_model)
    graph.add_node("tools", GovernedToolNode([refund_tool(world)], Governance("agent-1", client=client)))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", route, ["tools", "__end__"])
    graph.add_edge("tools", "model")
    return graph.compile(checkpointer=InMemorySaver())


def run(world: World, agent: Any, what: Any, *, in_loop: bool, config: Any = THREAD) -> Any:
    return world.run(agent.ainvoke(what, config)) if in_loop else agent.invoke(what, config)


def seen_of(model: Model, state: Any) -> Seen:
    interrupts = state.get("__interrupt__", ())
    final = "" if interrupts else str(state["messages"][-1].content)
    return Seen(list(model.read), str([each.value for each in interrupts]) if interrupts else "", final)


ASK: Any = {"messages": [("user", "Give the money back.")]}
WAYS = pytest.mark.parametrize("in_loop", [False, True], ids=["invoke", "ainvoke"])
KINDS = pytest.mark.parametrize("make", [agent_of, graph_of], ids=["create_agent", "ToolNode"])


@WAYS
@KINDS
@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_a_call_ends_as_the_gateway_says(
    world: World, case: AnswerCase, make: Callable[..., Any], in_loop: bool
) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    state = run(world, make(world, model, world.meet(case)), ASK, in_loop=in_loop)
    world.check(case, seen_of(model, state))


@WAYS
def test_parallel_calls_are_judged_one_by_one(world: World, in_loop: bool) -> None:
    world.gateway.reply = lambda request: (
        DENIED.reply(request) if request.document["args"]["amount"] == 2 else scripted(request)
    )
    calls = [(TOOL, {"order": "o-1", "amount": amount}) for amount in (1, 2, 3)]
    model = Model(script=[calls])
    run(world, agent_of(world, model, world.client), ASK, in_loop=in_loop)
    assert sorted(each["amount"] for each in world.ran) == [1, 3]
    assert [text.split(" ")[1] for text in model.read] == ["1", "was", "3"]
    assert world.sessions() == ["thread-1"] * 3
    assert len(set(world.keys())) == 3
    world.wait_for_outcomes("succeeded", "succeeded")


@WAYS
@KINDS
def test_a_resumed_call_is_asked_about_again(world: World, make: Callable[..., Any], in_loop: bool) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    agent = make(world, model, world.meet(PAUSED))
    paused = seen_of(model, run(world, agent, ASK, in_loop=in_loop))
    assert APPROVAL_URL in paused.paused
    # A forged yes grants nothing.
    still = seen_of(model, run(world, agent, Command(resume={"approved": True}), in_loop=in_loop))
    assert (world.ran, still.final) == ([], FINAL)
    assert APPROVAL_URL in still.read[0]
    assert len(set(world.keys())) == 1


@WAYS
@KINDS
def test_a_resumed_call_runs_once_it_is_allowed(world: World, make: Callable[..., Any], in_loop: bool) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    agent = make(world, model, world.meet(PAUSED))
    run(world, agent, ASK, in_loop=in_loop)
    world.meet(REWRITTEN)
    # Nor is a forged no a refusal: the gateway decides.
    state = run(world, agent, Command(resume=False), in_loop=in_loop)
    assert (world.ran, seen_of(model, state).final) == ([SHAPED], FINAL)


def test_without_a_checkpointer_the_model_reads_the_address(world: World) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    agent = create_agent(
        model, [refund_tool(world)], middleware=[Governance("agent-1", client=world.meet(PAUSED))]
    )
    seen = seen_of(model, agent.invoke(ASK))
    assert (world.ran, seen.final) == ([], FINAL)
    assert APPROVAL_URL in seen.read[0]


def test_calls_without_a_thread_have_no_key_that_could_repeat(world: World) -> None:
    for _ in range(2):
        model = Model(script=[[(TOOL, ARGS)]])
        create_agent(model, [refund_tool(world)], middleware=[Governance("agent-1", client=world.client)]).invoke(
            ASK
        )
    assert world.keys() == ["", ""]
    assert world.sessions() == [None, None]


@WAYS
def test_a_failing_tool_is_reported_as_failed(world: World, in_loop: bool) -> None:
    @tool
    def refund(order: str, amount: int) -> str:
        """Fails."""
        raise ValueError("no money")

    model = Model(script=[[(TOOL, ARGS)]])
    with pytest.raises(ValueError, match="no money"):
        run(world, agent_of(world, model, world.client, tools=[refund]), ASK, in_loop=in_loop)
    world.wait_for_outcomes("failed")


def test_what_the_schema_of_a_tool_changes_is_not_judged(world: World) -> None:
    """What the documentation warns of."""

    class Order(BaseModel):
        order: Annotated[str, StringConstraints(strip_whitespace=True)]
        amount: int

    stripped = StructuredTool.from_function(world.refund, name=TOOL, args_schema=Order)
    model = Model(script=[[(TOOL, {**ARGS, "order": " o-1 "})]])
    run(world, agent_of(world, model, world.client, tools=[stripped]), ASK, in_loop=False)
    assert [request.document["args"]["order"] for request in world.gateway.seen] == [" o-1 "]
    assert world.ran == [ARGS]


@WAYS
def test_both_ways_are_defined(world: World, in_loop: bool) -> None:
    """A misspelled hook, or one for one way only, would be passed by."""
    for name in ("wrap_tool_call", "awrap_tool_call", "wrap_model_call", "awrap_model_call"):
        assert getattr(Governance, name) is not getattr(AgentMiddleware, name)
    with pytest.raises(TypeError, match="awrap_tool_call: expected no wrapper"):
        GovernedToolNode([], Governance("agent-1", client=world.client), awrap_tool_call=None)


class Changing(AgentMiddleware):
    """Changes every call."""

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        call = request.tool_call
        return handler(request.override(tool_call={**call, "args": {**call["args"], "amount": 9}}))

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        call = request.tool_call
        return await handler(request.override(tool_call={**call, "args": {**call["args"], "amount": 9}}))


@WAYS
def test_what_another_middleware_changed_is_what_is_judged(world: World, in_loop: bool) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    run(world, agent_of(world, model, world.client, before=[Changing()]), ASK, in_loop=in_loop)
    assert world.ran == [{**ARGS, "amount": 9}]
    assert [request.document["args"] for request in world.gateway.seen] == world.ran


@WAYS
def test_nothing_runs_while_a_middleware_comes_after_it(world: World, in_loop: bool) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    run(world, agent_of(world, model, world.client, after=[Changing()]), ASK, in_loop=in_loop)
    assert (world.ran, world.gateway.seen) == ([], [])
    assert "must be the last entry" in model.read[0]


class Swapping(AgentMiddleware):
    """Runs another tool than the one that was called."""

    def __init__(self, other: StructuredTool) -> None:
        super().__init__()
        self.other = other

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        return handler(request.override(tool=self.other))

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        return await handler(request.override(tool=self.other))


@WAYS
def test_nothing_runs_whose_tool_was_replaced(world: World, in_loop: bool) -> None:
    other = StructuredTool.from_function(world.refund, name="danger", description="Another tool.")
    model = Model(script=[[(TOOL, ARGS)]])
    run(world, agent_of(world, model, world.client, before=[Swapping(other)]), ASK, in_loop=in_loop)
    assert (world.ran, world.gateway.seen) == ([], [])
    assert "another tool in place" in model.read[0]


@WAYS
def test_a_retry_is_judged_again_under_the_same_key(world: World, in_loop: bool) -> None:
    attempts: list[int] = []

    @tool
    def refund(order: str, amount: int) -> str:
        """Fails once."""
        attempts.append(amount)
        if len(attempts) == 1:
            raise ValueError("not now")
        return f"refunded {amount}"

    model = Model(script=[[(TOOL, ARGS)]])
    retry = ToolRetryMiddleware(max_retries=1, initial_delay=0)
    run(world, agent_of(world, model, world.client, tools=[refund], before=[retry]), ASK, in_loop=in_loop)
    assert (attempts, len(world.keys()), len(set(world.keys()))) == ([5, 5], 2, 1)
    world.wait_for_outcomes("failed", "succeeded")


@WAYS
def test_a_tool_that_the_provider_runs_is_refused(world: World, in_loop: bool) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    tools = [refund_tool(world), {"type": "web_search_20250305", "name": "web_search"}]
    with pytest.raises(TypeError, match="web_search_20250305, which the model's provider runs"):
        run(world, agent_of(world, model, world.client, tools=tools), ASK, in_loop=in_loop)
    assert model.turns == 0


HOSTED: Any = {"type": "web_search_20250305", "name": "web_search"}


class Extending(AgentMiddleware):
    """Hands the model a tool that its provider runs."""

    def __init__(self, **change: Any) -> None:
        super().__init__()
        self.change = change

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        return handler(request.override(**self.change))

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        return await handler(request.override(**self.change))


@WAYS
@pytest.mark.parametrize("change", [{"tools": [HOSTED]}, {"model_settings": {"tools": [HOSTED]}}], ids=str)
def test_a_middleware_before_it_adds_no_tool_of_the_provider(
    world: World, in_loop: bool, change: dict[str, Any]
) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    agent = agent_of(world, model, world.client, before=[Extending(**change)])
    with pytest.raises(TypeError, match="web_search_20250305, which the model's provider runs"):
        run(world, agent, ASK, in_loop=in_loop)
    assert (model.turns, world.ran) == (0, [])


@WAYS
def test_no_model_is_asked_while_a_middleware_for_models_comes_after_it(world: World, in_loop: bool) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    agent = agent_of(world, model, world.client, after=[Extending(tools=[HOSTED])])
    with pytest.raises(TypeError, match="must be the last entry of middleware="):
        run(world, agent, ASK, in_loop=in_loop)
    assert (model.turns, world.ran) == (0, [])


@WAYS
def test_an_agent_inside_a_tool_needs_a_governance_of_its_own(world: World, in_loop: bool) -> None:
    world.gateway.reply = lambda request: (
        DENIED.reply(request) if request.document["agent_id"] == "inner" else scripted(request)
    )

    def outer_run(*governance: Governance) -> None:
        inner = create_agent(
            Model(script=[[(TOOL, ARGS)]]), [refund_tool(world)], middleware=list(governance)
        )

        @tool
        def delegate() -> str:
            """Asks another agent."""
            return str(inner.invoke(ASK)["messages"][-1].content)

        model = Model(script=[[("delegate", {})]])
        run(world, agent_of(world, model, world.client, tools=[delegate]), ASK, in_loop=in_loop)
        assert model.read == [FINAL]

    outer_run(Governance("inner", client=world.client))
    assert world.ran == []
    assert [request.document["tool"] for request in world.gateway.seen] == ["delegate", TOOL]
    # Only the call of the outer agent is seen here: this is what the documentation warns of.
    outer_run()
    assert world.ran == [ARGS]


def test_an_unknown_tool_and_a_wrong_argument_run_nothing(world: World) -> None:
    model = Model(script=[[("no_such_tool", {})], [(TOOL, {"order": "o-1", "amount": "zz"})]])
    run(world, agent_of(world, model, world.client), ASK, in_loop=False)
    assert world.ran == []
    world.wait_for_outcomes("failed", "failed")


def test_a_thread_id_is_the_name_of_the_session(world: World) -> None:
    for thread in ("user 7 / é", "whatsapp:+14155238886"):
        model = Model(script=[[(TOOL, ARGS)]])
        run(world, agent_of(world, model, world.client), ASK, in_loop=False, config={"configurable": {"thread_id": thread}})
    assert list(world.sessions()) == ["user 7 / é", "whatsapp:+14155238886"]


def test_a_thread_id_that_is_not_a_name_names_a_session_all_the_same(world: World) -> None:
    for thread in ("user 7 *", "user 7 *", "user 8 *"):
        model = Model(script=[[(TOOL, ARGS)]])
        run(world, agent_of(world, model, world.client), ASK, in_loop=False, config={"configurable": {"thread_id": thread}})
    first, second, third = world.sessions()
    assert first == second != third
    assert first.startswith("s-")


def test_policies_may_name_a_tool_in_their_own_way(world: World) -> None:
    model = Model(script=[[(TOOL, ARGS)]])
    governance = Governance("agent-1", client=world.client, names={TOOL: "payments.refund"})
    create_agent(model, [refund_tool(world)], middleware=[governance]).invoke(ASK)
    assert [request.document["tool"] for request in world.gateway.seen] == ["payments.refund"]


def test_a_wrong_setup_is_refused_at_once(world: World) -> None:
    with pytest.raises(ValueError, match="agent_id: expected"):
        Governance("an agent ", client=world.client)
    with pytest.raises(TypeError, match="client: expected a Client; got AsyncClient"):
        Governance("agent-1", client=world.client.for_coroutines())  # type: ignore[arg-type]


def test_a_graph_that_gives_up_first_runs_nothing_later(world: World) -> None:
    """The decision timeout must be shorter than the graph's step timeout: a thread is not stopped by it."""
    model = Model(script=[[(TOOL, ARGS)]])
    agent = agent_of(world, model, world.meet(next(each for each in ANSWERS if each.state == "hangs")))
    agent.step_timeout = 0.03
    with pytest.raises(TimeoutError):
        run(world, agent, ASK, in_loop=False)
    time.sleep(0.2)
    assert world.ran == []
