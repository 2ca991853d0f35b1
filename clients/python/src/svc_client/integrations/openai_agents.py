"""
OpenAI Agents.

    from svc_client.integrations.openai_agents import Governance, GovernedAgent

    agent = GovernedAgent(name="Refunds", tools=[refund], governance=Governance("refund-bot"))

Function tools, tools of MCP servers and agents used as tools are judged. A tool that does not run in this process
is refused, and so is an agent in `handoffs` or behind a tool that is not a GovernedAgent itself.

A pause interrupts the run, as `needs_approval` does. After `state.approve(...)` the gateway is asked again: the
approval in the framework grants nothing. The framework has no conversation that a tool can see: run the agent
inside `svc_client.session("conversation-7")`.
"""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from .._client import Client
from .._strict_json import NotStrictJson, parse_strict_json
from .._verdict import fail_closed_deny
from ._core.accept_by_schema import accept_by_schema
from ._core.answers import Held, Permitted, Refused
from ._core.fresh_answers import FreshAnswers
from ._core.gate import Gate, Question
from ._core.missing_framework import missing_framework

try:
    from agents import Agent, FunctionTool, Handoff, RunContextWrapper, TContext, Tool
    from agents.tool_context import ToolContext
except ImportError as error:
    raise missing_framework("openai_agents", error) from error

__all__ = ["Governance", "GovernedAgent"]

_MAX_ARGUMENTS_BYTES = 256 * 1024
"""Longest arguments that are read, in bytes. The gateway takes no longer question."""

_DEFAULT_FAILURE = "An error occurred while running the tool."
"""How the text begins that the framework makes of an exception, unless the tool says otherwise."""


class Governance:
    """Judges the tool calls of one agent."""

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
        self._fresh = FreshAnswers()

    def govern(self, tool: Tool, agent: Agent[Any] | None = None) -> FunctionTool:
        """
        The same tool, judged at each call. Raises TypeError for a tool that cannot be governed. `agent` is who calls
        it, where that is known: its `is_enabled` may ask.
        """
        if isinstance(tool, _GovernedTool):
            return tool
        return _GovernedTool.of(_Calls(self._gate, self._fresh, _require_local(tool), agent))

    def require_names(self, tools: Sequence[Tool]) -> None:
        """Raises TypeError where `names` has a misspelled tool."""
        self._gate.require_names(each.name for each in tools)


@dataclass
class GovernedAgent(Agent[TContext], Generic[TContext]):
    """An agent whose tools are judged, however they come to it."""

    governance: Governance | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()  # type: ignore[no-untyped-call]
        if not isinstance(self.governance, Governance):
            raise TypeError("governance: expected a Governance; got none")
        for tool in self.tools:
            _require_local(tool)
        self.governance.require_names(self.tools)
        self._require_governed_handoffs()

    async def get_all_tools(self, run_context: RunContextWrapper[Any]) -> list[Tool]:
        governance = self.governance
        if governance is None:
            raise TypeError("governance: expected a Governance; got none")
        # The framework comes here in each turn, before it collects the handoffs of that turn.
        self._require_governed_handoffs()
        tools = await super().get_all_tools(run_context)
        governance.require_names(tools)
        return [governance.govern(tool, self) for tool in tools]

    def _require_governed_handoffs(self) -> None:
        for handoff in self.handoffs:
            agent = _agent_of(handoff)
            if agent is None:
                name: object = getattr(handoff, "agent_name", handoff)
                raise TypeError(
                    f"handoffs: expected handoffs to agents that are governed; got {name!r}, which does "
                    "not say which agent it leads to. Make it with handoff(agent)"
                )
            _require_governed(agent, "handoffs")


class _GovernedTool(FunctionTool):
    """A copy of a tool with another way of being invoked."""

    @classmethod
    def of(cls, calls: _Calls) -> _GovernedTool:
        governed: _GovernedTool = object.__new__(cls)
        governed.__dict__.update(calls.tool.__dict__)
        governed.on_invoke_tool = calls.invoke
        governed.needs_approval = calls.needs_approval
        return governed


