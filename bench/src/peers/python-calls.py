"""Times bare exchanges and questions of the Python client in turns. Arguments: address, rounds, calls of a round.

Prints one line of JSON for each round: nanoseconds of one exchange with http.client, one with the streams of
asyncio, one question of Client and one of AsyncClient.
"""

import asyncio
import http.client
import json
import sys
import time
from urllib.parse import urlsplit

from svc_client import AsyncClient, Client

url, rounds, calls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
ARGS = {"order": "o-1", "amount": 5}
BODY = json.dumps({"agent_id": "agent-1", "tool": "payments.refund", "args": ARGS}).encode()
HEADERS = {"content-type": "application/json", "accept": "application/json"}


def per_call(began: int) -> float:
    return (time.perf_counter_ns() - began) / calls


def bare(connection: http.client.HTTPConnection) -> float:
    began = time.perf_counter_ns()
    for _ in range(calls):
        connection.request("POST", "/api/v1/gateway/execute", BODY, HEADERS)
        json.loads(connection.getresponse().read())
    return per_call(began)


def governed(client: Client) -> float:
    began = time.perf_counter_ns()
    for _ in range(calls):
        client.execute("payments.refund", ARGS, "agent-1")
    return per_call(began)


async def bare_async(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str) -> float:
    lines = ["POST /api/v1/gateway/execute HTTP/1.1", f"host: {host}", f"content-length: {len(BODY)}"]
    head = "\r\n".join([*lines, *(f"{name}: {value}" for name, value in HEADERS.items()), "", ""]).encode()
    began = time.perf_counter_ns()
    for _ in range(calls):
        writer.write(head + BODY)
        answer = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(answer.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        json.loads(await reader.readexactly(length))
    return per_call(began)


async def governed_async(client: AsyncClient) -> float:
    began = time.perf_counter_ns()
    for _ in range(calls):
        await client.execute("payments.refund", ARGS, "agent-1")
    return per_call(began)


async def main() -> None:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    client, async_client = Client(url), AsyncClient(url, None)
    for number in range(rounds + 1):
        times = {
            "bare": bare(connection),
            "sync": governed(client),
            "bare_async": await bare_async(reader, writer, parts.netloc),
            "async": await governed_async(async_client),
        }
        # The first round opens connections and loads modules.
        if number > 0:
            print(json.dumps(times), flush=True)


asyncio.run(main())
