"""
Claude Agent SDK. Every tool call of the agent and of its sub-agents is judged before its tool runs:

    from svc_client.integrations.claude_agent_sdk import govern

    options = govern(ClaudeAgentOptions(...), "refund-bot")

An allow of the gateway grants nothing that your permission rules do not. Hooks of settings files, plugins, skills and
agents run beside this one: load none that change arguments. Shell commands inside skills are turned off. A call that needs an approval is denied: the model reads where a
person approves, and may make the call again afterwards.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

from .._attempt import Attempt
from .._canonical_json import digest_of
from .._client import Client
from .._json_snapshot import json_snapshot
from .._outcome import OutcomeStatus
from ._core.answers import Answer, Permitted
from ._core.gate import Gate, Question
from ._core.missing_framework import missing_framework

try:
    from claude_agent_sdk import (
        CanUseTool,
        ClaudeAgentOptions,
        HookCallback,
        HookMatcher,
        PermissionResult,
        PermissionResultAllow,
        PermissionResultDeny,
        ToolPermissionContext,
    )
except ImportError as error:
    raise missing_framework("claude_agent_sdk", error) from error

_MAX_RUNNING = 10_000
"""Calls whose outcome may be waited for. Of the oldest ones beyond, no outcome is reported."""

_BLOCKS: dict[str, Any] = (
    {"on_failure": "block"} if any(f.name == "on_failure" for f in fields(HookMatcher)) else {}
)
"""Newer versions block a call whose hook fails. The callbacks here fail in no version."""


_PROMPT_TOOL = "permission-prompt-tool"
"""The flag behind `permission_prompt_tool_name`."""

_FRESH_S = 1.0
"""Seconds for which an answer holds while somebody else decides about the call."""

_NO_HOOKS = "CLAUDE_CODE_SIMPLE"
"""The variable that `--bare` sets."""


def govern(
    options: ClaudeAgentOptions,
    agent_id: str,
    *,
    client: Client | None = None,
    namespace: str | None = None,
    names: Mapping[str, str] | None = None,
) -> ClaudeAgentOptions:
    """
    The same options, with every tool call judged. `agent_id` is the agent of your policies. What your
    `can_use_tool` changes is asked about again.

    Raises TypeError for options in which the program would call no hook, and for settings that cannot be read.
    """
    _require_hooks(options)
    judge = _Judge(Gate(agent_id, client=client, namespace=namespace, names=names), options.can_use_tool)
    hooks = {event: list(matchers) for event, matchers in (options.hooks or {}).items()}
    theirs = [
        replace(each, hooks=[_unchanged(hook) for hook in each.hooks]) for each in hooks.get("PreToolUse", [])
    ]
    if "PermissionRequest" in hooks:
        hooks["PermissionRequest"] = [
            replace(each, hooks=[_unpermitted(hook) for hook in each.hooks]) for each in hooks["PermissionRequest"]
        ]
    # Without a matcher: a pattern can miss a tool.
    hooks["PreToolUse"] = [*theirs, HookMatcher(hooks=[judge.before], **_BLOCKS)]
    hooks["PostToolUse"] = [*hooks.get("PostToolUse", []), HookMatcher(hooks=[judge.after])]
    hooks["PostToolUseFailure"] = [*hooks.get("PostToolUseFailure", []), HookMatcher(hooks=[judge.after])]
    can_use_tool = None if options.can_use_tool is None else judge.can_use_tool
    # Set in the environment of this process, it would turn off every hook.
    env = {**options.env, _NO_HOOKS: ""}
    settings = _settings_without_shells(options)
    return replace(options, hooks=hooks, can_use_tool=can_use_tool, env=env, settings=settings)


@dataclass
class _Running:
    session_id: str | None
    digest: str | None = None
    """Of the arguments that were allowed. None: the call waits for an approval."""
    attempt: Attempt | None = None
    permitted: Permitted | None = None


class _Judge:
    def __init__(self, gate: Gate, can_use_tool: CanUseTool | None) -> None:
        self._gate = gate
        self._theirs = can_use_tool
        self._running: OrderedDict[str, _Running] = OrderedDict()

    async def before(self, given: Any, tool_use_id: str | None, _: Any) -> Any:
        # Whatever escapes from here runs the tool.
        try:
            return await self._before(given, tool_use_id)
        except Exception as error:
            return _deny(f"The call was not judged ({type(error).__name__}), so it was not run.")

    async def after(self, given: Any, tool_use_id: str | None, _: Any) -> Any:
        failed = given["hook_event_name"] == "PostToolUseFailure"
        self._end(tool_use_id, "failed" if failed else "succeeded")
        return {}

    async def can_use_tool(
        self, tool: str, args: dict[str, Any], context: ToolPermissionContext
    ) -> PermissionResult:
        """What a person allows is asked about again, unless it is what was allowed a moment ago."""
        if self._theirs is None:
            return PermissionResultDeny(message=f"{tool} was not run: nobody can approve it here.")
        started = time.monotonic()
        result = await self._theirs(tool, args, context)
        fresh = time.monotonic() - started < _FRESH_S
        if not isinstance(result, PermissionResultAllow):
            return result
        final = args if result.updated_input is None else result.updated_input
        tool_use_id = getattr(context, "tool_use_id", None)
        running = self._running.get(tool_use_id or "")
        kept = running is not None and running.digest is not None and running.digest == _digest(final)
        if kept and fresh:
            return result
        # A person may think for an hour. Asked again under the same id, the call stays one call.
        earlier = running.permitted if running is not None and kept else None
        session_id = None if running is None else running.session_id
        question = Question(tool, final, call_id=tool_use_id, session_id=session_id)
        answer = await self._gate.ask_async(question, earlier)
        if isinstance(answer, Permitted) and earlier is not None and answer.decision_id == earlier.decision_id:
            return result
        self._end(tool_use_id, "not_executed")
        if not isinstance(answer, Permitted):
            return PermissionResultDeny(message=answer.text)
        self._begin(tool_use_id, session_id, answer)
        return replace(result, updated_input=answer.args)

    async def _before(self, given: Any, tool_use_id: str | None) -> Any:
        session_id = given["session_id"]
        question = Question(
            given["tool_name"], given["tool_input"], call_id=tool_use_id, session_id=session_id
        )
        answer = await self._gate.ask_async(question)
        self._begin(tool_use_id, session_id, answer)
        if isinstance(answer, Permitted):
            # No decision: an allow would grant a tool that the rules of the session do not.
            return _output(updatedInput=answer.args) if answer.rewritten else {}
        # No question to the person at the program: a hook that answers it first would run a call that nobody approved.
        return _deny(answer.text)

    def _begin(self, tool_use_id: str | None, session_id: str | None, answer: Answer) -> None:
        if tool_use_id is None:
            return
        running = _Running(session_id)
        if isinstance(answer, Permitted):
            running = _Running(session_id, _digest(answer.args), answer.begin(), answer)
        self._running[tool_use_id] = running
        if len(self._running) > _MAX_RUNNING:
            self._running.popitem(last=False)

    def _end(self, tool_use_id: str | None, status: OutcomeStatus) -> None:
        running = self._running.pop(tool_use_id or "", None)
        if running is not None and running.attempt is not None:
            running.attempt.end(status)


def _output(**fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}}


def _deny(reason: str) -> dict[str, Any]:
    return _output(permissionDecision="deny", permissionDecisionReason=reason)


def _unchanged(hook: HookCallback) -> HookCallback:
    """Hooks run side by side, so what one of them changes is not judged."""

    async def guarded(given: Any, tool_use_id: str | None, context: Any) -> Any:
        output: Any = await hook(given, tool_use_id, context)
        if isinstance(output, Mapping):
            specific = cast("Mapping[str, Any]", output).get("hookSpecificOutput")
            if isinstance(specific, Mapping) and "updatedInput" in specific:
                return _deny(
                    f"{given['tool_name']} was not run: another PreToolUse hook changes its arguments, "
                    "and what it changes would not be judged."
                )
        return cast("Any", output)

    return guarded


def _unpermitted(hook: HookCallback) -> HookCallback:
    """What this hook changes is not judged: the program runs it without another question."""

    async def guarded(given: Any, tool_use_id: str | None, context: Any) -> Any:
        output: Any = await hook(given, tool_use_id, context)
        decision: Any = None
        if isinstance(output, Mapping):
            specific: Any = cast("Mapping[str, Any]", output).get("hookSpecificOutput")
            decision = cast("Mapping[str, Any]", specific).get("decision") if isinstance(specific, Mapping) else None
        if isinstance(decision, Mapping) and "updatedInput" in decision:
            message = (
                f"{given['tool_name']} was not run: a PermissionRequest hook changes its arguments, and what it "
                "changes would not be judged."
            )
            denied = {"behavior": "deny", "message": message}
            return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": denied}}
        return cast("Any", output)

    return guarded


def _settings_without_shells(options: ClaudeAgentOptions) -> str:
    """A skill can have shell commands that run while it is loaded, with arguments of the model: no hook is asked."""
    text = (options.settings or "{}").strip()
    try:
        if not text.startswith("{"):
            # As the SDK reads a file: from its own working directory, with or without a byte order mark.
            text = (Path(options.cwd or "") / text).read_text(encoding="utf-8-sig")
        settings: Any = json.loads(text)
    except (OSError, ValueError) as error:
        raise TypeError(f"settings: expected JSON, or the path of a file with JSON, found {error}") from error
    if not isinstance(settings, dict):
        raise TypeError("settings: expected a JSON object")
    return json.dumps({**cast("dict[str, Any]", settings), "disableSkillShellExecution": True})


def _require_hooks(options: ClaudeAgentOptions) -> None:
    if options.permission_prompt_tool_name is not None or _PROMPT_TOOL in options.extra_args:
        raise TypeError(
            "permission_prompt_tool_name: expected none, because the tool may change the arguments after they were "
            "judged. Use can_use_tool"
        )
    for name in (each.name for each in fields(options)):
        if any(_is_bare(text) for text in _texts_of(getattr(options, name))):
            raise TypeError(
                f"{name}: expected no 'bare', because the program takes the word for its flag wherever it stands "
                "alone: it then calls no hook, and nothing is judged. Remove it"
            )


def _is_bare(text: str) -> bool:
    return text.strip().split("=")[0] == "--bare"


def _texts_of(value: Any) -> Iterator[str]:
    """Every text that can become an argument of the program. Names of flags come without their dashes."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        members: Mapping[Any, Any] = value
        for key, each in members.items():
            yield f"--{str(key).strip().lstrip('-')}"
            yield from _texts_of(each)
    elif isinstance(value, (list, tuple)):
        for each in cast("Sequence[Any]", value):
            yield from _texts_of(each)


def _digest(args: Mapping[str, Any]) -> str | None:
    try:
        return digest_of(json_snapshot(dict(args), "args"))
    except ValueError:
        return None
