"""
Pydantic AI.

    from svc_client.integrations.pydantic_ai import Governance

    agent = Agent(model, tools=[refund], capabilities=[Governance("refund-bot")])

It judges what the other capabilities leave of a call, those of a run included, wherever it is in the list. While one
that asks to be innermost, too, comes after it and wraps tools, calls are refused. Tools of toolsets are judged, too,
those that are given to a run included. A tool that the model's provider runs is refused before
the model is asked.

An agent with `DeferredToolRequests` among its output types is paused with the address of the approval as
metadata. When its run is resumed, the gateway is asked again: an approval in `DeferredToolResults` grants nothing.
Any other agent reads the address. A session around the run counts; else its conversation is the session. An agent
that is run by a tool needs a Governance of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, cast

from .._client import Client
from .._session import current_session
from ._core.answers import Held, Permitted
from ._core.gate import Accept, Gate, Question
from ._core.missing_framework import missing_framework

try:
    from pydantic_ai import RunContext
    from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
    from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.tools import DeferredToolRequests
    from pydantic_ai.toolsets import AbstractToolset, CombinedToolset, PreparedToolset, WrapperToolset
    from pydantic_ai.toolsets.abstract import ToolsetTool

    from ._core.pydantic_json import pydantic_json
except ImportError as error:
    raise missing_framework("pydantic_ai", error) from error

__all__ = ["Governance"]

_UNDECIDED: tuple[type[BaseException], ...] = (ApprovalRequired, CallDeferred)
"""A tool that asks for an approval itself runs again; one that is deferred runs elsewhere."""

_NOT_LAST = (
    "The call was not run. The agent is set up wrongly: its Governance must be the last of the capabilities that are "
    "innermost, because a toolset of one that comes after it could change the call. Repeating the call cannot help."
)


class Governance(AbstractCapability[Any]):
    """Judges every tool call of one agent."""

    def __init__(
        self,
        agent_id: str,
        *,
        client: Client | None = None,
        namespace: str | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Raises ValueError for a text that is not a name, and for an environment that is not usable."""
        self._gate = Gate(agent_id, client=client, namespace=namespace, names=names)

    def get_ordering(self) -> CapabilityOrdering:
        """Behind the capabilities of a run, too, which the framework puts at the end of the list."""
        return CapabilityOrdering(position="innermost")

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        return _GovernedToolset(toolset, self._gate) if _is_bare(toolset) else _WithheldToolset(toolset)

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Raises TypeError for a tool that the model's provider runs: nobody is asked about its calls."""
        for tool in request_context.model_request_parameters.native_tools:
            raise _native_tool_error(tool)
        self._gate.require_names(each.name for each in request_context.model_request_parameters.function_tools)
        return request_context


def _is_bare(toolset: AbstractToolset[Any]) -> bool:
    """Whether no other capability has put a toolset around the tools, which could change what was judged."""
    return type(toolset) is PreparedToolset and type(toolset.wrapped) is CombinedToolset


def _native_tool_error(tool: object) -> TypeError:
    return TypeError(
        f"capabilities: expected tools that run in this process; got {type(tool).__name__}, which the "
        "model's provider runs and which cannot be governed. Remove it from the agent"
    )


def _refuse_native_tools_of_session(ctx: RunContext[Any]) -> None:
    """
    Raises TypeError. A realtime session gives its model the tools without `before_model_request`. What a function makes
    for the session is not known here, so the function is refused.
    """
    is_realtime = any(each.__name__ == "RealtimeModel" for each in type(ctx.model).__mro__)
    if not is_realtime or ctx.root_capability is None:
        return
    for tool in ctx.root_capability.get_native_tools():
        # The framework adds its own search for tools to every agent, and takes it out again.
        if not getattr(tool, "optional", False):
            raise _native_tool_error(tool)


class _WithheldToolset(WrapperToolset[Any]):
    async def for_run(self, ctx: RunContext[Any]) -> AbstractToolset[Any]:
        _refuse_native_tools_of_session(ctx)
        return await super().for_run(ctx)

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        raise ToolFailed(_NOT_LAST)


class _GovernedToolset(WrapperToolset[Any]):
    def __init__(self, wrapped: AbstractToolset[Any], gate: Gate) -> None:
        super().__init__(wrapped)
        self._gate = gate

    async def for_run(self, ctx: RunContext[Any]) -> AbstractToolset[Any]:
        _refuse_native_tools_of_session(ctx)
        return _GovernedToolset(await self.wrapped.for_run(ctx), self._gate)

    async def for_run_step(self, ctx: RunContext[Any]) -> AbstractToolset[Any]:
        return _GovernedToolset(await self.wrapped.for_run_step(ctx), self._gate)

    def visit_and_replace(self, visitor: Any) -> AbstractToolset[Any]:
        return _GovernedToolset(self.wrapped.visit_and_replace(visitor), self._gate)

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        answer = await self._gate.ask_async(
            Question(
                name,
                tool_args,
                call_id=ctx.tool_call_id,
                # The framework makes up an id where nobody gives one.
                session_id=None if current_session.get() is not None else ctx.conversation_id,
                accept=_accept(ctx, tool),
                encode=pydantic_json,
            )
        )
        if isinstance(answer, Permitted):
            args = answer.args
            call = super().call_tool
            return await answer.run_async(lambda: call(name, args, ctx, tool), undecided=_UNDECIDED)
        if isinstance(answer, Held) and _can_pause(ctx):
            raise ApprovalRequired(metadata=answer.document)
        raise ToolFailed(answer.text)


def _accept(ctx: RunContext[Any], tool: ToolsetTool[Any]) -> Accept:
    """The framework validated what the model gave, and does not look at a rewrite."""

    def accept(args: dict[str, Any]) -> Mapping[str, Any]:
        validated: dict[str, Any] = tool.args_validator.validate_python(args, context=ctx.validation_context)
        if tool.args_validator_func is not None:
            pending = tool.args_validator_func(ctx, **validated)
            if inspect.isawaitable(pending):
                if inspect.iscoroutine(pending):
                    pending.close()
                raise TypeError("expected a validator of arguments that is not a coroutine function")
        return validated

    return accept


def _can_pause(ctx: RunContext[Any]) -> bool:
    return ctx.agent is not None and _is_among(DeferredToolRequests, ctx.agent.output_type)


def _is_among(wanted: type, output: object) -> bool:
    if output is wanted:
        return True
    if isinstance(output, (list, tuple)):
        return any(_is_among(wanted, each) for each in cast("list[object]", output))
    members: tuple[object, ...] = getattr(output, "__args__", ())
    return any(_is_among(wanted, each) for each in members)
