"""Servers of FastMCP, with its own client."""

from __future__ import annotations

from typing import Any

import pytest
from support.answers import ALLOWED, ANSWERS, APPROVAL_URL, ARGS, DENIED, PAUSED, REWRITTEN, SHAPED, TOOL, AnswerCase
from support.cancelling import check_cancelled
from support.framework import need
from support.gateways import scripted
from support.world import FINAL, Seen, World, describe
from svc_client import Client

need("fastmcp")

from fastmcp import Client as McpClient  # noqa: E402
from fastmcp import FastMCP  # noqa: E402
from fastmcp.apps.app import FastMCPApp  # noqa: E402
from fastmcp.exceptions import ToolError  # noqa: E402
from fastmcp.server.middleware import Middleware  # noqa: E402
from fastmcp.server.providers.addressing import hashed_backend_name  # noqa: E402
from fastmcp.server.transforms.tool_transform import ToolTransform  # noqa: E402
from fastmcp.tools import FunctionTool, ToolResult  # noqa: E402
from fastmcp.tools.tool_transform import ToolTransformConfig  # noqa: E402
from svc_client.integrations.fastmcp import Governance  # noqa: E402

Call = tuple[str, dict[str, Any]]


def server_of(world: World, client: Client, **options: Any) -> FastMCP[Any]:
    governance = Governance("agent-1", client=client, **options.pop("governance", {}))
    middleware = [*options.pop("before", []), governance, *options.pop("after", [])]
    server: FastMCP[Any] = FastMCP("Shop", middleware=middleware, **options)
    server.tool(world.refund, name=TOOL)
    return server


def call(world: World, server: FastMCP[Any], *calls: Call, **options: Any) -> list[str]:
    """What a client reads of each call, all of one connection."""

    async def calling() -> list[str]:
        async with McpClient(server, **options) as client:
            results = [await client.call_tool_mcp(name, args) for name, args in calls]
        return ["".join(getattr(block, "text", "") for block in result.content) for result in results]

    return world.run(calling())


@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_a_call_ends_as_the_gateway_says(world: World, case: AnswerCase) -> None:
    read = call(world, server_of(world, world.meet(case)), (TOOL, ARGS))
    world.check(case, Seen(read, "", FINAL))


def test_details_that_are_masked_are_not_those_of_a_denial(world: World) -> None:
    server = server_of(world, world.meet(DENIED), mask_error_details=True)
    assert "Not this one" in call(world, server, (TOOL, ARGS))[0]


def test_an_approved_call_runs_when_it_is_made_again(world: World) -> None:
    server = server_of(world, world.meet(PAUSED))
    assert APPROVAL_URL in call(world, server, (TOOL, ARGS))[0]
    world.meet(REWRITTEN)
    assert call(world, server, (TOOL, ARGS)) == ["refunded 3"]
    assert world.ran == [SHAPED]
    world.wait_for_outcomes("succeeded")


def test_calls_of_the_server_itself_are_judged(world: World) -> None:
    server = server_of(world, world.meet(DENIED))
    with pytest.raises(ToolError, match="Not this one"):
        world.run(server.call_tool(TOOL, ARGS))
    assert world.ran == []


def test_what_passes_every_middleware_by_passes_this_one(world: World) -> None:
    """What the documentation warns of."""
    server = server_of(world, world.meet(DENIED))

    async def bypass() -> None:
        await server.call_tool(TOOL, ARGS, run_middleware=False)
        tool = await server.get_tool(TOOL)
        assert tool is not None
        await tool.run(ARGS)

    world.run(bypass())
    assert (world.ran, world.gateway.seen) == ([ARGS, ARGS], [])


class Changing(Middleware):
    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        arguments = {**context.message.arguments, "amount": 9}
        return await call_next(
            context.copy(message=context.message.model_copy(update={"arguments": arguments}))
        )


class Replacing(Middleware):
    async def __call__(self, context: Any, call_next: Any) -> Any:
        return await call_next(context)


class Listing(Middleware):
    async def on_list_tools(self, context: Any, call_next: Any) -> Any:
        return await call_next(context)


def test_what_another_middleware_changed_is_what_is_judged(world: World) -> None:
    call(world, server_of(world, world.client, before=[Changing()], after=[Listing()]), (TOOL, ARGS))
    assert world.ran == [{**ARGS, "amount": 9}]
    assert [request.document["args"] for request in world.gateway.seen] == world.ran


