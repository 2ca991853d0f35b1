"""
Strands Agents. Every tool call of the agent is judged before its tool runs:

    from svc_client.integrations.strands import Governance

    agent = Agent(model, tools=[refund], hooks=[Governance("refund-bot")])

Agents that are tools of this one are agents of their own: give each its hook.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from .._attempt import current_attempt
from .._client import Client
from .._outcome import OutcomeStatus
from ._core.accept_by_schema import accept_by_schema
from ._core.answers import Answer, Held, Permitted
from ._core.gate import Gate, Question
from ._core.missing_framework import missing_framework

try:
    from strands.hooks import BeforeToolCallEvent, HookProvider, HookRegistry
    from strands.interrupt import InterruptException
    from strands.types.tools import AgentTool, ToolGenerator, ToolSpec, ToolUse
except ImportError as error:
    raise missing_framework("strands", error) from error

_INTERRUPT = "svc_approval"

_LAST = float("inf")
"""After every other hook: what they change is judged."""


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
        """Raises ValueError for a name that is not an identifier, and for an environment that is not usable."""
        self._gate = Gate(agent_id, client=client, namespace=namespace, names=names)

    def register_hooks(self, registry: HookRegistry, **_: Any) -> None:
        registry.add_callback(BeforeToolCallEvent, self._judge, order=_LAST)

    async def _judge(self, event: BeforeToolCallEvent) -> None:
        tool = event.selected_tool
        # A tool that does not exist does not run, and a call that was cancelled does not either.
        if tool is None or event.cancel_tool:
            return
        answer = await self._gate.ask_async(_question(tool, event))
        # Whatever a later hook does to this event, what runs is bound to the answer.
        event.selected_tool = _Sealed(tool, answer)
        if isinstance(answer, Held):
            event.interrupt(_INTERRUPT, reason=answer.document)
        if not isinstance(answer, Permitted):
            event.cancel_tool = answer.text


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


class _Sealed(AgentTool):
    """A tool for one call. It runs with what was judged, and with nothing else."""

    def __init__(self, tool: AgentTool, answer: Answer) -> None:
        super().__init__()
        self._tool = tool
        self._answer = answer
        # A copy: what is inside the arguments can change until the tool runs.
        self._args = deepcopy(answer.args) if isinstance(answer, Permitted) else {}

    @property
    def tool_name(self) -> str:
        return self._tool.tool_name

    @property
    def tool_spec(self) -> ToolSpec:
        return self._tool.tool_spec

    @property
    def tool_type(self) -> str:
        return self._tool.tool_type

    async def stream(
        self, tool_use: ToolUse, invocation_state: dict[str, Any], **kwargs: Any
    ) -> ToolGenerator:
        answer = self._answer
        if not isinstance(answer, Permitted):
            yield {"toolUseId": tool_use["toolUseId"], "status": "error", "content": [{"text": answer.text}]}
            return
        judged: ToolUse = {**tool_use, "input": self._args}
        events = self._tool.stream(judged, invocation_state, **kwargs)
        async for event in _reported(events, answer):
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
