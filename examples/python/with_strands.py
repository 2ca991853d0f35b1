"""
An agent on Strands whose tool calls are judged. Its model is a script, so that it needs no key of a provider.

    pip install './clients/python[strands]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_strands.py
"""

import json

from strands import Agent, tool
from strands.models import Model
from svc_client import session
from svc_client.integrations.strands import Governance


@tool
def refund(order: str, amount: int, card: str) -> str:
    """Pays money back to a card."""
    print(f"ran: refund {order} {amount} {card}")
    return f"refunded {amount}"


@tool
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


class ScriptedModel(Model):
    """Makes one call of the script in each turn."""

    def update_config(self, **config): ...

    def get_config(self):
        return {}

    def structured_output(self, *args, **options):
        raise NotImplementedError

    async def stream(self, messages, *args, **options):
        blocks = [block for message in messages for block in message["content"]]
        results = [block["toolResult"] for block in blocks if "toolResult" in block]
        if results:
            print(f"the model read: {results[-1]['content'][0]['text']}")
        name, args = SCRIPT[len(results)]
        call = {"toolUseId": f"call-{len(results)}", "name": name}
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": {"toolUse": call}}}
        yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(args)}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use"}}


agent = Agent(
    ScriptedModel(),
    tools=[refund, send_mail],
    hooks=[Governance("refund-bot")],
    callback_handler=None,
)
with session("conversation-7"):
    result = agent("Pay back both orders, and tell the customer.")
# After the approval, agent([{"interruptResponse": {"interruptId": ..., "response": ""}}]) asks again and goes on.
print(f"waits for approval: {result.interrupts[0].reason['approval_url']}")