def patched() -> Middleware:
    """Its hook is that of the object, not of its class."""
    middleware: Any = Middleware()
    middleware.on_call_tool = Changing().on_call_tool
    return middleware


@pytest.mark.parametrize(
    "after", [Changing(), Replacing(), patched()], ids=["on_call_tool", "__call__", "on the object"]
)
def test_nothing_runs_while_a_middleware_comes_after_it(world: World, after: Middleware) -> None:
    read = call(world, server_of(world, world.client, after=[after]), (TOOL, ARGS))
    assert (world.ran, world.gateway.seen) == ([], [])
    assert "must be the last entry" in read[0]


def test_a_mounted_server_is_judged_by_the_one_that_mounts_it(world: World) -> None:
    child: FastMCP[Any] = FastMCP("Child")
    child.tool(world.refund, name=TOOL)
    parent = server_of(world, world.meet(DENIED))
    parent.mount(child, namespace="child")
    assert "Not this one" in call(world, parent, (f"child_{TOOL}", ARGS))[0]
    assert [request.document["tool"] for request in world.gateway.seen] == [f"child_{TOOL}"]
    # Directly, it is reached by nobody's leave: this is what the documentation warns of.
    call(world, child, (TOOL, ARGS))
    assert world.ran == [ARGS]


def test_a_mounted_server_may_have_a_governance_of_its_own(world: World) -> None:
    parent: FastMCP[Any] = FastMCP("Parent")
    parent.mount(server_of(world, world.meet(DENIED)), namespace="child")
    assert "Not this one" in call(world, parent, (f"child_{TOOL}", ARGS))[0]
    assert world.ran == []


def mounted(child: FastMCP[Any], *, deep: bool, **options: Any) -> FastMCP[Any]:
    if not deep:
        return child
    middle: FastMCP[Any] = FastMCP("Middle")
    middle.mount(child, **options)
    return middle


@pytest.mark.parametrize("deep", [False, True], ids=["child", "grandchild"])
def test_nothing_runs_while_a_mounted_server_could_change_the_call(world: World, deep: bool) -> None:
    child: FastMCP[Any] = FastMCP("Child", middleware=[Changing()])
    child.tool(world.refund, name=TOOL)
    parent = server_of(world, world.client)
    parent.mount(mounted(child, deep=deep, namespace="inner"), namespace="child")
    tool = f"child_inner_{TOOL}" if deep else f"child_{TOOL}"
    assert "middleware of the server Child" in call(world, parent, (tool, ARGS))[0]
    assert (world.ran, world.gateway.seen) == ([], [])


def test_a_mounted_server_with_a_governance_at_its_end_may_have_middleware(world: World) -> None:
    child = server_of(world, world.client, before=[Changing()])
    parent = server_of(world, world.client)
    parent.mount(mounted(child, deep=True, tool_names={TOOL: "pay"}), namespace="child")
    call(world, parent, ("child_pay", ARGS))
    assert world.ran == [{**ARGS, "amount": 9}]
    judged = [(request.document["tool"], request.document["args"]["amount"]) for request in world.gateway.seen]
    assert judged == [("child_pay", 5), (TOOL, 9)]


def shop_of(world: World, how: str) -> FastMCP[Any]:
    """A server with a tool of an app, which it lists as it is or under a name of its own."""
    app = FastMCPApp("shop")
    app.tool(world.refund, name=TOOL, model=True)
    server: FastMCP[Any] = FastMCP("Shop", middleware=[Governance("agent-1", client=world.client)])
    if how == "mounted":
        child: FastMCP[Any] = FastMCP("Child")
        child.add_provider(app)
        server.mount(child, namespace="pay")
        return server
    server.add_provider(app, namespace="pay" if how == "namespace" else "")
    if how == "renamed":
        server.add_transform(ToolTransform({TOOL: ToolTransformConfig(name=f"pay_{TOOL}")}))
    return server


@pytest.mark.parametrize("how", ["plain", "namespace", "mounted", "renamed"])
def test_the_second_name_of_a_tool_leads_past_no_rule(world: World, how: str) -> None:
    listed = TOOL if how == "plain" else f"pay_{TOOL}"
    server = shop_of(world, how)
    world.gateway.reply = lambda request: (
        DENIED.reply(request) if request.document["tool"] == listed else scripted(request)
    )
    read = call(world, server, (listed, ARGS), (hashed_backend_name("shop", TOOL), ARGS))
    assert "Not this one" in read[0]
    # Early releases do not find out the other name, so that the call is refused.
    assert "Not this one" in read[1] or "under another name" in read[1]
    assert world.ran == []


