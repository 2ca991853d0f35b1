"""LlamaIndex, with a scripted model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest
from support.answers import ANSWERS, APPROVAL_URL, ARGS, DENIED, PAUSED, REWRITTEN, SHAPED, TOOL, AnswerCase
from support.cancelling import check_cancelled
from support.framework import need
from support.gateways import scripted
from support.world import FINAL, Seen, World, describe
from svc_client import session

need("llama_index.core")

from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent  # noqa: E402
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata  # noqa: E402
from llama_index.core.llms.function_calling import FunctionCallingLLM  # noqa: E402
from llama_index.core.llms.llm import ToolSelection  # noqa: E402
from llama_index.core.tools import BaseTool, FunctionTool, ToolMetadata, ToolOutput  # noqa: E402
from llama_index.core.tools.calling import acall_tool, call_tool  # noqa: E402
from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent  # noqa: E402
from svc_client.integrations.llama_index import Governance, GovernedTool  # noqa: E402

Call = tuple[str, dict[str, Any]]


class Scripted(FunctionCallingLLM):
    """Makes the calls of its script, one turn after the other, and keeps what it read."""

    script: list[list[Call]]
    read: list[str] = []
    turns: int = 0

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_function_calling_model=True, is_chat_model=True)

    async def astream_chat_with_tools(
        self, tools: Sequence[BaseTool], chat_history: Any = None, **_: Any
    ) -> AsyncGenerator[ChatResponse, None]:
        self.read[:] = [str(each.content) for each in chat_history or [] if each.role == "tool"]
        turn, self.turns = self.turns, self.turns + 1
        calls = self.script[turn] if turn < len(self.script) else []
        message = ChatMessage(role="assistant", content="" if calls else FINAL)
        answer = ChatResponse(message=message, raw={"calls": calls, "turn": turn})

        async def stream() -> AsyncGenerator[ChatResponse, None]:
            yield answer

        return stream()

    def get_tool_calls_from_response(self, response: ChatResponse, **_: Any) -> list[ToolSelection]:
        raw: Any = response.raw
        return [
            ToolSelection(tool_id=f"call-{raw['turn']}-{at}", tool_name=name, tool_kwargs=args)
            for at, (name, args) in enumerate(raw["calls"])
        ]

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def _refuse_later(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    chat = complete = stream_chat = stream_complete = _prepare_chat_with_tools = _refuse
    achat = acomplete = astream_chat = astream_complete = _refuse_later


def refund_tool(world: World) -> FunctionTool:
    return FunctionTool.from_defaults(world.refund, name=TOOL)


def agent_of(model: Scripted, tools: Any) -> Any:
    return FunctionAgent(name="refunds", description="Refunds.", llm=model, tools=tools)


def workflow_of(model: Scripted, tools: Any) -> Any:
    return AgentWorkflow(agents=[agent_of(model, tools)], root_agent="refunds")


def governed(world: World, case: AnswerCase, **options: Any) -> list[GovernedTool]:
    return Governance("agent-1", client=world.meet(case), **options).govern([refund_tool(world)])


ALLOWED = ANSWERS[0]
KINDS = pytest.mark.parametrize("make", [agent_of, workflow_of], ids=["FunctionAgent", "AgentWorkflow"])


def run(world: World, agent: Any) -> str:
    async def running() -> str:
        return str(await agent.run("Give the money back."))

    return world.run(running())


@KINDS
@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_a_call_ends_as_the_gateway_says(world: World, case: AnswerCase, make: Any) -> None:
    model = Scripted(script=[[(TOOL, ARGS)]])
    final = run(world, make(model, governed(world, case)))
    world.check(case, Seen(list(model.read), "", final))


@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_every_way_of_calling_a_tool_is_judged(world: World, case: AnswerCase) -> None:
    """`call`, `acall`, `__call__`, the helpers of the framework, and the functions behind the tool."""
    (tool,) = governed(world, case)
    asked = [
        lambda: tool.call(**ARGS),
        lambda: world.run(tool.acall(**ARGS)),
        lambda: tool(**ARGS),
        lambda: call_tool(tool, ARGS),
        lambda: world.run(acall_tool(tool, ARGS)),
        lambda: tool.fn(**ARGS),
        lambda: world.run(tool.async_fn(**ARGS)),
        lambda: tool.real_fn(**ARGS),
    ]
    read = [str(ask()) for ask in asked]
    for text in read:
        world.ran[1:] = []
        world.check(case, Seen([text], "", FINAL))


def test_a_call_without_names_runs_nothing(world: World) -> None:
    (tool,) = governed(world, ALLOWED)
    assert "cannot be judged" in str(tool.call("o-1", 5))
    assert "cannot be judged" in str(world.run(tool.acall("o-1", 5)))
    assert (world.ran, world.gateway.seen) == ([], [])


def test_a_tool_of_one_argument_is_judged_once(world: World) -> None:
    """The framework calls such a tool twice, and hides the first error."""

    class Lookup(BaseTool):
        @property
        def metadata(self) -> ToolMetadata:
            return ToolMetadata(description="Looks up.", name="lookup")

        def __call__(self, input: Any) -> ToolOutput:
            world.ran.append({"input": input})
            return ToolOutput(content="found", tool_name="lookup", raw_input={}, raw_output="found")

    (tool,) = Governance("agent-1", client=world.meet(DENIED)).govern([Lookup()])
    # As older releases call it.
    assert "Not this one" in str(tool("x"))
    assert world.gateway.seen[0].document["args"] == {"input": "x"}
    world.forget()
    world.meet(DENIED)
    for output in (call_tool(tool, {"input": "x"}), world.run(acall_tool(tool, {"input": "x"}))):
        assert "Not this one" in str(output)
    assert (world.ran, len(world.gateway.seen)) == ([], 2)
    world.meet(ALLOWED)
    assert str(call_tool(tool, {"input": "x"})) == "found"
    assert world.ran == [{"input": "x"}]


@KINDS
def test_parallel_calls_are_judged_one_by_one(world: World, make: Any) -> None:
    tools = governed(world, ALLOWED)
    world.gateway.reply = lambda request: (
        DENIED.reply(request) if request.document["args"]["amount"] == 2 else scripted(request)
    )
    model = Scripted(script=[[(TOOL, {"order": "o-1", "amount": amount}) for amount in (1, 2, 3)]])
    with session("conversation-1"):
        run(world, make(model, tools))
    assert sorted(each["amount"] for each in world.ran) == [1, 3]
    assert sorted(text.split(" ")[1] for text in model.read) == ["1", "3", "was"]
    assert world.sessions() == ["conversation-1"] * 3


@KINDS
@pytest.mark.parametrize("then", [PAUSED, REWRITTEN], ids=describe)
def test_a_resumed_call_is_asked_about_again(world: World, make: Any, then: AnswerCase) -> None:
    model = Scripted(script=[[(TOOL, ARGS)]])
    agent = make(model, governed(world, PAUSED, pauses=True))

    async def running() -> str:
        handler = agent.run("Give the money back.")
        async for event in handler.stream_events():
            if isinstance(event, InputRequiredEvent):
                assert (event.approval_url, world.ran) == (APPROVAL_URL, [])
                world.meet(then)
                # Whatever it says, the gateway decides.
                response = HumanResponseEvent(response="yes", approval_url=event.approval_url)
                handler.ctx.send_event(response)
        return str(await handler)

    assert world.run(running()) == FINAL
    assert world.ran == ([] if then is PAUSED else [SHAPED])
    assert (APPROVAL_URL in model.read[0]) == (then is PAUSED)


def test_a_tool_that_needs_the_context_gets_it(world: World) -> None:
    got: list[Any] = []

    async def refund(ctx: Any, order: str, amount: int) -> str:
        got.append(type(ctx).__name__)
        return f"refunded {amount}"

    # Not as texts, as this module has them.
    refund.__annotations__.update(ctx=Context, order=str, amount=int)
    tools = Governance("agent-1", client=world.meet(REWRITTEN)).govern([refund])
    model = Scripted(script=[[(TOOL, ARGS)]])
    run(world, agent_of(model, tools))
    assert (model.read, len(got)) == (["refunded 3"], 1)
    assert "Context" in got[0]


def with_partial_params(world: World, case: AnswerCase, **partial_params: Any) -> GovernedTool:
    tool = FunctionTool.from_defaults(world.refund, name=TOOL, partial_params=partial_params)
    return Governance("agent-1", client=world.meet(case)).govern([tool])[0]


@pytest.mark.parametrize("in_loop", [False, True], ids=["call", "acall"])
def test_what_partial_params_add_is_judged(world: World, in_loop: bool) -> None:
    tool = with_partial_params(world, ALLOWED, amount=31_337)
    output = world.run(tool.acall(order="o-1")) if in_loop else tool.call(order="o-1")
    assert world.ran == [{"order": "o-1", "amount": 31_337}]
    assert [request.document["args"] for request in world.gateway.seen] == world.ran
    assert str(output) == "refunded 31337"


def test_partial_params_that_no_policy_could_read_run_nothing(world: World) -> None:
    assert "args.amount" in str(with_partial_params(world, ALLOWED, amount=object()).call(order="o-1"))
    assert (world.ran, world.gateway.seen) == ([], [])


def test_a_rewrite_leaves_partial_params_as_they_are_or_runs_nothing(world: World) -> None:
    kept = with_partial_params(world, REWRITTEN, order=SHAPED["order"])
    assert str(kept.call(amount=5)) == "refunded 3"
    assert world.ran == [SHAPED]
    changed = with_partial_params(world, REWRITTEN, amount=5)
    assert "partial_params" in str(changed.call(order="o-1"))
    assert world.ran == [SHAPED]
    world.wait_for_outcomes("succeeded", "not_executed")


def test_a_failing_tool_is_reported_as_failed(world: World) -> None:
    def refund(order: str, amount: int) -> str:
        raise ValueError("no money")

    model = Scripted(script=[[(TOOL, ARGS)]])
    run(world, agent_of(model, Governance("agent-1", client=world.client).govern([refund])))
    assert model.read == ["no money"]
    world.wait_for_outcomes("failed")


def test_an_agent_inside_a_tool_needs_governed_tools_of_its_own(world: World) -> None:
    def outer_run(tools: Any) -> None:
        async def delegate() -> str:
            """Asks another agent."""
            return str(await agent_of(Scripted(script=[[(TOOL, ARGS)]]), tools).run("Refund."))

        outer = Governance("agent-1", client=world.client).govern([delegate])
        run(world, agent_of(Scripted(script=[[("delegate", {})]]), outer))

    world.gateway.reply = lambda request: (
        DENIED.reply(request) if request.document["agent_id"] == "inner" else scripted(request)
    )
    outer_run(Governance("inner", client=world.client).govern([refund_tool(world)]))
    assert world.ran == []
    assert [request.document["tool"] for request in world.gateway.seen] == ["delegate", TOOL]
    # Only the call of the outer agent is seen here: this is what the documentation warns of.
    outer_run([refund_tool(world)])
    assert world.ran == [ARGS]


def test_a_governed_tool_is_governed_once(world: World) -> None:
    (tool,) = governed(world, ALLOWED)
    assert Governance("agent-2", client=world.client).govern([tool]) == [tool]


def test_a_run_that_is_cancelled_while_it_asks_runs_nothing(world: World) -> None:
    agent = agent_of(Scripted(script=[[(TOOL, ARGS)]]), governed(world, ALLOWED))

    async def running() -> None:
        await agent.run("Give the money back.")

    check_cancelled(world, running)


@pytest.mark.parametrize("case", [ALLOWED, DENIED], ids=describe)
def test_a_tool_of_a_class_of_its_own_is_judged(world: World, case: AnswerCase) -> None:
    class Own(FunctionTool):
        def __call__(self, *_: Any, **kwargs: Any) -> ToolOutput:
            return self.call(**kwargs)

        def call(self, *_: Any, **kwargs: Any) -> ToolOutput:
            text = world.refund(**kwargs)
            return ToolOutput(content=text, tool_name=TOOL, raw_input=kwargs, raw_output=text)

        async def acall(self, *_: Any, **kwargs: Any) -> ToolOutput:
            return self.call(**kwargs)

    inner = Own(fn=world.refund, metadata=refund_tool(world).metadata)
    tools = Governance("agent-1", client=world.meet(case)).govern([inner])
    model = Scripted(script=[[(TOOL, ARGS)]])
    final = run(world, agent_of(model, tools))
    world.check(case, Seen(model.read, "", final))
    assert len(world.gateway.seen) == 1
