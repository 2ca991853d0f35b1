"""The adapter of CrewAI, in the framework itself, with a scripted model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.answers import ALLOWED, ANSWERS, ARGS, DENIED, PAUSED, REWRITTEN, AnswerCase, named
from support.framework import need
from support.gateways import Request
from support.world import FINAL, Seen, World, describe
from svc_client import session

need("crewai")
from pydantic import BaseModel  # noqa: E402

from crewai import Agent, BaseLLM, Crew, Task  # noqa: E402
from crewai.hooks import clear_before_tool_call_hooks, register_before_tool_call_hook  # noqa: E402
from crewai.tools import BaseTool, tool  # noqa: E402
from svc_client.integrations.crewai import govern_crew, govern_tools  # noqa: E402


class ScriptedModel(BaseLLM):
    """Calls its tool once for each of the arguments, and then says that it is done."""

    def __init__(self, *calls: dict[str, Any], tool: str = "refund", native: bool = True) -> None:
        super().__init__(model="scripted")
        self.__dict__.update(calls_=calls, tool_=tool, native_=native, read_=[])

    def supports_function_calling(self) -> bool:
        return bool(self.__dict__["native_"])

    def call(self, messages: Any, tools: Any = None, *_: Any, **__: Any) -> Any:
        calls, tool, native = (self.__dict__[name] for name in ("calls_", "tool_", "native_"))
        said = [message for message in messages if isinstance(message, dict)]
        read = [str(each["content"]) for each in said if each["role"] == "tool"]
        if not native:
            # What its tool answered stands behind its own words.
            own = [str(each["content"]) for each in said if each["role"] == "assistant"]
            read = [text for text in own if "Observation:" in text]
        self.__dict__["read_"] = read
        if read:
            return FINAL if native else f"Thought: I now know the final answer\nFinal Answer: {FINAL}"
        if not native:
            return f"Thought: I need it\nAction: {tool}\nAction Input: {json.dumps(calls[0])}"
        return [
            {"id": f"c{at}", "type": "function", "function": {"name": tool, "arguments": json.dumps(args)}}
            for at, args in enumerate(calls)
        ]


def crew_of(model: ScriptedModel, tools: list[BaseTool], **more: Any) -> Crew:
    agent = Agent(role="Clerk", goal="Help", backstory="Helps.", llm=model, tools=tools, **more)
    task = Task(description="Pay it back.", expected_output="A word.", agent=agent)
    return Crew(agents=[agent], tasks=[task])


def play(world: World, client: Any, *calls: dict[str, Any], native: bool = True, tools: Any = None) -> Seen:
    model = ScriptedModel(*(calls or (ARGS,)), native=native)
    crew = govern_crew(crew_of(model, tools or [refund_of(world)]), "agent-1", client=client)
    final = str(crew.kickoff())
    return Seen(read=model.__dict__["read_"], final=final)


def refund_of(world: World) -> BaseTool:
    return tool("refund")(world.refund)


@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_answer(world: World, case: AnswerCase) -> None:
    world.check(case, play(world, world.meet(case)))


@pytest.mark.parametrize("case", [ALLOWED, DENIED, REWRITTEN, PAUSED], ids=describe)
def test_answer_to_a_call_in_text(world: World, case: AnswerCase) -> None:
    """Models without function calling say in their text what they call."""
    world.check(case, play(world, world.meet(case), native=False))
    assert len(world.gateway.seen) == 1


def test_reports_how_calls_ended(world: World) -> None:
    play(world, world.client)
    world.wait_for_outcomes("succeeded")

    @tool("refund")
    def fails(order: str, amount: int) -> str:
        """Pays money back."""
        raise RuntimeError(order)

    play(world, world.client, tools=[fails])
    world.wait_for_outcomes("succeeded", "failed")


def test_a_pause_tells_the_model_and_the_same_call_runs_after_the_approval(world: World) -> None:
    """There is no interrupt in CrewAI: the model reads where a person approves."""
    play(world, world.meet(PAUSED))
    world.check(REWRITTEN, play(world, world.meet(REWRITTEN)))


def denying(amount: int) -> Any:
    def reply(request: Request) -> bytes:
        return (
            named("denied" if request.document["args"].get("amount") == amount else "refund")(request) or b""
        )

    return reply


def test_parallel_calls_are_judged_each(world: World) -> None:
    world.gateway.reply = denying(2)
    seen = play(world, world.client, *({**ARGS, "amount": amount} for amount in (1, 2, 3)))
    assert sorted(each["amount"] for each in world.ran) == [1, 3]
    assert sorted("Not this one" in text for text in seen.read) == [False, False, True]


def test_a_session_around_is_the_session(world: World) -> None:
    with session("conversation-8"):
        play(world, world.client, ARGS, ARGS)
    assert set(world.sessions()) == {"conversation-8"}


def test_a_result_is_not_cached(world: World) -> None:
    """Else a call that is denied meanwhile would read the result of the one before."""
    play(world, world.client, ARGS, ARGS)
    assert (world.ran, len(world.gateway.seen)) == ([ARGS, ARGS], 2)


def test_a_coroutine_function_is_judged(world: World) -> None:
    @tool("refund")
    async def refund(order: str, amount: int) -> str:
        """Pays money back."""
        return world.refund(order, amount)

    for case in (ALLOWED, DENIED):
        world.forget()
        world.check(case, play(world, world.meet(case), tools=[refund]))


def test_direct_calls_are_judged(world: World) -> None:
    (governed,) = govern_tools([refund_of(world)], "agent-1", client=world.meet(DENIED))
    assert "Not this one" in governed.run(**ARGS)
    assert "Not this one" in governed.to_structured_tool().invoke(ARGS)
    assert world.ran == []


def test_a_deny_is_told_as_it_is_where_results_have_a_schema(world: World) -> None:
    class Receipt(BaseModel):
        paid: int

    class Refund(BaseTool):
        name: str = "refund"
        description: str = "Pays money back."

        def _run(self, order: str, amount: int) -> Receipt:
            return Receipt(paid=amount)

    for case in (ALLOWED, DENIED):
        world.meet(case)
        (governed,) = govern_tools([Refund()], "agent-1", client=world.client)
        structured = governed.to_structured_tool()
        said = str(structured.invoke(ARGS))
        assert ("Not this one" if case is DENIED else "5") in said


def test_tools_are_governed_once(world: World) -> None:
    tools = govern_tools([refund_of(world)], "agent-1", client=world.client)
    assert govern_tools(tools, "agent-2", client=world.client) == tools


def change(context: Any) -> None:
    context.tool_input["amount"] = 31_337


def test_what_a_hook_changes_is_judged(world: World) -> None:
    world.gateway.reply = denying(31_337)
    register_before_tool_call_hook(change)
    try:
        assert "Not this one" in play(world, world.client).read[0]
    finally:
        clear_before_tool_call_hooks()
    assert world.ran == []


def test_tools_of_a_task_are_governed(world: World) -> None:
    agent = Agent(role="Clerk", goal="Help", backstory="Helps.", llm=ScriptedModel(ARGS))
    task = Task(description="Pay.", expected_output="A word.", agent=agent, tools=[refund_of(world)])
    govern_crew(Crew(agents=[agent], tasks=[task]), "agent-1", client=world.meet(DENIED)).kickoff()
    assert (world.ran, len(world.gateway.seen)) == ([], 1)


@pytest.mark.parametrize("add", ["append", "extend", "insert", "+=", "[:]", "[0]"])
@pytest.mark.parametrize("of_task", [False, True], ids=["agent", "task"])
def test_a_tool_that_is_added_later_is_governed(world: World, add: str, of_task: bool) -> None:
    other = tool("other")(world.refund)
    model = ScriptedModel(ARGS)
    crew = govern_crew(crew_of(model, [other]), "agent-1", client=world.meet(DENIED))
    owner: Any = crew.tasks[0] if of_task else crew.agents[0]
    if not of_task:
        # A task has a list of its own, and uses that of its agent while it is empty.
        crew.tasks[0].tools = []
    tools, refund = owner.tools, refund_of(world)
    if add in ("append", "extend"):
        getattr(tools, add)(refund if add == "append" else [refund])
    elif add == "insert":
        tools.insert(0, refund)
    elif add == "+=":
        tools += [refund]
    elif add == "[:]":
        tools[:] = [refund]
    else:
        tools[0] = refund
    crew.kickoff()
    assert (world.ran, [request.document["tool"] for request in world.gateway.seen]) == ([], ["refund"])


def test_a_copy_of_a_crew_is_governed(world: World) -> None:
    crew = govern_crew(crew_of(ScriptedModel(ARGS), []), "agent-1", client=world.meet(DENIED))
    crew.agents[0].tools.append(refund_of(world))
    crew.copy().kickoff()
    crew.kickoff_for_each(inputs=[{}])
    assert (world.ran, len(world.gateway.seen)) == ([], 2)


def test_a_list_of_tools_that_is_assigned_later_is_not_governed(world: World) -> None:
    """What the documentation warns of."""
    crew = govern_crew(crew_of(ScriptedModel(ARGS), []), "agent-1", client=world.meet(DENIED))
    crew.agents[0].tools = [refund_of(world)]
    crew.tasks[0].tools = []
    crew.kickoff()
    assert (world.ran, world.gateway.seen) == ([ARGS], [])


def test_a_coworker_is_governed_and_the_delegation_itself_is_not_seen(world: World) -> None:
    """A documented limit: tools that CrewAI makes itself."""
    question = {"task": "Pay it back.", "context": "An order.", "coworker": "Clerk"}
    lead = Agent(
        role="Lead",
        goal="Lead",
        backstory="Leads.",
        allow_delegation=True,
        llm=ScriptedModel(question, tool="delegate_work_to_coworker"),
    )
    clerk = Agent(
        role="Clerk", goal="Help", backstory="Helps.", llm=ScriptedModel(ARGS), tools=[refund_of(world)]
    )
    task = Task(description="Pay it back.", expected_output="A word.", agent=lead)
    govern_crew(Crew(agents=[lead, clerk], tasks=[task]), "agent-1", client=world.meet(DENIED)).kickoff()
    assert [request.document["tool"] for request in world.gateway.seen] == ["refund"]
    assert world.ran == []


def test_a_tool_that_was_restored_from_a_file_does_not_run(world: World) -> None:
    (governed,) = govern_tools([refund_of(world)], "agent-1", client=world.client)
    restored = type(governed)(name="refund", description="", args_schema=governed.args_schema)
    with pytest.raises(AttributeError):
        restored.run(**ARGS)
    assert world.ran == []


def test_an_agent_with_other_sources_of_tools_is_refused(world: World) -> None:
    crew = crew_of(ScriptedModel(ARGS), [], mcps=["https://mcp.example/mcp"])
    with pytest.raises(TypeError, match="mcps"):
        govern_crew(crew, "agent-1", client=world.client)


def test_what_is_no_tool_is_refused(world: World) -> None:
    with pytest.raises(TypeError, match="BaseTool"):
        govern_tools([world.refund], "agent-1", client=world.client)  # type: ignore[list-item]


def test_an_agent_id_must_be_one(world: World) -> None:
    with pytest.raises(ValueError, match="agent_id"):
        govern_tools([], "refund*bot", client=world.client)
