"""
Servers of FastMCP.

    from svc_client.integrations.fastmcp import Governance

    mcp = FastMCP("Shop", middleware=[Governance("refund-bot")])

Put it last in the list: a middleware after it could change what was judged, and calls are refused while one is
there. Clients of the server read why a call was denied, and the address of the approval of a paused one; the same
call again runs when it is approved.

The session is that of the MCP connection, where the protocol has sessions; since 2026-07-28 it has none, and
`session=` may read one out of the request. A server that is mounted is judged by the server that mounts it: give
it a Governance of its own when it is also reached directly, or when it has middleware that sees calls. While such
middleware is there without a Governance after it, calls are refused. Code that calls `tool.run()`, or `call_tool`
with `run_middleware=False`, passes every middleware by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from .._client import Client
from .._recorded_call import CannotApply
from .._verdict import fail_closed_deny
from ._core.accept_by_schema import accept_by_schema
from ._core.answers import Permitted, Refused
from ._core.gate import Gate, Question
from ._core.missing_framework import missing_framework

try:
    from fastmcp.exceptions import ToolError
    from fastmcp.server import FastMCP
    from fastmcp.server.context import Context
    from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
    from fastmcp.server.providers import Provider
    from fastmcp.server.providers.addressing import TOOL_HASH_META_KEY, parse_hashed_backend_name
    from fastmcp.server.providers.aggregate import AggregateProvider
    from fastmcp.server.providers.fastmcp_provider import FastMCPProvider
    from fastmcp.server.providers.wrapped_provider import _WrappedProvider  # pyright: ignore[reportPrivateUsage]
    from fastmcp.tools.base import InputRequiredToolResult, Tool, ToolResult
    from mcp_types import CallToolRequestParams
except ImportError as error:
    raise missing_framework("fastmcp", error) from error

__all__ = ["Governance"]

Session: TypeAlias = "Callable[[MiddlewareContext[CallToolRequestParams]], str | None]"

_LAST_WITH_SESSIONS = "2025-11-25"
"""Revision of MCP after which a connection lasts for one request."""

_HOOKS = ("__call__", "_dispatch_handler", "on_message", "on_request", "on_call_tool")
"""Methods of a middleware that see a call of a tool."""

_NOT_LAST = (
    "The call was not run. The server is set up wrongly: its Governance must be the last entry of middleware=, because "
    "what comes after it could change the call. Repeating the call cannot help."
)


_OTHER_NAME = (
    "The call was not run. The server lists this tool under another name, by which it would be judged: call it by that "
    "name. Repeating the call cannot help."
)


class Governance(Middleware):
    """Judges every call of a tool that comes to a server."""

    def __init__(
        self,
        agent_id: str,
        *,
        client: Client | None = None,
        namespace: str | None = None,
        names: Mapping[str, str] | None = None,
        session: Session | None = None,
    ) -> None:
        """
        `session` says which conversation a request belongs to.

        Raises ValueError for a text that is not a name, and for an environment that is not usable.
        """
        self._gate = Gate(agent_id, client=client, namespace=namespace, names=names)
        self._session = session

    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        server = context.fastmcp_context
        if server is None:
            raise ToolError("The call was not run, because the server did not say where it comes from.")
        self._require_last(server.fastmcp)
        tool = await _name_of(context, server)
        arguments = dict(context.message.arguments or {})
        session_id = self._session_of(context, server)
        question = Question(tool, arguments, call_id=_request_id(server), session_id=session_id)
        answer = await self._gate.ask_async(question)
        if isinstance(answer, Permitted):
            return await self._run(answer, tool, context, call_next)
        raise ToolError(answer.text)

    async def _run(
        self,
        answer: Permitted,
        tool: str,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        if answer.rewritten:
            await _require_fit(answer, tool, context)
        message = context.message.model_copy(update={"name": tool, "arguments": answer.args})
        governed = context.copy(message=message)
        return await answer.run_async(lambda: call_next(governed), failed=_failed)

    def _session_of(
        self, context: MiddlewareContext[CallToolRequestParams], server: Context
    ) -> str | None:
        if self._session is None:
            return _connection(server)
        try:
            return self._session(context)
        # What it says may show an argument.
        except Exception:
            raise ToolError("The call was not run, because session= of its Governance failed.") from None

    def _require_last(self, server: FastMCP[Any]) -> None:
        """Raises ToolError while middleware could change the call after the answer."""
        chain = list(server.middleware)
        if any(map(_sees_calls, chain[chain.index(self) + 1 :] if self in chain else [])):
            raise ToolError(_NOT_LAST)
        for child in _mounted(server.providers):
            if not _is_sealed(list(child.middleware)):
                raise ToolError(
                    f"The call was not run. The server is set up wrongly: middleware of the server {child.name}, which "
                    "it mounts, could change the call. A Governance must be the last entry of the middleware= of that "
                    "server, too. Repeating the call cannot help."
                )


def _mounted(providers: Iterable[Provider]) -> Iterator[FastMCP[Any]]:
    """The servers behind these providers, and those that they mount."""
    for provider in providers:
        inner: Provider = provider
        while isinstance(inner, _WrappedProvider):
            inner = inner._inner  # pyright: ignore[reportPrivateUsage]
        if isinstance(inner, FastMCPProvider):
            yield inner.server
            yield from _mounted(inner.server.providers)
        elif isinstance(inner, AggregateProvider):
            yield from _mounted(inner.providers)


def _is_sealed(chain: list[Middleware]) -> bool:
    """Whether a Governance sees the call after everything that could change it."""
    seen = [middleware for middleware in chain if _sees_calls(middleware)]
    return not seen or isinstance(seen[-1], Governance)


def _sees_calls(middleware: Middleware) -> bool:
    kind, own = type(middleware), vars(middleware)
    return any(name in own or getattr(kind, name, None) is not getattr(Middleware, name) for name in _HOOKS)


async def _name_of(context: MiddlewareContext[CallToolRequestParams], server: Context) -> str:
    """
    The name under which the server lists the tool. A tool of an app has a second name with its hash, which must not
    lead past a rule about the first one. Raises ToolError where the first one cannot be found out.
    """
    name, shop = context.message.name, server.fastmcp
    hashed = parse_hashed_backend_name(name)
    found = None if hashed is None else await shop.get_tool_by_hash(*hashed)
    if hashed is None or found is None or found.name == name:
        return name
    listed = await shop.get_tool(found.name)
    if listed is None or _hash_of(listed) != hashed[0] or await shop.get_tool(name) is not None:
        raise ToolError(_OTHER_NAME)
    return found.name


def _hash_of(tool: Tool) -> object:
    framework: object = (tool.meta or {}).get("fastmcp")
    return framework.get(TOOL_HASH_META_KEY) if isinstance(framework, dict) else None


async def _require_fit(
    answer: Permitted, tool: str, context: MiddlewareContext[CallToolRequestParams]
) -> None:
    """Raises ToolError for a rewrite that the tool cannot take."""
    try:
        server = context.fastmcp_context
        found = None if server is None else await server.fastmcp.get_tool(tool)
        if found is None:
            raise CannotApply("shaping_unsupported", "The policy rewrites the arguments of an unknown tool.")
        accept_by_schema(found.parameters)(answer.args)
    except Exception as error:
        answer.give_back()
        reason = "The policy rewrites the arguments, and the tool cannot take them."
        told = error.reason if isinstance(error, CannotApply) else reason
        raise ToolError(Refused(tool, fail_closed_deny("shaping_unsupported", told)).text) from None


def _failed(result: ToolResult) -> bool | None:
    """A tool that asks its client for input has not ended."""
    return None if isinstance(result, InputRequiredToolResult) else result.is_error


def _connection(server: Context) -> str | None:
    request = server.request_context
    if request is None or request.protocol_version > _LAST_WITH_SESSIONS:
        return None
    return server.session_id


def _request_id(server: Context) -> str | None:
    return None if server.request_context is None else server.request_id
