"""
Microsoft Agent Framework. Every tool call of the agent is judged before its tool runs:

    from svc_client.integrations.agent_framework import governance

    agent = Agent(chat_client, tools=[refund], middleware=governance("refund-bot"))

Other middleware goes before it, `middleware=[mine, *governance("refund-bot")]`, and must not replace the function of
a call. While middleware for functions comes after it, as that of `run` does, every call is refused. Middleware for
chats after it ends the run with an error, and so do tools that run at the model's provider. Agents that are tools of
this one are agents of their own: give each its middleware.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import FunctionType
from typing import Any

from .._client import Client
from ._core.accept_by_schema import accept_by_schema
from ._core.answers import Held, Permitted
from ._core.gate import Gate, Question
from ._core.missing_framework import missing_framework

try:
    from agent_framework import (
        ChatContext,
        ChatMiddleware,
        Content,
        FunctionInvocationContext,
        FunctionMiddleware,
        FunctionTool,
        MiddlewareTermination,
        UserInputRequiredException,
        normalize_tools,
    )
except ImportError as error:
    raise missing_framework("agent_framework", error) from error

_APPROVED_ARGUMENTS = "_approved_function_arguments"
"""Where the framework keeps what a person approved, to hold calls that run with something else."""

_INNERMOST = "final_wrapper"
"""The framework's function behind all middleware. Middleware gets it when no other comes after it."""

_HANDLER_CELL, _TOOL_CELL = "final_handler", "tool"
"""Where that function has the one that runs the tool, and where this one has the tool."""

_NOT_LAST = (
    "The call was not run. The agent is set up wrongly: its governance must be the last entry of middleware=, and "
    "no run may bring middleware for functions, because what comes after it could change the call. Repeating the "
    "call cannot help."
)

_SWAPPED = (
    "The call was not run. Middleware of the agent put another function in place of the one that was called, and the "
    "framework runs the one that was called. Repeating the call cannot help."
)


def governance(
    agent_id: str,
    *,
    client: Client | None = None,
    namespace: str | None = None,
    names: Mapping[str, str] | None = None,
) -> list[ChatMiddleware | FunctionMiddleware]:
    """
    Judges every tool call of the agent whose `middleware` it is in. `agent_id` is the agent of your policies. A
    call that needs an approval becomes an approval request of the framework; whatever the response says, the
    gateway is asked again.
    """
    gate = Gate(agent_id, client=client, namespace=namespace, names=names)
    return [_NoHostedTools(gate), _Governance(gate)]


class _NoHostedTools(ChatMiddleware):
    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def process(self, context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
        """The framework ends the run with the error."""
        if not _is_innermost(call_next):
            raise TypeError(
                "middleware: governance must be the last entry of middleware=, and no run may bring middleware for "
                "chats, because what comes after it could add a tool that runs at the model's provider"
            )
        tools = normalize_tools((context.options or {}).get("tools"))
        for tool in tools:
            if not isinstance(tool, FunctionTool):
                raise TypeError(
                    f"a tool of the agent ({_kind_of(tool)}) runs at the model's provider: its calls cannot be "
                    "judged. Take it out, or do not use governance() with this agent"
                )
        self._gate.require_names(tool.name for tool in tools if isinstance(tool, FunctionTool))
        await call_next()


def _kind_of(tool: object) -> str:
    described: Any = tool
    kind = described.get("type") if isinstance(tool, Mapping) else None
    return str(kind or type(tool).__name__)


class _Governance(FunctionMiddleware):
    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def process(
        self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]
    ) -> None:
        if not _is_innermost(call_next):
            context.result = _NOT_LAST
            return
        if _tool_behind(call_next) is not context.function:
            context.result = _SWAPPED
            return
        answer = await self._gate.ask_async(_question(context))
        if isinstance(answer, Permitted):
            await _run(context, answer, call_next)
        elif isinstance(answer, Held) and not _was_asked(context):
            context.result = _approval_request(context, answer)
            raise MiddlewareTermination(answer.text)
        else:
            context.result = answer.text


def _is_innermost(call_next: Callable[[], Awaitable[None]]) -> bool:
    return getattr(call_next, "__name__", None) == _INNERMOST


def _tool_behind(call_next: object) -> object:
    """The tool that runs, whatever the context says. None where it cannot be read."""
    return _enclosed(_enclosed(call_next, _HANDLER_CELL), _TOOL_CELL)


def _enclosed(function: object, name: str) -> object:
    if not isinstance(function, FunctionType):
        return None
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cell = cells.get(name)
    return None if cell is None else cell.cell_contents


async def _run(
    context: FunctionInvocationContext, permitted: Permitted, call_next: Callable[[], Awaitable[None]]
) -> None:
    if permitted.rewritten:
        context.arguments = permitted.args
        # The request was ours, and what it approved is not what counts.
        if _was_asked(context) and context.function.approval_mode != "always_require":
            context.metadata.pop(_APPROVED_ARGUMENTS, None)
    await permitted.run_async(call_next, undecided=(UserInputRequiredException,))


def _question(context: FunctionInvocationContext) -> Question:
    return Question(
        context.function.name,
        _arguments(context),
        call_id=context.metadata.get("call_id"),
        session_id=None if context.session is None else context.session.session_id,
        accept=lambda args: accept_by_schema(context.function.parameters())(args),
    )


def _arguments(context: FunctionInvocationContext) -> Mapping[str, Any]:
    given = context.arguments
    return given if isinstance(given, Mapping) else given.model_dump()


def _was_asked(context: FunctionInvocationContext) -> bool:
    return context.metadata.get("approval_response") is not None


def _approval_request(context: FunctionInvocationContext, held: Held) -> Content:
    call_id = str(context.metadata["call_id"])
    call = Content.from_function_call(
        call_id=call_id, name=context.function.name, arguments=dict(_arguments(context))
    )
    # Newer versions tell two calls with one id apart.
    occurrence = context.metadata.get("function_call_occurrence_id")
    if occurrence is not None:
        call.id = occurrence
    return Content.from_function_approval_request(
        id=occurrence or call_id, function_call=call, additional_properties=held.document
    )