@pytest.mark.parametrize("how", ["plain", "namespace", "mounted", "renamed"])
def test_a_tool_runs_by_its_second_name(world: World, how: str) -> None:
    (read,) = call(world, shop_of(world, how), (hashed_backend_name("shop", TOOL), ARGS))
    if how != "plain" and "under another name" in read:
        assert (world.ran, world.gateway.seen) == ([], [])
        return
    assert read == "refunded 5"
    assert [request.document["tool"] for request in world.gateway.seen] == [
        TOOL if how == "plain" else f"pay_{TOOL}"
    ]


def test_a_failing_tool_is_reported_as_failed(world: World) -> None:
    server = server_of(world, world.client)

    @server.tool
    def fail() -> str:
        raise ValueError("no money")

    assert "no money" in call(world, server, ("fail", {}))[0]
    world.wait_for_outcomes("failed")


def test_an_unknown_tool_and_a_wrong_argument_run_nothing(world: World) -> None:
    call(world, server_of(world, world.client), ("no_such_tool", {}), (TOOL, {**ARGS, "amount": "zz"}))
    assert world.ran == []
    world.wait_for_outcomes("failed", "failed")


def test_the_connection_is_the_session_where_the_protocol_has_sessions(world: World) -> None:
    server = server_of(world, world.client)
    for _ in range(2):
        call(world, server, (TOOL, ARGS), (TOOL, ARGS), mode="legacy")
    first, second, third, fourth = world.sessions()
    assert first == second != third == fourth
    assert None not in (first, third)
    assert len(set(world.keys())) == 4


def test_a_request_may_say_its_session(world: World) -> None:
    def session(context: Any) -> str:
        return str(context.message.arguments["order"])

    call(world, server_of(world, world.client, governance={"session": session}), (TOOL, ARGS))
    assert world.sessions() == ["o-1"]


def test_a_session_that_cannot_be_read_runs_nothing(world: World) -> None:
    def session(_: Any) -> str:
        raise RuntimeError("secret")

    read = call(world, server_of(world, world.client, governance={"session": session}), (TOOL, ARGS))
    assert world.ran == []
    assert read == ["The call was not run, because session= of its Governance failed."]


def test_parallel_calls_are_judged_one_by_one(world: World) -> None:
    import asyncio

    server = server_of(world, world.client)
    world.gateway.reply = lambda request: (
        DENIED.reply(request) if request.document["args"]["amount"] == 2 else scripted(request)
    )

    async def calling() -> None:
        async with McpClient(server) as client:
            amounts = ({"order": "o-1", "amount": amount} for amount in (1, 2, 3))
            await asyncio.gather(*(client.call_tool_mcp(TOOL, args) for args in amounts))

    world.run(calling())
    assert sorted(each["amount"] for each in world.ran) == [1, 3]


def test_the_hook_is_that_of_the_framework() -> None:
    """A misspelled hook would be passed by, and so would one behind a `__call__` of its own."""
    assert Governance.on_call_tool is not Middleware.on_call_tool
    assert Governance.__call__ is Middleware.__call__


def test_a_call_that_is_cancelled_while_it_asks_runs_nothing(world: World) -> None:
    server = server_of(world, world.client)

    async def calling() -> None:
        async with McpClient(server) as client:
            await client.call_tool_mcp(TOOL, ARGS)

    check_cancelled(world, calling)


@pytest.mark.parametrize("case", [ALLOWED, DENIED], ids=describe)
def test_a_tool_of_a_class_of_its_own_is_judged(world: World, case: AnswerCase) -> None:
    class Own(FunctionTool):
        async def run(self, arguments: dict[str, Any]) -> ToolResult:
            text = world.refund(**arguments)
            return ToolResult(content=text, structured_content={"result": text})

    server: FastMCP[Any] = FastMCP("Shop", middleware=[Governance("agent-1", client=world.meet(case))])
    server.add_tool(Own(**dict(FunctionTool.from_function(world.refund, name=TOOL))))
    world.check(case, Seen(call(world, server, (TOOL, ARGS)), "", FINAL))
    assert len(world.gateway.seen) == 1


class Failing(Middleware):
    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        raise RuntimeError("a middleware of somebody else")


def test_an_earlier_middleware_that_raises_runs_nothing(world: World) -> None:
    with pytest.raises(Exception, match="Internal server error"):
        call(world, server_of(world, world.client, before=[Failing()]), (TOOL, ARGS))
    assert world.ran == []
