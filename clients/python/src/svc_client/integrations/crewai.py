"""
CrewAI. Every call of a governed tool is judged before the tool runs:

    from svc_client.integrations.crewai import govern_crew

    crew = govern_crew(Crew(agents=[agent], tasks=[task]), "refund-bot")

The tools themselves are governed, and not CrewAI's hooks: a hook that fails lets the tool run, and what a later
hook changes is not judged. Tools that CrewAI makes itself, for delegation and memory, are not seen.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, SupportsIndex

from .._client import Client
from ._core.accept_by_schema import accept_by_schema
from ._core.answers import Permitted
from ._core.gate import Gate, Question
from ._core.missing_framework import missing_framework

try:
    from crewai import Crew
    from crewai.agents.agent_builder.base_agent import BaseAgent
    from crewai.tools import BaseTool
    from pydantic import PrivateAttr

    from ._core.pydantic_json import pydantic_json
except ImportError as error:
    raise missing_framework("crewai", error) from error

if TYPE_CHECKING:
    from typing_extensions import Self

_OTHER_TOOLS = {
    "mcps": "tools of MCP servers",
    "apps": "tools of CrewAI's platform",
    "allow_code_execution": "a tool that runs code",
}
"""What an agent gets its tools from when it runs, where nothing can judge them."""


def govern_crew(
    crew: Crew,
    agent_id: str,
    *,
    client: Client | None = None,
    namespace: str | None = None,
    names: Mapping[str, str] | None = None,
) -> Crew:
    """
    Governs the tools of every agent and every task of the crew, and returns the crew. `agent_id` is the agent of
    your policies. A tool that is added to their lists later is governed, too. Add agents and tasks before, and assign
    no other list of tools.

    Raises TypeError for an agent that gets tools which cannot be judged, and for a misspelled tool in `names`.
    """
    gate = Gate(agent_id, client=client, namespace=namespace, names=names)
    agents: list[BaseAgent] = [*crew.agents, *(each.agent for each in crew.tasks if each.agent is not None)]
    if isinstance(crew.manager_agent, BaseAgent):
        agents.append(crew.manager_agent)
    for agent in agents:
        _refuse_other_tools(agent)
        agent.tools = _GovernedTools(agent.tools or [], gate)
    for task in crew.tasks:
        task.tools = _GovernedTools(task.tools or [], gate)
    tools = chain(*(each.tools or [] for each in agents), *(each.tools or [] for each in crew.tasks))
    gate.require_names(tool.name for tool in tools)
    return crew


def govern_tools(
    tools: Sequence[BaseTool],
    agent_id: str,
    *,
    client: Client | None = None,
    namespace: str | None = None,
    names: Mapping[str, str] | None = None,
) -> list[BaseTool]:
    """
    The same for the tools of one agent or one task: `Agent(tools=govern_tools([refund], "refund-bot"))`.

    Raises TypeError for what is not a tool of CrewAI.
    """
    gate = Gate(agent_id, client=client, namespace=namespace, names=names)
    governed = _governed(tools, gate)
    gate.require_names(each.name for each in governed)
    return governed


def _governed(tools: Iterable[BaseTool], gate: Gate) -> list[BaseTool]:
    return [each if isinstance(each, GovernedTool) else GovernedTool.around(each, gate) for each in tools]


class _GovernedTools(list[BaseTool]):
    """The tools of an agent or of a task. One that is added is governed."""

    def __init__(self, tools: Iterable[BaseTool], gate: Gate | None = None) -> None:
        """Without a gate, this is a list that Pydantic made of another one, for CrewAI itself."""
        self._gate = gate
        super().__init__(self._each(tools))

    def append(self, tool: BaseTool) -> None:
        self.extend([tool])

    def extend(self, tools: Iterable[BaseTool]) -> None:
        super().extend(self._each(tools))

    def insert(self, at: SupportsIndex, tool: BaseTool) -> None:
        super().insert(at, *self._each([tool]))

    # As in the stubs of the standard library, which have the same complaint.
    def __iadd__(self, tools: Iterable[BaseTool]) -> Self:  # type: ignore[misc, override]
        self.extend(tools)
        return self

    def __setitem__(self, at: Any, given: Any) -> None:
        super().__setitem__(at, self._each(given) if isinstance(at, slice) else self._each([given])[0])

    def _each(self, tools: Iterable[BaseTool]) -> list[BaseTool]:
        return list(tools) if self._gate is None else _governed(tools, self._gate)


def _refuse_other_tools(agent: BaseAgent) -> None:
    for field, what in _OTHER_TOOLS.items():
        # Not as an attribute: CrewAI warns about the fields that it is about to give up.
        if agent.__dict__.get(field):
            raise TypeError(
                f"{agent.role} has {field}: it gets {what} when it runs, whose calls cannot be judged. "
                f"Take {field} out, or do not govern this crew"
            )


class GovernedTool(BaseTool):
    """A tool whose calls are judged. Its results are not cached, so that every call is."""

    # Neither has a default: a tool that was restored from a file has no gate, and does not run.
    _tool: BaseTool = PrivateAttr()
    _gate: Gate = PrivateAttr()

    @staticmethod
    def around(tool: BaseTool, gate: Gate) -> GovernedTool:
        if not isinstance(tool, BaseTool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                f"expected a BaseTool of CrewAI; got {type(tool).__name__}. Make it one with @tool"
            )
        fields: dict[str, Any] = {name: getattr(tool, name) for name in BaseTool.model_fields}
        fields["cache_function"] = never_cache
        governed = GovernedTool(**fields)
        governed._tool = tool
        governed._gate = gate
        return governed

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        answer = self._gate.ask(self._question(args, kwargs))
        if not isinstance(answer, Permitted):
            return _Withheld(answer.text)
        return answer.run(lambda: _settled(self._tool._run(**answer.args)))

    async def _arun(self, *args: Any, **kwargs: Any) -> Any:
        answer = await self._gate.ask_async(self._question(args, kwargs))
        if not isinstance(answer, Permitted):
            return _Withheld(answer.text)
        return await answer.run_async(lambda: self._tool._arun(**answer.args))

    def format_output_for_agent(self, raw_result: Any) -> str:
        if isinstance(raw_result, _Withheld):
            return str(raw_result)
        # Early releases have no such method, and do not call this one.
        return self._tool.format_output_for_agent(raw_result)  # pyright: ignore[reportAttributeAccessIssue]

    def _question(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Question:
        fields = list(self.args_schema.model_fields)
        if len(args) > len(fields):
            raise TypeError(f"{self.name}: expected at most {len(fields)} arguments; got {len(args)}")
        given = {**dict(zip(fields, args)), **kwargs}
        return Question(self.name, given, accept=self._accept, encode=pydantic_json)

    def _accept(self, args: dict[str, Any]) -> Mapping[str, Any]:
        """CrewAI has parsed the arguments already when the tool is called."""
        accept_by_schema(self.args_schema.model_json_schema())(args)
        parsed = self.args_schema.model_validate(args)
        return {name: getattr(parsed, name) for name in type(parsed).model_fields}


class _Withheld(str):
    """What stands for a result of a call that did not run. No schema of a tool describes it."""


def never_cache(*_: object) -> bool:
    return False


def _settled(result: Any) -> Any:
    """As CrewAI does it: a tool that is a coroutine function is run to its end."""
    return asyncio.run(result) if inspect.iscoroutine(result) else result
