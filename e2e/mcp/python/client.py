"""A real Python client of MCP, driven line by line: a command in JSON on stdin, its outcome in JSON on stdout."""

import asyncio
import json
import sys

SECONDS = 15


async def serve(list_tools, call_tool):
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        try:
            answer = await asyncio.wait_for(run(list_tools, call_tool, command), SECONDS)
        except Exception as error:
            data = getattr(error, "error", error)
            answer = {"error": str(error) or type(error).__name__, "code": getattr(data, "code", None)}
        print(json.dumps(answer), flush=True)


async def run(list_tools, call_tool, command):
    if command["do"] == "list":
        tools = await list_tools()
        return {"tools": [tool.name for tool in getattr(tools, "tools", tools)]}
    result = await call_tool(command["tool"], command["args"])
    return {"text": "".join(getattr(part, "text", "") for part in result.content)}


async def with_sdk_1(url):
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async with streamablehttp_client(url) as (incoming, outgoing, _):
        async with ClientSession(incoming, outgoing) as session:
            await session.initialize()
            await serve(session.list_tools, session.call_tool)


async def with_sdk_2(url, mode):
    from mcp import Client

    async with Client(url, mode=mode) as client:
        await serve(client.list_tools, client.call_tool)


async def with_fastmcp(url):
    from fastmcp import Client

    async with Client(url) as client:

        async def call_tool(name, args):
            return await client.call_tool(name, args, raise_on_error=False)

        await serve(client.list_tools, call_tool)


CLIENTS = {
    "sdk-1": with_sdk_1,
    "sdk-2-sessions": lambda url: with_sdk_2(url, "legacy"),
    "sdk-2-stateless": lambda url: with_sdk_2(url, "2026-07-28"),
    "fastmcp": with_fastmcp,
}

asyncio.run(CLIENTS[sys.argv[1]](sys.argv[2]))
