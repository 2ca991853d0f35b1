"""OpenAI Agents, with a scripted model."""

from __future__ import annotations

import asyncio
import copy
from typing import Any, cast

import pytest
from support.answers import ANSWERS, APPROVAL_URL, ARGS, DENIED, PAUSED, REWRITTEN, SHAPED, TOOL, AnswerCase
from support.framework import need
from support.gateways import scripted
from support.world import FINAL, Seen, World, describe
from svc_client import Client, session
from svc_client._session import current_session
from svc_client.integrations._core.answers import Held
from svc_client.integrations._core.fresh_answers import FreshAnswers

need("agents")

from agents import Agent, FunctionTool, Handoff, RunConfig, Runner, WebSearchTool, function_tool, handoff  # noqa: E402
from agents import set_tracing_disabled, tool_input_guardrail  # noqa: E402
from agents.items import ModelResponse  # noqa: E402
from agents.models.interface import Model  # noqa: E402
from agents.tool_guardrails import ToolGuardrailFunctionOutput  # noqa: E402
from agents.usage import Usage  # noqa: E402
from openai.types.responses import (  # noqa: E402
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from svc_client.integrations.openai_agents import Governance, GovernedAgent  # noqa: E402

set_tracing_disabled(True)

Call = tuple[str, str]


class Scripted(Model):
    """Makes the calls of its script, one turn after the other, and keeps what it read."""

    def __init__(self, script: list[list[Call]]) -> None:
        self.script = script
        self.read: list[str] = []
        self.turns = 0

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:
        items = [] if isinstance(input, str) else input
        self.read[:] = [str(each["output"]) for each in items if each.get("type") == "function_call_output"]
        turn, self.turns = self.turns, self.turns + 1
        calls = self.script[turn] if turn < len(self.script) else []
        output: list[Any] = [
            ResponseFunctionToolCall(
                arguments=arguments, call_id=f"call-{turn}-{at}", name=name, type="function_call"
            )
            for at, (name, arguments) in enumerate(calls)
        ]
        if not output:
            text = ResponseOutputText(annotations=[], text=FINAL, type="output_text")
            output = [
                ResponseOutputMessage(
                    id="m", content=[text], role="assistant", status="completed", type="message"
                )
            ]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


CALL = (TOOL, '{"order":"o-1","amount":5}')


def refund_tool(world: World, **options: Any) -> FunctionTool:
    return function_tool(world.refund, name_override=TOOL, **options)


def agent_of(world: World, model: Scripted, client: Client, **options: Any) -> GovernedAgent[Any]:
    tools = options.pop("tools", None) or [refund_tool(world)]
    governance = Governance("agent-1", client=client)
    return GovernedAgent(name="Refunds", model=model, tools=tools, governance=governance, **options)


def run(world: World, agent: Any, what: Any = "Give the money back.") -> Any:
    return world.run(Runner.run(agent, what, run_config=RunConfig(tracing_disabled=True)))


def seen_of(model: Scripted, result: Any) -> Seen:
    paused = "" if not result.interruptions else "paused"
    return Seen(list(model.read), paused, "" if paused else str(result.final_output))


@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_a_call_ends_as_the_gateway_says(world: World, case: AnswerCase) -> None:
    model = Scripted([[CALL]])
    result = run(world, agent_of(world, model, world.meet(case)))
    if case.is_pause:
        assert (world.ran, [each.tool_name for each in result.interruptions]) == ([], [TOOL])
        return
    world.check(case, seen_of(model, result))


def test_an_ordinary_call_is_one_question(world: World) -> None:
    run(world, agent_of(world, Scripted([[CALL]]), world.client))
    assert len(world.gateway.seen) == 1
    world.wait_for_outcomes("succeeded")


def test_parallel_calls_are_judged_one_by_one(world: World) -> None:
    world.gateway.reply = lambda request: (
        DENIED.reply(request) if request.document["args"]["amount"] == 2 else scripted(request)
    )
    model = Scripted([[(TOOL, f'{{"order":"o-1","amount":{amount}}}') for amount in (1, 2, 3)]])
    with session("conversation-1"):
        run(world, agent_of(world, model, world.client))
    assert sorted(each["amount"] for each in world.ran) == [1, 3]
    assert [text.split(" ")[1] for text in model.read] == ["1", "was", "3"]
    assert world.sessions() == ["conversation-1"] * 3
    assert len(set(world.keys())) == 3


def test_a_resumed_call_is_asked_about_again(world: World) -> None:
    model = Scripted([[CALL]])
    agent = agent_of(world, model, world.meet(PAUSED))
    state = run(world, agent).to_state()
    # The approval of the framework grants nothing.
    state.approve(state.get_interruptions()[0])
    seen = seen_of(model, run(world, agent, state))
    assert (world.ran, seen.final) == ([], FINAL)
    assert APPROVAL_URL in seen.read[0]


def test_a_resumed_call_runs_once_it_is_allowed(world: World) -> None:
    model = Scripted([[CALL]])
    agent = agent_of(world, model, world.meet(PAUSED))
    state = run(world, agent).to_state()
    state.approve(state.get_interruptions()[0])
    world.meet(REWRITTEN)
    assert seen_of(model, run(world, agent, state)).final == FINAL
    assert world.ran == [SHAPED]


def test_a_call_that_the_application_asks_about_is_judged_too(world: World) -> None:
    """Whatever the application says, the gateway decides when the call is about to run."""
    for asks in (True, lambda *_: None):
        world.forget()
        model = Scripted([[CALL]])
        agent = agent_of(world, model, world.meet(DENIED), tools=[refund_tool(world, needs_approval=asks)])
        state = run(world, agent).to_state()
        assert world.gateway.seen == []
        state.approve(state.get_interruptions()[0])
        assert "Not this one" in seen_of(model, run(world, agent, state)).read[0]
        assert world.ran == []


@pytest.mark.parametrize(
    "raw", ["{", "[]", "null", '{"amount":1,"amount":1000,"order":"o"}', '{"amount":NaN,"order":"o"}']
)
def test_arguments_that_cannot_be_read_run_nothing(world: World, raw: str) -> None:
    model = Scripted([[(TOOL, raw)]])
    run(world, agent_of(world, model, world.client))
    assert world.ran == []


def test_arguments_of_a_wrong_type_run_nothing(world: World) -> None:
    model = Scripted([[(TOOL, '{"order":"o-1","amount":"zz"}')]])
    run(world, agent_of(world, model, world.client))
    assert world.ran == []
    world.wait_for_outcomes("failed")


@pytest.mark.parametrize("formatter", [..., lambda _, error: f"sorry: {error}"], ids=["default", "own"])
def test_a_failing_tool_is_reported_as_failed(world: World, formatter: Any) -> None:
    def refund(order: str, amount: int) -> str:
        raise ValueError("no money")

    options = {} if formatter is ... else {"failure_error_function": formatter}
    model = Scripted([[CALL]])
    run(world, agent_of(world, model, world.client, tools=[function_tool(refund, **options)]))
    assert model.read[0].startswith("An error occurred" if formatter is ... else "sorry: no money")
    world.wait_for_outcomes("failed")


def test_a_failure_that_ends_the_run_is_reported_as_failed(world: World) -> None:
    def refund(order: str, amount: int) -> str:
        raise ValueError("no money")

    tools = [function_tool(refund, failure_error_function=None)]
    with pytest.raises(Exception, match="no money"):
        run(world, agent_of(world, Scripted([[CALL]]), world.client, tools=tools))
    world.wait_for_outcomes("failed")


def test_a_guardrail_that_lets_pass_does_not_permit(world: World) -> None:
    """`reject_content(None)` and an output without a behaviour let a call pass. The gateway is asked all the same."""

    @tool_input_guardrail
    def forgetful(_: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.reject_content(None)  # type: ignore[arg-type]

    model = Scripted([[CALL]])
    tools = [refund_tool(world, tool_input_guardrails=[forgetful])]
    run(world, agent_of(world, model, world.meet(DENIED), tools=tools))
    assert world.ran == []


class Switch:
    """Says True so many times and then what it is told, and notes which agents asked."""

    def __init__(self, times: int, then: Any) -> None:
        self.times = times
        self.then = then
        self.agents: list[str] = []

    async def __call__(self, _: Any, agent: Any) -> Any:
        self.agents.append(agent.name)
        if len(self.agents) <= self.times:
            return True
        if isinstance(self.then, Exception):
            raise self.then
        return self.then


@pytest.mark.parametrize("then", [False, None, ValueError("unknown")], ids=["false", "none", "fault"])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_tool_that_was_disabled_after_the_model_answered_runs_nothing(world: World, times: int, then: Any) -> None:
    """The framework compares tools by identity, and takes governed ones for tools that are always enabled."""
    model, enabled = Scripted([[CALL]]), Switch(times, then)
    tools = [refund_tool(world, is_enabled=enabled), function_tool(lambda: "", name_override="other")]
    try:
        run(world, agent_of(world, model, world.client, tools=tools))
    except ValueError:
        # The framework asks too, and ends the run with what was raised.
        assert isinstance(then, Exception)
    else:
        assert "was denied" in model.read[0]
    assert world.ran == []
    assert set(enabled.agents) == {"Refunds"}


def test_an_attribute_that_was_turned_off_after_the_model_answered_runs_nothing(world: World) -> None:
    tool = refund_tool(world)

    class TurnsOff(Scripted):
        async def get_response(self, *args: Any, **options: Any) -> ModelResponse:
            tool.is_enabled = False
            return await super().get_response(*args, **options)

    model = TurnsOff([[CALL]])
    other = function_tool(lambda: "", name_override="other")
    run(world, agent_of(world, model, world.client, tools=[tool, other]))
    assert world.ran == []
    assert world.gateway.seen == []
    assert "was denied" in model.read[0]


def test_a_call_that_is_allowed_and_then_disabled_is_given_back(world: World) -> None:
    tool = refund_tool(world)

    def turn_off(request: Any) -> Any:
        tool.is_enabled = False
        return scripted(request)

    world.gateway.reply = turn_off
    run(world, agent_of(world, Scripted([[CALL]]), world.client, tools=[tool]))
    assert world.ran == []
    world.wait_for_outcomes("not_executed")


def test_what_a_guardrail_changed_is_what_is_judged(world: World) -> None:
    @tool_input_guardrail
    def changing(data: Any) -> ToolGuardrailFunctionOutput:
        data.context.tool_call.arguments = '{"order":"o-1","amount":9}'
        data.context.tool_arguments = data.context.tool_call.arguments
        return ToolGuardrailFunctionOutput.allow()

    model = Scripted([[CALL]])
    run(world, agent_of(world, model, world.client, tools=[refund_tool(world, tool_input_guardrails=[changing])]))
    judged = [request.document["args"] for request in world.gateway.seen]
    assert world.ran == judged[-1:]


def test_what_cannot_be_governed_is_refused_at_construction(world: World) -> None:
    plain = Agent(name="Plain", tools=[refund_tool(world)])
    for options, text in (
        ({"tools": [WebSearchTool()]}, "got WebSearchTool"),
        ({"tools": [plain.as_tool("ask", "Asks.")]}, "got the agent 'Plain'"),
        ({"handoffs": [plain]}, "got the agent 'Plain'"),
        ({"handoffs": [handoff(plain)]}, "got the agent 'Plain'"),
    ):
        with pytest.raises(TypeError, match=text):
            agent_of(world, Scripted([]), world.client, **options)
    with pytest.raises(TypeError, match="governance: expected a Governance"):
        GovernedAgent(name="Refunds")


def test_a_tool_that_comes_later_is_refused_before_the_model_is_asked(world: World) -> None:
    model = Scripted([[CALL]])
    agent = agent_of(world, model, world.client)
    agent.tools = [*agent.tools, WebSearchTool()]
    with pytest.raises(TypeError, match="got WebSearchTool"):
        run(world, agent)
    assert model.turns == 0


def test_agents_inside_tools_and_after_handoffs_are_governed_by_their_own(world: World) -> None:
    world.gateway.reply = lambda request: (
        DENIED.reply(request) if request.document["agent_id"] == "inner" else scripted(request)
    )
    inner = GovernedAgent(
        name="Inner",
        model=Scripted([[CALL]]),
        tools=[refund_tool(world)],
        governance=Governance("inner", client=world.client),
    )
    model = Scripted([[("ask", '{"input":"refund"}')], [("transfer_to_inner", "{}")]])
    run(
        world,
        agent_of(world, model, world.client, tools=[inner.as_tool("ask", "Asks.")], handoffs=[inner]),
    )
    assert world.ran == []
    assert ("inner", TOOL) in [
        (request.document["agent_id"], request.document["tool"]) for request in world.gateway.seen
    ]


def test_each_session_is_judged_for_itself(world: World) -> None:
    """Ids of calls repeat from run to run, and so do arguments."""
    world.gateway.reply = lambda request: (
        DENIED.reply(request) if request.document["session_id"] == "b" else scripted(request)
    )
    ran: list[str] = []

    def refund(order: str, amount: int) -> str:
        entered = current_session.get()
        ran.append("" if entered is None else str(entered.session_id))
        return "done"

    agents = {each: Scripted([[CALL]]) for each in ("b", "a")}
    governance = Governance("agent-1", client=world.client)

    async def one(session_id: str) -> None:
        tools = [function_tool(refund, name_override=TOOL)]
        model = agents[session_id]
        agent = GovernedAgent(name="Refunds", model=model, tools=tools, governance=governance)  # type: ignore[var-annotated]
        with session(session_id):
            await Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True))

    async def both() -> None:
        await asyncio.gather(one("b"), one("a"))

    for _ in range(5):
        ran.clear()
        for model in agents.values():
            model.turns = 0
        world.run(both())
        assert ran == ["a"]
        assert "Not this one" in agents["b"].read[0]


