"""
LangChain and LangGraph.

    from svc_client.integrations.langchain import Governance

    agent = create_agent(model, tools, middleware=[Governance("refund-bot")])

Put it last in the list. A middleware after it could change what was judged: while one that wraps calls of tools or
of the model is there, no call runs. A graph of your own takes `GovernedToolNode(tools, Governance("refund-bot"))`.

A pause is LangGraph's interrupt, with the address of the approval; resuming asks the gateway again, whatever the
value. Without a checkpointer the model reads the address instead. An agent that is called by a tool needs a
Governance of its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union, cast

from .._client import Client
from ._core.accept_by_schema import accept_by_schema
from ._core.answers import Held, Permitted, Refused
from ._core.gate import Gate, Question
from ._core.missing_framework import missing_framework

try:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse, ToolCallRequest
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.tools import BaseTool
    from langgraph.errors import GraphBubbleUp
    from langgraph.prebuilt import ToolNode
    from langgraph.types import Command, interrupt
except ImportError as error:
    raise missing_framework("langchain", error) from error

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentState

__all__ = ["Governance", "GovernedToolNode"]

_Result: TypeAlias = "Union[ToolMessage, Command[Any]]"
_Handler: TypeAlias = Callable[[ToolCallRequest], _Result]
_AsyncHandler: TypeAlias = Callable[[ToolCallRequest], Awaitable[_Result]]

_UNDECIDED: tuple[type[BaseException], ...] = (GraphBubbleUp,)
"""A tool that interrupts the graph itself runs again when the graph is resumed."""

_RUNS_THE_MODEL = ("_execute_model_sync", "_execute_model_async")
"""Names of the framework's functions that ask the model. Middleware gets one when no other is inside of it."""

_CHECKPOINTER = "__pregel_checkpointer"
"""Where LangGraph's configuration has the checkpointer, without which nothing can be resumed."""


class Governance(AgentMiddleware["AgentState[Any]", Any, Any]):
    """Middleware for `create_agent`: judges every tool call of one agent, with its thread as the session."""

    def __init__(
        self,
        agent_id: str,
        *,
        client: Client | None = None,
        namespace: str | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Raises ValueError for a text that is not a name, and for an environment that is not usable."""
        super().__init__()
        self._gate = Gate(agent_id, client=client, namespace=namespace, names=names)

    def wrap_tool_call(self, request: ToolCallRequest, handler: _Handler) -> _Result:
        unjudged = _why_unjudged(request, handler)
        if unjudged is not None:
            return _refusal(request, unjudged)
        answer = self._gate.ask(_question(request))
        if isinstance(answer, Permitted):
            governed = _with_args(request, answer.args)
            return answer.run(lambda: handler(governed), failed=_is_error, undecided=_UNDECIDED)
        return _withheld(request, answer)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: _AsyncHandler) -> _Result:
        unjudged = _why_unjudged(request, handler)
        if unjudged is not None:
            return _refusal(request, unjudged)
        answer = await self._gate.ask_async(_question(request))
        if isinstance(answer, Permitted):
            governed = _with_args(request, answer.args)
            return await answer.run_async(lambda: handler(governed), failed=_is_error, undecided=_UNDECIDED)
        return _withheld(request, answer)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | AIMessage:
        _require_innermost(handler)
        self._require_tools(request)
        return handler(request)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | AIMessage:
        _require_innermost(handler)
        self._require_tools(request)
        return await handler(request)

    def _require_tools(self, request: ModelRequest[Any]) -> None:
        _require_local_tools(request)
        self._gate.require_names(tool.name for tool in request.tools if not isinstance(tool, dict))


class GovernedToolNode(ToolNode):
    """LangGraph's ToolNode, governed for `invoke` and for `ainvoke`."""

    def __init__(
        self,
        tools: Sequence[BaseTool | Callable[..., Any]],
        governance: Governance,
        **options: Any,
    ) -> None:
        """`options` are those of ToolNode, except its wrappers: each of them would be one for one way only."""
        for name in ("wrap_tool_call", "awrap_tool_call"):
            if name in options:
                raise TypeError(f"{name}: expected no wrapper beside the governance; got one")
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            tools,
            wrap_tool_call=governance.wrap_tool_call,
            awrap_tool_call=governance.awrap_tool_call,
            **options,
        )


_NOT_LAST = (
    "The call was not run. The agent is set up wrongly: its Governance must be the last entry of middleware=, "
    "because what comes after it could change the call. Repeating the call cannot help."
)


_SWAPPED = (
    "The call was not run. A middleware of the agent put another tool in place of the one that was called, which "
    "would not be judged. Repeating the call cannot help."
)


def _question(request: ToolCallRequest) -> Question:
    call, tool = request.tool_call, request.tool
    return Question(
        tool=call["name"],
        args=call["args"],
        call_id=call["id"],
        session_id=_configurable(request).get("thread_id"),
        accept=None if tool is None else lambda args: accept_by_schema(_schema_of(tool))(args),
    )


def _configurable(request: ToolCallRequest) -> Mapping[str, Any]:
    runtime = cast("Any", request).runtime
    config: Any = getattr(runtime, "config", None) or {}
    return config.get("configurable") or {}


def _schema_of(tool: BaseTool) -> Mapping[str, Any]:
    schema: Any = tool.tool_call_schema
    if isinstance(schema, dict):
        return cast("Mapping[str, Any]", schema)
    described: Mapping[str, Any] = schema.model_json_schema()
    return described


def _with_args(request: ToolCallRequest, args: dict[str, Any]) -> ToolCallRequest:
    return request.override(tool_call={**request.tool_call, "args": args})


def _withheld(request: ToolCallRequest, answer: Refused | Held) -> ToolMessage:
    """Of a call that must not run: what the model reads."""
    if isinstance(answer, Held) and _configurable(request).get(_CHECKPOINTER):
        # Ends this pass. The next one asks again before it comes here, and what it was resumed with says nothing.
        interrupt(answer.document)
    return _refusal(request, answer.text)


def _refusal(request: ToolCallRequest, text: str) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(content=text, name=call["name"], tool_call_id=call["id"] or "", status="error")


def _is_error(result: _Result) -> bool:
    return isinstance(result, ToolMessage) and result.status == "error"


def _why_unjudged(request: ToolCallRequest, handler: object) -> str | None:
    """Why something else could run than what is judged; None where nothing can."""
    if getattr(handler, "__module__", None) != ToolNode.__module__:
        return _NOT_LAST
    is_swapped = request.tool is not None and request.tool.name != request.tool_call["name"]
    return _SWAPPED if is_swapped else None


def _require_innermost(handler: object) -> None:
    """Raises TypeError for a middleware that could give the model other tools than those that were looked at."""
    if getattr(handler, "__name__", None) not in _RUNS_THE_MODEL:
        raise TypeError(
            "middleware: expected Governance as the last entry; got another middleware with wrap_model_call after "
            "it, which could add a tool that nobody judges. Governance must be the last entry of middleware="
        )


def _require_local_tools(request: ModelRequest[Any]) -> None:
    """Raises TypeError for a tool that the model's provider runs: nobody is asked about its calls."""
    for tool in [*request.tools, *request.model_settings.get("tools", ())]:
        if isinstance(tool, dict):
            name = tool.get("type") or tool.get("name") or "a tool without a name"
            raise TypeError(
                f"tools: expected tools that run in this process; got the definition of {name}, which the "
                "model's provider runs and which cannot be governed. Remove it from the tools of the agent"
            )
