"""
An agent on LangChain whose tool calls are judged. Its model is a script, so that it needs no key of a provider.

    pip install './clients/python[langchain]'
    SVC_URL=http://localhost:8080 SVC_API_KEY=... python examples/python/with_langchain.py
"""

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from svc_client.integrations.langchain import Governance


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


class ScriptedModel(BaseChatModel):
    """Makes one call of the script in each turn."""

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **options):
        return self

    def _generate(self, messages, *args, **options):
        results = [each for each in messages if isinstance(each, ToolMessage)]
        if results:
            print(f"the model read: {results[-1].content}")
        name, args = SCRIPT[len(results)]
        call = {"name": name, "args": args, "id": f"call-{len(results)}", "type": "tool_call"}
        message = AIMessage(content="", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=message)])


agent = create_agent(
    ScriptedModel(),
    [refund, send_mail],
    middleware=[Governance("refund-bot")],
    checkpointer=InMemorySaver(),
)
state = agent.invoke(
    {"messages": [("user", "Pay back both orders, and tell the customer.")]},
    {"configurable": {"thread_id": "conversation-7"}},
)
# After the approval, agent.invoke(Command(resume=None), ...) asks again and goes on.
print(f"waits for approval: {state['__interrupt__'][0].value['approval_url']}")
