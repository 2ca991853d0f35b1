"""
An agent on LlamaIndex whose tool calls are judged. Its model is a script, so that it needs no key of a provider.

    pip install './clients/python[llama-index]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_llama_index.py
"""

import asyncio

import svc_client
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.llms.mock import MockFunctionCallingLLM
from svc_client.integrations.llama_index import Governance


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


class ScriptedModel(MockFunctionCallingLLM):
    """Makes one call of the script in each turn."""

    async def astream_chat_with_tools(self, tools, chat_history=None, **options):
        results = [each for each in chat_history if each.role == "tool"]
        if results:
            print(f"the model read: {results[-1].content}")

        async def stream():
            yield ChatResponse(message=ChatMessage(role="assistant", content=""), raw=len(results))

        return stream()

    def get_tool_calls_from_response(self, response, **options):
        if response.raw == len(SCRIPT):
            return []
        name, args = SCRIPT[response.raw]
        return [ToolSelection(tool_id=f"call-{response.raw}", tool_name=name, tool_kwargs=args)]


agent = FunctionAgent(
    llm=ScriptedModel(),
    tools=Governance("refund-bot").govern([refund, send_mail]),
)


async def main():
    with svc_client.session("conversation-7"):
        await agent.run("Pay back both orders, and tell the customer.")


asyncio.run(main())
