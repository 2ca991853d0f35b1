"""
A crew of CrewAI whose tool calls are judged. Its model is a script, so that it needs no key of a provider.

    pip install './clients/python[crewai]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_crewai.py
"""

import json

from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import tool
from svc_client import session
from svc_client.integrations.crewai import govern_crew


@tool("refund")
def refund(order: str, amount: int, card: str) -> str:
    """Pays money back to a card."""
    print(f"ran: refund {order} {amount} {card}")
    return f"refunded {amount}"


@tool("send_mail")
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


class ScriptedModel(BaseLLM):
    """Makes one call of the script in each turn."""

    def supports_function_calling(self):
        return True

    def call(self, messages, *args, **options):
        results = [message["content"] for message in messages if message["role"] == "tool"]
        if results:
            print(f"the model read: {results[-1]}")
        # The mail waits for its approval, and a later run may send it.
        if len(results) == len(SCRIPT):
            return "The mail waits."
        name, args = SCRIPT[len(results)]
        function = {"name": name, "arguments": json.dumps(args)}
        return [{"id": f"call-{len(results)}", "type": "function", "function": function}]


clerk = Agent(
    role="Clerk",
    goal="Pay back what customers are owed.",
    backstory="Knows every order.",
    llm=ScriptedModel(model="scripted"),
    tools=[refund, send_mail],
)
task = Task(
    description="Pay back both orders, and tell the customer.", expected_output="A word.", agent=clerk
)
crew = govern_crew(Crew(agents=[clerk], tasks=[task]), "refund-bot")
with session("conversation-7"):
    crew.kickoff()
