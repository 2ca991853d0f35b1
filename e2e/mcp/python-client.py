"""A real Python client of MCP, driven line by line: a command in JSON on stdin, its outcome in JSON on stdout."""

import asyncio
import json
import sys

SECONDS = 15


async def serve(client):
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        try:
            answer = await asyncio.wait_for(run(client, command), SECONDS)
        except Exception as error:
            data = getattr(error, "error", error)
            answer = {"error": str(error) or type(error).__name__, "code": getattr(data, "code", None)}
        print(json.dumps(answer), flush=True)


async def run(client, command):
    if command["do"] == "list":
        return {"tools": [tool.name for tool in (await client.list_tools()).tools]}
    result = await client.call_tool(command["tool"], command["args"])
    return {"text": "".join(getattr(part, "text", "") for part in result.content)}


async def with_sdk_1(url):
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async with streamablehttp_client(url) as (incoming, outgoing, _):
        async with ClientSession(incoming, outgoing) as session:
            await session.initialize()
            await serve(session)


async def with_sdk_2(url):
    from mcp import Client

    async with Client(url) as client:
        await serve(client)


asyncio.run((with_sdk_1 if sys.argv[1] == "1" else with_sdk_2)(sys.argv[2]))
