"""Times bare exchanges and questions of the Python client in turns. Arguments: address, rounds, calls of a round.

Prints one line of JSON for each round: nanoseconds of one exchange with http.client, one with the streams of asyncio, one
with each library of HTTP for asyncio that is installed, one question of Client and one of AsyncClient.
"""

from __future__ import annotations

import asyncio
import http.client
import importlib.util
import json
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

from svc_client import AsyncClient, Client

url, rounds, calls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
PATH = "/api/v1/gateway/execute"
ARGS = {"order": "o-1", "amount": 5}
BODY = json.dumps({"agent_id": "agent-1", "tool": "payments.refund", "args": ARGS}).encode()
HEADERS = {"content-type": "application/json", "accept": "application/json"}

TIMEOUT_S = 5.0
"""The decision timeout of the client, which every library keeps as well."""

Exchange = Callable[[], Awaitable[object]]


def per_call(began: int) -> float:
    return (time.perf_counter_ns() - began) / calls


def bare(connection: http.client.HTTPConnection) -> float:
    began = time.perf_counter_ns()
    for _ in range(calls):
        connection.request("POST", PATH, BODY, HEADERS)
        json.loads(connection.getresponse().read())
    return per_call(began)


def governed(client: Client) -> float:
    began = time.perf_counter_ns()
    for _ in range(calls):
        client.execute("payments.refund", ARGS, "agent-1")
    return per_call(began)


async def timed(exchange: Exchange) -> float:
    began = time.perf_counter_ns()
    for _ in range(calls):
        await exchange()
    return per_call(began)


async def with_streams(_: AsyncExitStack) -> Exchange:
    """Looks for the length alone, checks nothing and keeps no time: no program could use it as it is."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    lines = [f"POST {PATH} HTTP/1.1", f"host: {parts.netloc}", f"content-length: {len(BODY)}"]
    head = "\r\n".join([*lines, *(f"{name}: {value}" for name, value in HEADERS.items()), "", ""]).encode()

    async def exchange() -> None:
        writer.write(head + BODY)
        answer = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(answer.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        json.loads(await reader.readexactly(length))

    return exchange


async def with_aiohttp(stack: AsyncExitStack) -> Exchange:
    import aiohttp

    timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
    session = await stack.enter_async_context(aiohttp.ClientSession(timeout=timeout))

    async def exchange() -> None:
        async with session.post(url + PATH, data=BODY, headers=HEADERS) as answer:
            await answer.json()

    return exchange


async def with_httpx(stack: AsyncExitStack) -> Exchange:
    import httpx

    client = await stack.enter_async_context(httpx.AsyncClient(timeout=TIMEOUT_S))

    async def exchange() -> None:
        (await client.post(url + PATH, content=BODY, headers=HEADERS)).json()

    return exchange


LIBRARIES = {"aiohttp": with_aiohttp, "httpx": with_httpx}


async def main() -> None:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    client, async_client = Client(url), AsyncClient(url, None)
    async with AsyncExitStack() as stack:
        exchanges: dict[str, Exchange] = {"bare_async": await with_streams(stack)}
        for name, begin in LIBRARIES.items():
            if importlib.util.find_spec(name) is not None:
                exchanges[name] = await begin(stack)
        exchanges["async"] = lambda: async_client.execute("payments.refund", ARGS, "agent-1")
        for number in range(rounds + 1):
            times = {"bare": bare(connection), "sync": governed(client)}
            for name, exchange in exchanges.items():
                times[name] = await timed(exchange)
            # The first round opens connections and loads modules.
            if number > 0:
                print(json.dumps(times), flush=True)


asyncio.run(main())
