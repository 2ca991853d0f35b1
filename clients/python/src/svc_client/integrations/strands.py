"""
Strands Agents. Every tool call of the agent is judged before its tool runs:

    from svc_client.integrations.strands import Governance

    agent = Agent(model, tools=[refund], hooks=[Governance("refund-bot")])

What later hooks and middleware change is not what runs: a hook that replaces the tool ends the run with an error,
and middleware that replaces it gets a refusal. Agents that are tools of this one are agents of their own: give each
its hook.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

from .._attempt import current_attempt
from .._client import Client
from .._outcome import OutcomeStatus
from ._core.accept_by_schema import accept_by_schema
from ._core.answers import Answer, Held, Permitted
from ._core.bound_answer import BoundAnswer
from ._core.gate import Gate, Question
from ._core.missing_framework import missing_framework

try:
    from strands.hooks import BeforeToolCallEvent, HookProvider, HookRegistry
    from strands.interrupt import InterruptException
    from strands.types.tools import AgentTool, ToolGenerator, ToolSpec, ToolUse
except ImportError as error:
    raise missing_framework("strands", error) from error

try:
    from strands.middleware.stages import ExecuteToolStage  # pyright: ignore[reportMissingImports]
except ImportError:
    # The place of middleware before it was public.
    from strands._middleware.stages import ExecuteToolStage  # type: ignore[import-not-found, no-redef]

_INTERRUPT = "svc_approval"

_LAST = float("inf")
"""After every other hook: what they change is judged."""

_SWAPPED = (
    "The call was not run. Middleware of the agent put another tool in place of the one that was called, which would "
    "not be judged. Repeating the call cannot help."
)


class Governance(HookProvider):
    """
    Judges every tool call of the agent whose `hooks` it is in. A call that needs an approval interrupts the
    agent; whatever it is resumed with, the gateway is asked again.
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
        self._gate = Gate(agent_id, client=client, namespace=namespace, names=names)

    def register_hooks(self, registry: HookRegistry, **_: Any) -> None:
        registry.add_callback(BeforeToolCallEvent, self._judge, order=_LAST)

    async def _judge(self, event: BeforeToolCallEvent) -> None:
        tool = event.selected_tool
        _seal_middleware(event.agent)
        # A tool that does not exist does not run, and a call that was cancelled does not either.
        if tool is None or event.cancel_tool:
            return
        question = _question(tool, event)
        answer = await _ask(self._gate, question)
        if isinstance(answer, Permitted):
            question = replace(question, args=deepcopy(question.args))
        # Whatever a later hook does to this event, what runs is bound to the answer.
        event.selected_tool = _Sealed(tool, BoundAnswer(answer, partial(_ask, self._gate, question)))
        _keep_tool(event)
        if isinstance(answer, Held):
            event.interrupt(_INTERRUPT, reason=answer.document)
        if not isinstance(answer, Permitted):
            event.cancel_tool = answer.text


async def _ask(gate: Gate, question: Question, again: Permitted | None = None) -> Answer:
    """With a copy of the arguments: what is inside of them can change until the tool runs."""
    answer = await gate.ask_async(question, again)
    return replace(answer, args=deepcopy(answer.args)) if isinstance(answer, Permitted) else answer


def _question(tool: AgentTool, event: BeforeToolCallEvent) -> Question:
    use = event.tool_use
    schema: Mapping[str, Any] = tool.tool_spec["inputSchema"]["json"]
    manager: Any = getattr(event.agent, "_session_manager", None)
    return Question(
        tool.tool_name,
        use["input"],
        call_id=use["toolUseId"],
        session_id=getattr(manager, "session_id", None),
        accept=accept_by_schema(schema),
    )


def _keep_tool(event: BeforeToolCallEvent) -> None:
    """A later hook that replaces the tool gets the framework's own error."""
    can_write = event._can_write
    # Not by assignment, which the event refuses for what is not a field of it.
    object.__setattr__(event, "_can_write", lambda name: name != "selected_tool" and can_write(name))


def _seal_middleware(agent: Any) -> None:
    """Puts the check of the tool behind the middleware of the agent, which runs after all hooks."""
    registry = agent._middleware_registry
    wraps = [each.handler for each in registry._handlers.get(ExecuteToolStage, ()) if each.phase == "wrap"]
    if not wraps or wraps[-1] is not _run_sealed:
        registry.add_middleware(ExecuteToolStage, _run_sealed)


async def _run_sealed(context: Any, inner: Callable[[Any], AsyncGenerator[Any, None]]) -> AsyncGenerator[Any, None]:
    tool = context.tool
    if tool is not None and not isinstance(tool, _Sealed):
        context = replace(context, tool=_Withheld(tool, _SWAPPED))
    async for event in inner(context):
        yield event


class _Standing(AgentTool):
    """Stands for a tool."""

    def __init__(self, tool: AgentTool) -> None:
        super().__init__()
        self._tool = tool

    @property
    def tool_name(self) -> str:
        return self._tool.tool_name

    @property
    def tool_spec(self) -> ToolSpec:
        return self._tool.tool_spec

    @property
    def tool_type(self) -> str:
        return self._tool.tool_type


class _Withheld(_Standing):
    def __init__(self, tool: AgentTool, text: str) -> None:
        super().__init__(tool)
        self._text = text

    async def stream(
        self, tool_use: ToolUse, invocation_state: dict[str, Any], **kwargs: Any
    ) -> ToolGenerator:
        yield {"toolUseId": tool_use["toolUseId"], "status": "error", "content": [{"text": self._text}]}


class _Sealed(_Standing):
    """A tool for one call. It runs with what was judged, and with nothing else."""

    def __init__(self, tool: AgentTool, bound: BoundAnswer) -> None:
        super().__init__(tool)
        self._bound = bound

    async def stream(
        self, tool_use: ToolUse, invocation_state: dict[str, Any], **kwargs: Any
    ) -> ToolGenerator:
        answer = await self._bound.take()
        events = (
            _reported(self._tool.stream({**tool_use, "input": answer.args}, invocation_state, **kwargs), answer)
            if isinstance(answer, Permitted)
            else _Withheld(self._tool, answer.text).stream(tool_use, invocation_state)
        )
        async for event in events:
            yield event


async def _reported(events: ToolGenerator, permitted: Permitted) -> ToolGenerator:
    """Reports how the tool ended. One that interrupts the agent has not ended: it will run again."""
    attempt = permitted.begin()
    status: OutcomeStatus | None = None
    try:
        while True:
            # The tool runs in here. The reader of its events does not.
            token = current_attempt.set(attempt)
            try:
                event = await anext(events)
            except StopAsyncIteration:
                break
            except InterruptException:
                status = None
                raise
            except BaseException:
                status = "failed"
                raise
            finally:
                current_attempt.reset(token)
            status = _status_of(event)
            yield event
    finally:
        await events.aclose()
        if status is not None:
            attempt.end(status)


def _status_of(event: object) -> OutcomeStatus | None:
    """Tools of the framework end with an event around their result, others with it. None: not ended yet."""
    result: Any = getattr(event, "tool_result", event)
    if not isinstance(result, Mapping) or "status" not in result:
        return None
    return "succeeded" if result["status"] == "success" else "failed"
