"""
An agent on Pydantic AI whose tool calls are judged. Its model is a script, so that it needs no key of a provider.

    pip install './clients/python[pydantic-ai]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_pydantic_ai.py
"""

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from svc_client.integrations.pydantic_ai import Governance


def refund(order: str, amount: int, card: str) -> str:
    """Pays money back to a card."""
    print(f"ran: refund {order} {amount} {card}")
    return f"refunded {amount}"


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


def scripted_model(messages, info):
    """Makes one call of the script in each turn."""
    parts = [part for message in messages for part in message.parts]
    results = [part for part in parts if isinstance(part, ToolReturnPart)]
    if results:
        print(f"the model read: {results[-1].content}")
    name, args = SCRIPT[len(results)]
    return ModelResponse(parts=[ToolCallPart(name, args)])


agent = Agent(
    FunctionModel(scripted_model),
    tools=[refund, send_mail],
    output_type=[str, DeferredToolRequests],
    capabilities=[Governance("refund-bot")],
)
result = agent.run_sync("Pay back both orders, and tell the customer.", conversation_id="conversation-7")
# After the approval, agent.run_sync(message_history=..., deferred_tool_results=...) asks again and goes on.
for waiting in result.output.metadata.values():
    print(f"waits for approval: {waiting['approval_url']}")
