"""
An agent on Microsoft Agent Framework whose tool calls are judged. Its model is a script, so that it needs no key
of a provider.

    pip install './clients/python[agent-framework]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_agent_framework.py
"""

import asyncio

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
)
from svc_client.integrations.agent_framework import governance


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


class ScriptedModel(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """Makes one call of the script in each turn."""

    async def _inner_get_response(self, *, messages, **options):
        contents = [content for message in messages for content in message.contents]
        results = [content.result for content in contents if content.type == "function_result"]
        if results:
            print(f"the model read: {results[-1]}")
        name, args = SCRIPT[len(results)]
        call = Content.from_function_call(call_id=f"call-{len(results)}", name=name, arguments=args)
        return ChatResponse(messages=[Message(role="assistant", contents=[call])])


async def main():
    agent = Agent(ScriptedModel(), tools=[refund, send_mail], middleware=governance("refund-bot"))
    response = await agent.run(
        "Pay back both orders, and tell the customer.", session=agent.create_session()
    )
    (request,) = response.user_input_requests
    # After the approval, agent.run(request.to_function_approval_response(True)) asks again and goes on.
    print(f"waits for approval: {request.additional_properties['approval_url']}")


asyncio.run(main())
