"""
Google ADK. Every tool call of every agent of an app is judged before its tool runs:

    from svc_client.integrations.google_adk import Governance

    app = App(name="shop", root_agent=agent, plugins=[Governance("refund-bot")])

Calls of agents below the root are judged too, and so are tools that are nodes of a workflow, and what ADK itself
makes a tool of, for instance `transfer_to_agent`. Tools that run at the model's provider are refused, because nobody
can judge their calls.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from .._attempt import Attempt
from .._canonical_json import digest_of
from .._client import Client
from .._json_snapshot import json_snapshot
from ._core.accept_by_schema import accept_by_schema
from ._core.answers import Held, Permitted
from ._core.bound_answer import is_fresh
from ._core.gate import Accept, Gate, Question
from ._core.missing_framework import missing_framework

try:
    from google.adk.agents import BaseAgent, LlmAgent
    from google.adk.agents.callback_context import CallbackContext
    from google.adk.models.llm_request import LlmRequest
    from google.adk.plugins.base_plugin import BasePlugin
    from google.adk.tools.agent_tool import AgentTool
    from google.adk.tools.base_tool import BaseTool
    from google.adk.tools.tool_context import ToolContext
    from google.adk.workflow._tool_node import _ToolNode  # pyright: ignore[reportPrivateUsage]
    from google.genai.types import Content
except ImportError as error:
    raise missing_framework("google_adk", error) from error

_REJECTED = {"error": "This tool call is rejected."}
"""What ADK answers in place of the tool."""


@dataclass
class _Running:
    digest: str
    permitted: Permitted
    since: float = field(default_factory=time.monotonic)
    attempt: Attempt | None = None
    """From when on everything that could answer in place of the tool is behind."""

    def holds(self, args: Mapping[str, Any]) -> bool:
        return self.digest == _digest(args) and is_fresh(self.since)


class Governance(BasePlugin):
    """
    Judges every tool call of the app whose `plugins` it is in. A call that needs an approval asks for ADK's
    confirmation; whatever that says, the gateway is asked again.
    """

    def __init__(
        self,
        agent_id: str,
        *,
        client: Client | None = None,
        namespace: str | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Raises ValueError for a text that is not a name, and for an environment that is not usable."""
        super().__init__(name="svc_governance")
        self._gate = Gate(agent_id, client=client, namespace=namespace, names=names)
        self._running: WeakKeyDictionary[ToolContext, _Running] = WeakKeyDictionary()
        self._last = _Last(self)

    async def before_agent_callback(
        self, *, agent: BaseAgent, callback_context: CallbackContext
    ) -> Content | None:
        """ADK ends the run with the error."""
        _require_no_executor(agent)
        return None

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> None:
        """ADK ends the run with the error."""
        _require_no_executor(callback_context._invocation_context.agent)  # pyright: ignore[reportPrivateUsage]
        tools: Any = llm_request.config.tools
        for offered in tools or ():
            hosted = _hosted(offered)
            if hosted:
                raise TypeError(
                    f"{callback_context.agent_name} has the tool {hosted}, which runs at the model's provider: "
                    "its calls cannot be judged. Take it out, or do not use Governance with this agent"
                )
        self._gate.require_names(llm_request.tools_dict)

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        """Anything but None keeps the tool from running."""
        if isinstance(tool, AgentTool) and not getattr(tool, "include_plugins", True):
            return {
                "error": f"{tool.name} was not run: its agent has no plugins, so nothing would judge its calls."
            }
        agent = _agent_of(tool_context)
        if agent is None:
            _put_last(tool_context, self._last)
        else:
            _GOVERNING[tool_context] = self
            _judge_behind_everything(agent)
        return await self._judge(tool, tool_args, tool_context)

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: dict[str, Any]
    ) -> None:
        running = self._running.pop(tool_context, None)
        # A long-running tool has only begun, and one that waits for a confirmation will be called again.
        if running is None or tool.is_long_running or _waits_for_confirmation(tool_context):
            return
        if running.attempt is None:
            running.permitted.give_back()
        else:
            running.attempt.end("not_executed" if _was_rejected(tool_context, result) else "succeeded")

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> None:
        running = self._running.pop(tool_context, None)
        if running is None:
            return
        if running.attempt is None:
            running.permitted.give_back()
        else:
            running.attempt.end("failed")

    async def _judge(
        self,
        tool: BaseTool,
        tool_args: dict[str, Any],
        tool_context: ToolContext,
        again: Permitted | None = None,
    ) -> dict[str, Any] | None:
        question = Question(
            tool.name,
            deepcopy(tool_args),
            call_id=tool_context.function_call_id,
            session_id=tool_context.session.id,
            accept=_accept(tool),
        )
        answer = await self._gate.ask_async(question, again)
        if isinstance(answer, Permitted):
            tool_args.clear()
            tool_args.update(answer.args)
            self._running[tool_context] = _Running(_digest(tool_args), answer)
            return None
        if isinstance(answer, Held) and tool_context.tool_confirmation is None:
            tool_context.request_confirmation(hint=answer.text, payload=answer.document)
            # The model has nothing to say about a call that waits.
            tool_context.actions.skip_summarization = True
        return {"error": answer.text}

    async def judge_last(
        self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        """Called behind everything that could change the call, or hold it up until the answer is old."""
        before = self._running.get(tool_context)
        if before is not None and before.holds(args):
            before.attempt = before.attempt or before.permitted.begin()
            return None
        again = None if before is None else before.permitted
        self._running.pop(tool_context, None)
        refused = await self._judge(tool, args, tool_context, again)
        now = self._running.get(tool_context)
        if again is not None:
            again.give_back_unless(None if now is None else now.permitted)
        if now is not None:
            now.attempt = now.permitted.begin()
        return refused


class _Last(BasePlugin):
    """Behind all plugins: nothing else sees the call of a tool that is a node of a workflow as late."""

    def __init__(self, governance: Governance) -> None:
        super().__init__(name="svc_governance_last")
        self._governance = governance

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        if _agent_of(tool_context) is not None:
            return None
        return await self._governance.judge_last(tool, tool_args, tool_context)


def _agent_of(tool_context: ToolContext) -> LlmAgent | None:
    """The agent whose callbacks ADK runs for the call. None: the tool is a node, and no agent owns it."""
    agent = tool_context.get_invocation_context().agent
    return agent if tool_context.node is None and isinstance(agent, LlmAgent) else None


def _put_last(tool_context: ToolContext, last: _Last) -> None:
    """ADK comes to what is appended here still in this call."""
    plugins: Any = tool_context.get_invocation_context().plugin_manager.plugins
    if plugins[-1] is not last:
        plugins.append(last)


def _refuse_tool_nodes() -> None:
    """Early releases run the tool of a node without any plugin, so nobody could judge it."""
    run = _ToolNode._run_impl  # pyright: ignore[reportPrivateUsage]

    async def _run_impl(self: _ToolNode, *, ctx: Any, node_input: Any) -> AsyncGenerator[Any, None]:
        plugins = ctx.get_invocation_context().plugin_manager.plugins
        if any(isinstance(each, Governance) for each in plugins):
            raise TypeError(
                f"the tool {self.name} is a node of a workflow, and this release of google-adk asks no plugin about it: "
                "its calls cannot be judged. Use a newer release, or give the tool to an agent"
            )
        async for event in run(self, ctx=ctx, node_input=node_input):
            yield event

    _ToolNode._run_impl = _run_impl  # type: ignore[method-assign] # pyright: ignore


if not hasattr(_ToolNode, "_run_tool_with_plugin_callbacks"):
    _refuse_tool_nodes()


_GOVERNING: WeakKeyDictionary[ToolContext, Governance] = WeakKeyDictionary()
"""Who judges a call. An agent can belong to several apps, each with a Governance of its own."""


async def _judge_last(tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> dict[str, Any] | None:
    governance = _GOVERNING.get(tool_context)
    return None if governance is None else await governance.judge_last(tool, args, tool_context)


def _judge_behind_everything(agent: LlmAgent) -> None:
    """Later plugins and the agent's own callbacks run afterwards: what they change is judged by one behind them."""
    callbacks = agent.canonical_before_tool_callbacks
    if not callbacks or callbacks[-1] is not _judge_last:
        others = [each for each in callbacks if each is not _judge_last]
        # Early releases take a list here, too, and their types do not say so.
        agent.before_tool_callback = [*others, _judge_last]  # pyright: ignore[reportAttributeAccessIssue]


def _require_no_executor(agent: object) -> None:
    if getattr(agent, "code_executor", None) is not None:
        raise TypeError(
            f"{getattr(agent, 'name', 'an agent')} has a code_executor, which runs code of the model: nobody can judge that. Take it out, "
            "or do not use Governance with this agent"
        )



def _hosted(offered: object) -> str:
    """The names of what a tool of the request is besides functions. Callables of the user are functions."""
    fields = getattr(offered, "model_fields_set", frozenset[str]())
    return ", ".join(
        sorted(
            name
            for name in fields
            if name != "function_declarations" and getattr(offered, name, None) is not None
        )
    )


def _waits_for_confirmation(tool_context: ToolContext) -> bool:
    return tool_context.function_call_id in (tool_context.actions.requested_tool_confirmations or {})


def _was_rejected(tool_context: ToolContext, result: object) -> bool:
    """Whether a person rejected the confirmation that the tool itself requires."""
    confirmation = tool_context.tool_confirmation
    return confirmation is not None and not confirmation.confirmed and result == _REJECTED


def _digest(args: Mapping[str, Any]) -> str:
    """Of arguments that JSON cannot say, every digest is another one."""
    try:
        return digest_of(json_snapshot(dict(args), "args"))
    except ValueError:
        return ""


def _accept(tool: BaseTool) -> Accept:
    """ADK gives a tool its arguments as they are."""

    def accept(args: dict[str, Any]) -> Mapping[str, Any]:
        declaration = tool._get_declaration()  # pyright: ignore[reportPrivateUsage]
        if declaration is None:
            raise TypeError("the tool declares no parameters")
        schema = declaration.parameters_json_schema
        if schema is None and declaration.parameters is not None:
            schema = declaration.parameters.model_dump(mode="json", by_alias=True, exclude_none=True)
        return accept_by_schema(schema or {"type": "object"})(args)

    return accept
