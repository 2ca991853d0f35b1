"""The adapter of the Claude Agent SDK, with its real command line program and a scripted API on this machine."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.answers import (
    ALLOWED,
    ANSWERS,
    APPROVAL_URL,
    ARGS,
    DENIED,
    PAUSED,
    REWRITTEN,
    SHAPED,
    AnswerCase,
    named,
)
from support.cancelling import check_cancelled
from support.framework import need
from support.gateways import ALLOW, Gateway, Peer, Request, render
from support.world import FINAL, Seen, World
from svc_client import Client

need("claude_agent_sdk")
from claude_agent_sdk import (  # noqa: E402
    AgentDefinition,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    create_sdk_mcp_server,
    tool,
)
from svc_client.integrations.claude_agent_sdk import govern  # noqa: E402

REFUND = "mcp__shop__refund"


class ScriptedApi(Gateway):
    """Answers a question with calls, and the results of those with its last word. Keeps what it read."""

    def __init__(self) -> None:
        super().__init__(self._talk)
        self.calls: list[tuple[str, dict[str, Any]]] = [(REFUND, ARGS)]
        self.read: list[str] = []
        self._ids = itertools.count()

    def _talk(self, peer: Peer) -> None:
        while (request := peer.read_request()) is not None:
            if not request.path.startswith("/v1/messages") or "count_tokens" in request.path:
                peer.write(render(b"{}", status=404))
                continue
            peer.write(self._answer(request.document))

    def _answer(self, asked: dict[str, Any]) -> bytes:
        last = asked["messages"][-1]["content"]
        results = [each for each in last if each["type"] == "tool_result"] if isinstance(last, list) else []
        if results:
            self.read += [_text_of(each["content"]) for each in results]
        offered = {each.get("name") for each in asked.get("tools", ())}
        calls = [] if results else [each for each in self.calls if each[0] in offered]
        return render(self._stream(calls), headers={"content-type": "text/event-stream"})

    def _stream(self, calls: list[tuple[str, dict[str, Any]]]) -> bytes:
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"type": "message", "role": "assistant", "model": "scripted", "content": [], "usage": usage}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": {"id": self._id("msg"), **message}}
        ]
        text = {"type": "text", "text": ""}
        blocks = [(text, {"type": "text_delta", "text": FINAL})] if not calls else []
        for name, args in calls:
            use = {"type": "tool_use", "id": self._id("toolu"), "name": name, "input": {}}
            blocks.append((use, {"type": "input_json_delta", "partial_json": json.dumps(args)}))
        for index, (block, delta) in enumerate(blocks):
            events.append({"type": "content_block_start", "index": index, "content_block": block})
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
            events.append({"type": "content_block_stop", "index": index})
        stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
        events += [{"type": "message_delta", "delta": stop, "usage": usage}, {"type": "message_stop"}]
        return "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events).encode()

    def _id(self, kind: str) -> str:
        return f"{kind}_{next(self._ids)}"


def _text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(str(each.get("text", "")) for each in content)


class Switch(Client):
    """Asks with the client of the case, so that one process of the command line program serves all cases."""

    current: Client

    def for_coroutines(self) -> Any:
        return self.current.for_coroutines()


@pytest.fixture(scope="module")
def api() -> Iterator[ScriptedApi]:
    with ScriptedApi() as started:
        yield started


@dataclass
class Agent:
    """A conversation with the real program."""

    world: World
    api: ScriptedApi
    folder: Path
    switch: Switch = field(default_factory=lambda: Switch("http://127.0.0.1:1", "key", environment={}))
    session_id: str = ""

    def options(self, **more: Any) -> ClaudeAgentOptions:
        refund = tool("refund", "Pays money back.", {"order": str, "amount": int})(self._refund)
        quiet = ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
        env = {"ANTHROPIC_BASE_URL": self.api.url, "ANTHROPIC_API_KEY": "none", **dict.fromkeys(quiet, "1")}
        home = {"HOME": str(self.folder), "CLAUDE_CONFIG_DIR": str(self.folder)}
        settings: dict[str, Any] = {
            "allowed_tools": [REFUND],
            "cwd": self.folder,
            "env": {**env, **home},
            "mcp_servers": {"shop": create_sdk_mcp_server("shop", tools=[refund])},
            "setting_sources": [],
            "tools": [],
            **more,
        }
        return ClaudeAgentOptions(**settings)

    @asynccontextmanager
    async def talk(self, **more: Any) -> AsyncGenerator[ClaudeSDKClient, None]:
        async with ClaudeSDKClient(govern(self.options(**more), "agent-1", client=self.switch)) as client:
            yield client

    async def say(self, client: ClaudeSDKClient, *calls: tuple[str, dict[str, Any]]) -> Seen:
        self.api.calls = list(calls or [(REFUND, ARGS)])
        self.api.read.clear()
        final = ""
        await client.query("go")
        async for message in client.receive_response():
            if isinstance(message, ResultMessage):
                final, self.session_id = message.result or "", message.session_id
        return Seen(read=list(self.api.read), final=final)

    async def meet(self, client: ClaudeSDKClient, case: AnswerCase) -> Seen:
        self.world.forget()
        self.switch.current = self.world.meet(case)
        return await self.say(client)

    async def _refund(self, args: dict[str, Any]) -> dict[str, Any]:
        self.world.ran.append(args)
        if args["amount"] == 13:
            raise RuntimeError("no money")
        return {"content": [{"type": "text", "text": f"refunded {args['amount']}"}]}


@pytest.fixture
def agent(world: World, api: ScriptedApi, tmp_path: Path) -> Agent:
    made = Agent(world, api, tmp_path)
    made.switch.current = world.client
    return made


def denying(amount: int) -> Any:
    def reply(request: Request) -> bytes:
        refused = request.document["args"].get("amount") == amount
        return named("denied" if refused else "refund")(request) or b""

    return reply


def test_every_answer_in_one_conversation(world: World, agent: Agent) -> None:
    """One process for all: to start it takes longest."""
    clerk = AgentDefinition(description="Pays back.", prompt="Pay.", tools=[REFUND])
    tools = {
        "tools": ["Agent", "Bash"],
        "allowed_tools": [REFUND, "Agent", "Bash"],
        "agents": {"clerk": clerk},
    }

    async def run() -> None:
        async with agent.talk(**tools) as client:
            for case in ANSWERS:
                # The server of a tool checks what a policy makes of its arguments.
                if case.told == "cannot take them":
                    continue
                world.check(case, await agent.meet(client, case))

            # A rewrite of a wrong type reaches the server, and is refused there.
            unfit = next(case for case in ANSWERS if case.name == "a rewrite of a wrong type")
            assert "not of type 'integer'" in (await agent.meet(client, unfit)).read[0]
            assert world.ran == []
            world.wait_for_outcomes("failed")

            await agent.meet(client, ALLOWED)
            assert world.sessions() == [agent.session_id]
            assert world.keys() != [""]
            world.wait_for_outcomes("succeeded")

            world.forget()
            await agent.say(client, (REFUND, {**ARGS, "amount": 13}))
            world.wait_for_outcomes("failed")

            world.forget()
            world.gateway.reply = denying(2)
            seen = await agent.say(client, *((REFUND, {**ARGS, "amount": amount}) for amount in (1, 2, 3)))
            assert sorted(each["amount"] for each in world.ran) == [1, 3]
            assert ["Not this one" in text for text in seen.read] == [False, True, False]

            # What a sub-agent calls is judged, and what the program brings itself.
            world.forget()
            world.gateway.reply = lambda request: named(
                "other" if request.document["tool"] in ("Agent", "Task") else "denied"
            )(request)
            task = {
                "description": "Pay",
                "prompt": "go",
                "subagent_type": "clerk",
                "run_in_background": False,
            }
            await agent.say(client, ("Agent", task), (REFUND, ARGS))
            # The outer call of the tool, and that of the sub-agent.
            assert [each.document["tool"] for each in world.gateway.seen].count(REFUND) == 2
            assert world.ran == []

            world.forget()
            world.meet(DENIED)
            touched = agent.folder / "touched"
            await agent.say(client, ("Bash", {"command": f"touch {touched}", "description": "Touch"}))
            assert not touched.exists()

    world.run(run())


def test_can_use_tool_and_other_hooks(world: World, agent: Agent) -> None:
    """Without `allowed_tools`: an allow of the gateway grants nothing, and what a person allows is judged."""
    asked: list[dict[str, Any]] = []
    answers: list[Any] = []
    changes: list[dict[str, Any]] = []

    async def can_use_tool(name: str, args: dict[str, Any], context: Any) -> Any:
        asked.append(args)
        return answers.pop(0)

    async def other_hook(given: Any, tool_use_id: Any, context: Any) -> Any:
        return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **changes.pop()}} if changes else {}

    async def run() -> None:
        hooks: Any = {"PreToolUse": [HookMatcher(hooks=[other_hook])]}
        async with agent.talk(allowed_tools=[], can_use_tool=can_use_tool, hooks=hooks) as client:
            # The rules of the session still ask, and see what the policy left.
            answers[:] = [PermissionResultAllow()]
            assert (await agent.meet(client, REWRITTEN)).final == FINAL
            assert (world.ran, asked, len(world.gateway.seen)) == ([SHAPED], [SHAPED], 1)

            answers[:] = [PermissionResultDeny(message="not today")]
            assert "not today" in (await agent.meet(client, ALLOWED)).read[0]
            assert world.ran == []

            # Nobody here can approve what the gateway holds.
            assert APPROVAL_URL in (await agent.meet(client, PAUSED)).read[0]
            assert (world.ran, len(world.gateway.seen)) == ([], 1)

            # What the person changes is asked about.
            answers[:] = [PermissionResultAllow(updated_input={**ARGS, "amount": 31_337})]
            world.forget()
            world.gateway.reply = denying(31_337)
            agent.switch.current = world.client
            assert "Not this one" in (await agent.say(client)).read[0]
            assert (world.ran, len(world.gateway.seen)) == ([], 2)
            world.wait_for_outcomes("not_executed")

            # Hooks run side by side: one that changes arguments is refused.
            answers[:] = [PermissionResultAllow()]
            changes[:] = [{"updatedInput": {**ARGS, "amount": 31_337}}]
            assert "another PreToolUse hook" in (await agent.meet(client, ALLOWED)).read[0]
            assert world.ran == []

    world.run(run())


def test_no_failure_leaves_the_hook(world: World) -> None:
    """In older versions a hook that raises, or answers nothing, runs the tool."""
    options = govern(ClaudeAgentOptions(), "agent-1", client=world.client)
    assert options.hooks is not None
    (matcher,) = options.hooks["PreToolUse"]
    (hook,) = matcher.hooks
    assert matcher.matcher is None
    for given in ({}, {"session_id": 7}, None, {"session_id": "s", "tool_name": "t", "tool_input": None}):
        output: Any = world.run(hook(given, "id", {"signal": None}))  # type: ignore[arg-type]
        assert output["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_pause_is_a_deny(world: World) -> None:
    async def can_use_tool(name: str, args: dict[str, Any], context: Any) -> Any:
        return PermissionResultAllow()

    options = govern(ClaudeAgentOptions(can_use_tool=can_use_tool), "agent-1", client=world.meet(PAUSED))
    assert options.hooks is not None
    (hook,) = options.hooks["PreToolUse"][0].hooks
    decisions = {}
    for mode in ("default", "acceptEdits", "bypassPermissions", "plan"):
        given: Any = {"session_id": "s", "tool_name": "t", "tool_input": {}, "permission_mode": mode}
        output: Any = world.run(hook(given, None, {"signal": None}))  # type: ignore[arg-type]
        decisions[mode] = output["hookSpecificOutput"]["permissionDecision"]
    assert decisions == dict.fromkeys(("default", "acceptEdits", "bypassPermissions", "plan"), "deny")


def test_shell_commands_in_skills_do_not_run(world: World, agent: Agent) -> None:
    """The program would run them while it loads a skill, with arguments of the model, and ask no hook."""
    project, touched = agent.folder / "project", agent.folder / "touched"
    skill = project / ".claude" / "skills" / "report" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    front = "---\nname: report\ndescription: Reports.\nallowed-tools: Bash(*)\n---\n"
    skill.write_text(front + "Report of: !`echo $ARGUMENTS`\n")

    async def run() -> None:
        tools: dict[str, Any] = {"tools": ["Bash", "Skill"], "allowed_tools": ["Skill"], "setting_sources": ["project"]}
        async with agent.talk(**tools, cwd=project, settings='{"cleanupPeriodDays": 7}') as client:
            world.gateway.reply = lambda request: named(
                "denied" if request.document["tool"] == "Bash" else "refund"
            )(request)
            await agent.say(client, ("Skill", {"skill": "report", "args": f"x; touch {touched}"}))
            assert [each.document["tool"] for each in world.gateway.seen] == ["Skill"]
            assert not touched.exists()

    world.run(run())


@pytest.mark.parametrize(("later", "result_type"), [("denied", PermissionResultDeny), (None, PermissionResultAllow)])
def test_a_person_who_thinks_long_is_not_the_last_word(world: World, later: str | None, result_type: Any) -> None:
    async def think(name: str, args: dict[str, Any], context: Any) -> Any:
        again = render(json.dumps({**ALLOW, "repeated": True}).encode())
        world.gateway.reply = named(later) if later is not None else lambda _: again
        await asyncio.sleep(1.1)
        return PermissionResultAllow()

    async def run() -> None:
        options = govern(ClaudeAgentOptions(can_use_tool=think), "agent-1", client=world.meet(ALLOWED))
        assert options.hooks is not None and options.can_use_tool is not None
        given: Any = {"session_id": "s", "tool_name": "refund", "tool_input": ARGS}
        assert await options.hooks["PreToolUse"][0].hooks[0](given, "call-1", {"signal": None}) == {}
        context: Any = SimpleNamespace(tool_use_id="call-1")
        result = await options.can_use_tool("refund", ARGS, context)
        assert isinstance(result, result_type)
        assert len(world.gateway.seen) == 2

    world.run(run())


@pytest.mark.parametrize(
    "options",
    [
        {"extra_args": {"bare": None}},
        {"extra_args": {"model": "--bare"}},
        {"system_prompt": "--bare"},
        {"system_prompt": {"type": "preset", "preset": "claude_code", "append": " --bare"}},
        {"model": "--bare"},
        {"add_dirs": ["--bare"]},
        {"permission_prompt_tool_name": "mcp__auth__prompt"},
        {"extra_args": {"permission-prompt-tool": "mcp__auth__prompt"}},
    ],
    ids=str,
)
def test_options_that_lead_past_the_hook_are_refused(world: World, options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r": expected no"):
        govern(ClaudeAgentOptions(**options), "agent-1", client=world.client)


def test_settings(world: World, tmp_path: Path) -> None:
    def settings_of(**options: Any) -> Any:
        return json.loads(govern(ClaudeAgentOptions(**options), "agent-1", client=world.client).settings or "")

    (tmp_path / "s.json").write_text('{"model": "opus"}', encoding="utf-8-sig")
    off = {"disableSkillShellExecution": True}
    assert settings_of() == off
    assert settings_of(settings='{"disableSkillShellExecution": false}') == off
    assert settings_of(settings="s.json", cwd=tmp_path) == {"model": "opus", **off}
    for wrong in ("missing.json", "{", "[]"):
        with pytest.raises(TypeError, match=r"^settings: expected"):
            settings_of(settings=wrong, cwd=tmp_path)


def test_other_ways_past_the_hook(world: World, agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the real program: its environment turns hooks off, and another hook of it changes arguments."""
    monkeypatch.setenv("CLAUDE_CODE_SIMPLE", "1")

    async def permit(given: Any, tool_use_id: Any, context: Any) -> Any:
        decision = {"behavior": "allow", "updatedInput": {**ARGS, "amount": 31_337}}
        return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}

    async def run() -> None:
        hooks: Any = {"PermissionRequest": [HookMatcher(hooks=[permit])]}
        async with agent.talk(allowed_tools=[], hooks=hooks) as client:
            (said,) = (await agent.meet(client, ALLOWED)).read
            # Older releases run no such hook here, and deny by themselves.
            assert "a PermissionRequest hook changes its arguments" in said or "haven't granted it" in said
            assert (world.ran, len(world.gateway.seen)) == ([], 1)
            assert APPROVAL_URL in (await agent.meet(client, PAUSED)).read[0]
            await agent.meet(client, DENIED)
            assert world.ran == []

    world.run(run())


@pytest.mark.parametrize("flags", [{"bare": None}, {"model": "--bare"}, {"bare=true": None}])
def test_a_program_without_hooks_is_refused(world: World, flags: dict[str, str | None]) -> None:
    with pytest.raises(TypeError, match="extra_args"):
        govern(ClaudeAgentOptions(extra_args=flags), "agent-1", client=world.client)


def test_an_agent_id_must_be_one(world: World) -> None:
    with pytest.raises(ValueError, match="agent_id"):
        govern(ClaudeAgentOptions(), "refund*bot", client=world.client)

def test_a_hook_that_is_cancelled_while_it_asks_answers_no_allow(world: World) -> None:
    options = govern(ClaudeAgentOptions(), "agent-1", client=world.client)
    assert options.hooks is not None
    (hook,) = options.hooks["PreToolUse"][0].hooks
    given: Any = {"session_id": "s", "tool_name": "refund", "tool_input": ARGS}
    answers: list[object] = []

    async def asking() -> None:
        answers.append(await hook(given, "id", {"signal": None}))

    check_cancelled(world, asking)
    assert answers == []
