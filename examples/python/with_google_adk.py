"""
An agent on Google ADK whose tool calls are judged. Its model is a script, so that it needs no key of a provider.

    pip install './clients/python[google-adk]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_google_adk.py
"""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from svc_client.integrations.google_adk import Governance


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


class ScriptedModel(BaseLlm):
    """Makes one call of the script in each turn."""

    async def generate_content_async(self, llm_request, stream=False):
        parts = [part for content in llm_request.contents for part in content.parts]
        results = [part.function_response.response for part in parts if part.function_response]
        if results:
            print(f"the model read: {results[-1].get('result') or results[-1].get('error')}")
        name, args = SCRIPT[len(results)]
        call = types.Part.from_function_call(name=name, args=args)
        yield LlmResponse(content=types.Content(role="model", parts=[call]))


agent = LlmAgent(name="clerk", model=ScriptedModel(model="scripted"), tools=[refund, send_mail])
app = App(name="shop", root_agent=agent, plugins=[Governance("refund-bot")])


async def main():
    runner = InMemoryRunner(app=app)
    chat = await runner.session_service.create_session(app_name="shop", user_id="user-1")
    ask = types.Content(role="user", parts=[types.Part(text="Pay back both orders, and tell the customer.")])
    async for event in runner.run_async(user_id="user-1", session_id=chat.id, new_message=ask):
        # After the approval, any response to this function call asks again and goes on.
        for call in event.get_function_calls():
            if call.name == "adk_request_confirmation":
                print(f"waits for approval: {call.args['toolConfirmation']['payload']['approval_url']}")


asyncio.run(main())