def test_an_answer_belongs_to_its_run_and_session() -> None:
    fresh, answer, run = FreshAnswers(), Held("t", cast("Any", None)), object()
    with session("a"):
        fresh.keep(run, "t", "call", {}, answer)
        assert fresh.take(object(), "t", "call", {}) is None
    with session("b"):
        assert fresh.take(run, "t", "call", {}) is None
    fresh.keep(run, "t", "call", {}, answer)
    assert fresh.take(run, "t", "call", {}) is answer
    assert fresh.take(run, "t", "call", {}) is None


def test_a_handoff_that_comes_later_is_refused_before_the_model_is_asked(world: World) -> None:
    model = Scripted([[("transfer_to_plain", "{}")]])
    agent = agent_of(world, model, world.client)
    agent.handoffs.append(Agent(name="Plain", model=Scripted([[CALL]]), tools=[refund_tool(world)]))
    with pytest.raises(TypeError, match="got the agent 'Plain'"):
        run(world, agent)
    assert (model.turns, world.ran) == (0, [])


def test_a_handoff_to_nobody_knows_whom_is_refused(world: World) -> None:
    async def anywhere(*_: Any) -> Any:
        return Agent(name="Plain", tools=[refund_tool(world)])

    unknown: Any = Handoff(
        tool_name="go", tool_description="", input_json_schema={}, on_invoke_handoff=anywhere, agent_name="Plain"
    )
    with pytest.raises(TypeError, match="which agent it leads to"):
        agent_of(world, Scripted([]), world.client, handoffs=[unknown])


def test_a_copy_of_a_governed_agent_is_governed(world: World) -> None:
    agent = agent_of(world, Scripted([[CALL]]), world.meet(DENIED))
    run(world, agent.clone(name="Clone"))
    run(world, copy.copy(agent_of(world, Scripted([[CALL]]), world.meet(DENIED))))
    assert world.ran == []