class _Calls:
    def __init__(self, gate: Gate, fresh: FreshAnswers, tool: FunctionTool, agent: Agent[Any] | None) -> None:
        self._gate = gate
        self._fresh = fresh
        self.tool = tool
        self._agent = agent
        # The framework hides whether a tool failed behind a text that the tool may choose itself.
        self._inner = copy.copy(tool)
        self._chosen = None if _is_default(tool) else getattr(tool, "_failure_error_function", None)

    async def needs_approval(self, context: RunContextWrapper[Any], args: dict[str, Any], call_id: str) -> bool:
        """Asks early, because a run can be interrupted here and nowhere later."""
        asks = self.tool.needs_approval
        if callable(asks):
            answer: Any = asks(context, args, call_id)
            asks = await answer if inspect.isawaitable(answer) else answer
        # Whatever the tool itself answers but False: a person of its application decides first.
        if asks is not False:
            return True
        # Nobody is asked about a call that `invoke` refuses.
        if await self._refuse_disabled(context) is not None:
            return False
        judged = await self._gate.ask_async(self._question(args, call_id))
        if isinstance(judged, Held):
            return True
        self._fresh.keep(context.usage, self.tool.name, call_id, args, judged)
        return False

    async def invoke(self, context: ToolContext[Any], raw: str) -> Any:
        args = _parsed(raw)
        call_id = context.tool_call_id
        answer = self._fresh.take(context.usage, self.tool.name, call_id, args)
        if answer is None:
            answer = await self._refuse_disabled(context)
        if answer is None:
            answer = await self._gate.ask_async(self._question(args, call_id))
        if isinstance(answer, (Refused, Held)):
            return answer.text
        # It can be disabled while the gateway judges.
        disabled = await self._refuse_disabled(context)
        if disabled is not None:
            answer.give_back()
            return disabled.text
        return await self._run(answer, context)

    async def _refuse_disabled(self, context: RunContextWrapper[Any]) -> Refused | None:
        """
        None: the tool is enabled now. The framework asks once more before it runs a tool, and knows the tools of an
        agent by identity, so its answer does not count for a governed copy.
        """
        try:
            enabled: Any = self.tool.is_enabled
            if callable(enabled):
                agent: Any = getattr(context, "agent", None) or self._agent
                enabled = enabled(context, agent)
                enabled = await enabled if inspect.isawaitable(enabled) else enabled
            if enabled:
                return None
        except Exception:
            reason = "It is not known whether the tool is enabled: its is_enabled failed."
            return Refused(self.tool.name, fail_closed_deny("internal_error", reason))
        reason = "The application has disabled the tool since the model asked for this call."
        return Refused(self.tool.name, fail_closed_deny("tool_changed", reason))

    async def _run(self, answer: Permitted, context: ToolContext[Any]) -> Any:
        failures: list[Exception] = []
        tool = copy.copy(self._inner)
        if self._chosen is not None:
            chosen: Any = self._chosen

            def told(context: RunContextWrapper[Any], error: Exception) -> Any:
                failures.append(error)
                return chosen(context, error)

            tool._failure_error_function = told  # pyright: ignore[reportPrivateUsage]

        def failed(result: Any) -> bool:
            by_default = self._chosen is None and isinstance(result, str) and result.startswith(_DEFAULT_FAILURE)
            return by_default or len(failures) > 0

        written = json.dumps(answer.args, ensure_ascii=False)
        return await answer.run_async(lambda: tool.on_invoke_tool(context, written), failed=failed)

    def _question(self, args: object, call_id: str) -> Question:
        accept = accept_by_schema(self.tool.params_json_schema)
        return Question(self.tool.name, args, call_id=call_id, accept=accept)


def _parsed(raw: str) -> object:
    """None where it cannot be read, which is a deny. A member that is named twice would be judged once."""
    if raw.strip() == "":
        return {}
    try:
        return parse_strict_json(raw.encode(), _MAX_ARGUMENTS_BYTES)
    except (NotStrictJson, UnicodeError):
        return None


def _is_default(tool: FunctionTool) -> bool:
    return getattr(tool, "_use_default_failure_error_function", True) is True


def _require_local(tool: object) -> FunctionTool:
    if not isinstance(tool, FunctionTool):
        raise TypeError(
            f"tools: expected function tools, which run in this process; got {type(tool).__name__}, which cannot be "
            "governed. Remove it from the tools of the agent"
        )
    _require_governed(getattr(tool, "_agent_instance", None), f"tools: {tool.name}")
    return tool


def _agent_of(handoff: Agent[Any] | Handoff[Any, Any]) -> Agent[Any] | None:
    if isinstance(handoff, Agent):
        return handoff  # pyright: ignore[reportUnknownVariableType]
    reference = getattr(handoff, "_agent_ref", None)
    return None if reference is None else reference()


def _require_governed(agent: object, where: str) -> None:
    """None: the framework does not say which agent it is."""
    if agent is not None and not isinstance(agent, GovernedAgent):
        name = getattr(agent, "name", "")
        raise TypeError(f"{where}: expected agents that are governed; got the agent {name!r}. Make it a GovernedAgent")
