"""
An agent on OpenAI Agents whose tool calls are judged. Its model is a script, so that it needs no key of a provider.

    pip install './clients/python[openai-agents]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_openai_agents.py
"""

import json

import svc_client
from agents import Runner, function_tool, set_tracing_disabled
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import ResponseFunctionToolCall
from svc_client.integrations.openai_agents import Governance, GovernedAgent

set_tracing_disabled(True)


@function_tool
def refund(order: str, amount: int, card: str) -> str:
    """Pays money back to a card."""
    print(f"ran: refund {order} {amount} {card}")
    return f"refunded {amount}"


@function_tool
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

    async def get_response(self, system_instructions, input, *args, **options):
        results = [each["output"] for each in input if "output" in each]
        if results:
            print(f"the model read: {results[-1]}")
        name, arguments = SCRIPT[len(results)]
        call = ResponseFunctionToolCall(
            type="function_call",
            call_id=f"call-{len(results)}",
            name=name,
            arguments=json.dumps(arguments),
        )
        return ModelResponse(output=[call], usage=Usage(), response_id=None)

    def stream_response(self, *args, **options):
        raise NotImplementedError


agent = GovernedAgent(
    name="Refunds",
    model=ScriptedModel(),
    tools=[refund, send_mail],
    governance=Governance("refund-bot"),
)
with svc_client.session("conversation-7"):
    result = Runner.run_sync(agent, "Pay back both orders, and tell the customer.")
# After the approval: state = result.to_state(); state.approve(...); Runner.run_sync(agent, state) asks again.
for interruption in result.interruptions:
    print(f"waits for approval: {interruption.tool_name}")
