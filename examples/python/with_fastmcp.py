"""
An MCP server of FastMCP whose tool calls are judged, and a client that makes them from a script, so that it needs no
key of a provider.

    pip install './clients/python[fastmcp]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_fastmcp.py
"""

import asyncio

from fastmcp import Client, FastMCP
from svc_client.integrations.fastmcp import Governance

mcp = FastMCP("Shop", middleware=[Governance("refund-bot")])


@mcp.tool
def refund(order: str, amount: int, card: str) -> str:
    """Pays money back to a card."""
    print(f"ran: refund {order} {amount} {card}")
    return f"refunded {amount}"


@mcp.tool
def send_mail(to: str, text: str) -> str:
    """Sends a mail."""
    print(f"ran: send_mail {to}")
    return "sent"


CARD = "4111111111111234"
SCRIPT = [
    ("refund", {"order": "o-1", "amount": 5, "card": CARD}),
    ("refund", {"order": "o-2", "amount": 900, "card": CARD}),
    ("send_mail", {"to": "a@b.example", "text": "Your refund is on its way."}),
]


async def main():
    async with Client(mcp) as agent:
        for name, args in SCRIPT:
            result = await agent.call_tool(name, args, raise_on_error=False)
            print(f"the model read: {result.content[0].text}")


asyncio.run(main())
