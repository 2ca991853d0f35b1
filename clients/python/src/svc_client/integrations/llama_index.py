"""
LlamaIndex.

    from svc_client.integrations.llama_index import Governance

    agent = FunctionAgent(llm=llm, tools=Governance("refund-bot").govern([refund, search]))

The tools themselves are judged, however an agent, a workflow or your own code calls them. A tool that an agent gets
from a `tool_retriever` is governed when the retriever gives out governed tools. An agent that writes code
(`CodeActAgent`) runs what no tool sees. An agent that is run by a tool needs governed tools of its own. What a tool
has in `partial_params` is judged with the arguments of the call, so it must be JSON.

The model reads the address of the approval of a paused call. With `pauses=True` the workflow waits for a
`HumanResponseEvent` with the same `approval_url` instead, and then the gateway is asked again: the response grants
nothing. The framework has no conversation that a tool can see: run the agent inside
`svc_client.session("conversation-7")`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from .._client import Client
from .._recorded_call import CannotApply
from ._core.accept_by_schema import accept_by_schema
from ._core.answers import Held, Permitted, Refused
from ._core.gate import Accept, Gate, Question
from ._core.missing_framework import missing_framework

try:
    from llama_index.core.tools import AsyncBaseTool, BaseTool, FunctionTool, ToolMetadata, ToolOutput
    from llama_index.core.tools.types import adapt_to_async_tool
    from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent
except ImportError as error:
    raise missing_framework("llama_index", error) from error

__all__ = ["Governance", "GovernedTool"]


def _waiting() -> tuple[type[BaseException], ...]:
    try:
        from workflows.runtime.types.results import WaitingForEvent
    except ImportError:
        # Before workflows 2.9 a tool waited within its run.
        return ()
    return (WaitingForEvent,)


_UNDECIDED = _waiting()
"""A tool that waits for an event runs again when the event is there."""

_CONTEXT = "svc_workflow_context"
"""Name under which a workflow hands over its context. It is not a parameter that a model sees."""


class Governance:
    """Judges the tool calls of one agent."""

    def __init__(
        self,
        agent_id: str,
        *,
        client: Client | None = None,
        namespace: str | None = None,
        names: Mapping[str, str] | None = None,
        pauses: bool = False,
    ) -> None:
        """Raises ValueError for a text that is not a name, and for an environment that is not usable."""
        self._gate = Gate(agent_id, client=client, namespace=namespace, names=names)
        self._pauses = pauses

    def govern(self, tools: Sequence[BaseTool | Callable[..., Any]]) -> list[GovernedTool]:
        """The same tools, judged at each call."""
        governed = [self._governed(tool) for tool in tools]
        self._gate.require_names(str(each.metadata.name) for each in governed)
        return governed

    def _governed(self, tool: BaseTool | Callable[..., Any]) -> GovernedTool:
        if isinstance(tool, GovernedTool):
            return tool
        inner = tool if isinstance(tool, BaseTool) else FunctionTool.from_defaults(tool)
        return GovernedTool(adapt_to_async_tool(inner), self._gate, pauses=self._pauses)


class GovernedTool(FunctionTool):
    """Stands for another tool. The framework hands its context to tools of this class alone."""

    def __init__(self, tool: AsyncBaseTool, gate: Gate, *, pauses: bool) -> None:
        self._tool = tool
        self._gate = gate
        self._pauses = pauses
        # What the base class says of a function, said of the tool.
        super().__init__(fn=self._value, async_fn=self._value_later, metadata=tool.metadata)
        self.requires_context = True
        self.ctx_param_name = _CONTEXT

    @property
    def metadata(self) -> ToolMetadata:
        return self._tool.metadata

    def __call__(self, *args: Any, **kwargs: Any) -> ToolOutput:
        return self.call(*args, **kwargs)

    def call(self, *args: Any, **kwargs: Any) -> ToolOutput:
        context = kwargs.pop(_CONTEXT, None)
        answer = self._gate.ask(self._question(args, kwargs))
        if isinstance(answer, Permitted):
            given = self._given(answer.args, context)
            return answer.run(lambda: self._tool.call(**given), failed=_is_error, undecided=_UNDECIDED)
        return self._refusal(kwargs, answer)

    async def acall(self, *args: Any, **kwargs: Any) -> ToolOutput:
        context = kwargs.pop(_CONTEXT, None)
        answer = await self._gate.ask_async(self._question(args, kwargs))
        if isinstance(answer, Permitted):
            given = self._given(answer.args, context)
            return await answer.run_async(
                lambda: self._tool.acall(**given), failed=_is_error, undecided=_UNDECIDED
            )
        if isinstance(answer, Held) and self._pauses and isinstance(context, Context):
            await _wait(context, answer)  # pyright: ignore[reportUnknownArgumentType]
        return self._refusal(kwargs, answer)

    def _value(self, **kwargs: Any) -> Any:
        """For those that take the function out of the tool."""
        return self.call(**kwargs).raw_output

    async def _value_later(self, **kwargs: Any) -> Any:
        return (await self.acall(**kwargs)).raw_output

    def _question(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Question:
        schema: Mapping[str, Any] = cast("Any", self.metadata).get_parameters_dict()
        name = self.metadata.get_name()
        named = _named(args, kwargs, list(schema.get("properties", ())))
        if named is None:
            # An argument without a name cannot be judged.
            return Question(name, None)
        # What the tool runs with: its own partial_params, and what the model gave.
        whole = {**self._partial_params(), **named}
        kept = {each: whole[each] for each in self._partial_params()}
        return Question(name, whole, accept=_accept_beside(kept, accept_by_schema(schema)))

    def _partial_params(self) -> Mapping[str, Any]:
        return self._tool.partial_params if isinstance(self._tool, FunctionTool) else {}

    def _given(self, args: dict[str, Any], context: object) -> dict[str, Any]:
        inner = self._tool
        if isinstance(inner, FunctionTool) and inner.requires_context and inner.ctx_param_name is not None:
            return {**args, inner.ctx_param_name: context}
        return args

    def _refusal(self, kwargs: dict[str, Any], answer: Refused | Held) -> ToolOutput:
        return ToolOutput(
            content=answer.text,
            tool_name=self.metadata.get_name(),
            raw_input={"args": (), "kwargs": kwargs},
            raw_output=answer.text,
            is_error=True,
        )


def _named(
    args: tuple[Any, ...], kwargs: dict[str, Any], parameters: list[str]
) -> dict[str, Any] | None:
    """The framework leaves out the name of a tool's only parameter."""
    if not args:
        return kwargs
    return {parameters[0]: args[0]} if len(args) == len(parameters) == 1 and not kwargs else None


def _accept_beside(kept: Mapping[str, Any], accept: Accept) -> Accept:
    """For rewritten arguments. No schema describes those in partial_params, and the tool would bring back a removed one."""

    def read(args: dict[str, Any]) -> Mapping[str, Any]:
        for name, value in kept.items():
            if name not in args or args[name] != value:
                reason = f"The policy rewrites args.{name}, which is one of the tool's partial_params."
                raise CannotApply("shaping_unsupported", reason)
        accept({name: value for name, value in args.items() if name not in kept})
        return args

    return read


async def _wait(context: Context[Any], held: Held) -> None:
    """
    The first time this ends the step, which starts anew when the response is there and asks again. It returns when
    the gateway still holds the call then.
    """
    await context.wait_for_event(
        HumanResponseEvent,
        waiter_event=InputRequiredEvent(**held.document),
        waiter_id=held.approval_url,
        requirements={"approval_url": held.approval_url},
    )


def _is_error(output: ToolOutput) -> bool:
    return output.is_error
