"""
An agent on the Claude Agent SDK whose tool calls are judged. It runs Claude Code itself, and a script on this
machine answers in place of the model, so that it needs no key.

    pip install './clients/python[claude-agent-sdk]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_claude_agent_sdk.py
"""

import asyncio
import json
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool
from svc_client.integrations.claude_agent_sdk import govern


@tool("refund", "Pays money back to a card.", {"order": str, "amount": int, "card": str})
async def refund(args):
    print(f"ran: refund {args['order']} {args['amount']} {args['card']}")
    return {"content": [{"type": "text", "text": f"refunded {args['amount']}"}]}


@tool("send_mail", "Sends a mail.", {"to": str, "text": str})
async def send_mail(args):
    print(f"ran: send_mail {args['to']}")
    return {"content": [{"type": "text", "text": "sent"}]}


CARD = "4111111111111234"
SCRIPT = [
    ("mcp__shop__refund", {"order": "o-1", "amount": 5, "card": CARD}),
    ("mcp__shop__refund", {"order": "o-2", "amount": 900, "card": CARD}),
    ("mcp__shop__send_mail", {"to": "a@b.example", "text": "Your refund is on its way."}),
]
USAGE = {"input_tokens": 1, "output_tokens": 1}


class ScriptedModel(BaseHTTPRequestHandler):
    """Makes one call of the script in each turn, in the form of the API."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        blocks = [block for message in asked["messages"] for block in message["content"]]
        results = [
            each["content"] for each in blocks if isinstance(each, dict) and each["type"] == "tool_result"
        ]
        if results:
            last = results[-1]
            print(f"the model read: {last if isinstance(last, str) else last[0]['text']}")
        events = "".join(
            f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in turn(len(results))
        )
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(events.encode())

    def log_message(self, *args): ...


def turn(at):
    is_over = at == len(SCRIPT)
    message = {"id": f"msg-{at}", "type": "message", "role": "assistant", "model": "scripted", "content": []}
    yield {"type": "message_start", "message": {**message, "usage": USAGE}}
    if is_over:
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        delta = {"type": "text_delta", "text": "The mail waits."}
    else:
        name, args = SCRIPT[at]
        call = {"type": "tool_use", "id": f"call-{at}", "name": name, "input": {}}
        yield {"type": "content_block_start", "index": 0, "content_block": call}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(args)}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    stop = {"stop_reason": "end_turn" if is_over else "tool_use", "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": USAGE}
    yield {"type": "message_stop"}


async def main(url, home):
    options = ClaudeAgentOptions(
        mcp_servers={"shop": create_sdk_mcp_server("shop", tools=[refund, send_mail])},
        allowed_tools=["mcp__shop__refund", "mcp__shop__send_mail"],
        tools=[],
        setting_sources=[],
        cwd=home,
        env={
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CONFIG_DIR": home,
        },
    )
    names = {f"mcp__shop__{name}": name for name in ("refund", "send_mail")}
    governed = govern(options, "refund-bot", names=names)
    async for _ in query(prompt="Pay back both orders, and tell the customer.", options=governed):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), ScriptedModel)
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory() as home:
    asyncio.run(main(f"http://127.0.0.1:{server.server_port}", home))
