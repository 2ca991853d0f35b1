/**
 * An agent on LangChain whose tool calls are judged. Its model is a script, so that it needs no key of a
 * provider.
 * The package is made in the clone, the folder CLONE, as examples/README.md says.
 *
 *     npm install ../CLONE/svc-client-0.1.0.tgz langchain @langchain/core @langchain/langgraph zod
 *     SVC_URL=http://localhost:8080 SVC_API_KEY=... node langchain.ts
 */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { governed } from "@svc/client/langchain";
import { createAgent, tool } from "langchain";
import { z } from "zod";

const refund = tool(
  ({ order, amount, card }) => {
    console.log(`ran: refund ${order} ${amount} ${card}`);
    return `refunded ${amount}`;
  },
  {
    name: "refund",
    description: "Pays money back to a card",
    schema: z.object({ order: z.string(), amount: z.number(), card: z.string() }),
  },
);

const sendMail = tool(
  ({ to }) => {
    console.log(`ran: send_mail ${to}`);
    return "sent";
  },
  { name: "send_mail", description: "Sends a mail", schema: z.object({ to: z.string(), text: z.string() }) },
);

const card = "4111111111111234";
const SCRIPT = [
  { name: "refund", args: { order: "o-1", amount: 5, card } },
  { name: "refund", args: { order: "o-2", amount: 900, card } },
  { name: "send_mail", args: { to: "a@b.example", text: "Your refund is on its way." } },
];

/** Makes one call of the script in each turn. */
class ScriptedModel extends BaseChatModel {
  _llmType() {
    return "scripted";
  }
  override bindTools() {
    return this;
  }
  async _generate(messages: BaseMessage[]) {
    const results = messages.filter((message) => ToolMessage.isInstance(message));
    const last = results.at(-1);
    if (last !== undefined) console.log(`the model read: ${String(last.content)}`);
    const call = SCRIPT[results.length];
    const tool_calls = call === undefined ? [] : [{ ...call, id: `call-${results.length}` }];
    return { generations: [{ text: "", message: new AIMessage({ content: "", tool_calls }) }] };
  }
}

const agent = createAgent(
  governed(
    { model: new ScriptedModel({}), tools: [refund, sendMail], checkpointer: new MemorySaver() },
    { agentId: "refund-bot" },
  ),
);
const state = await agent.invoke(
  { messages: [{ role: "user", content: "Pay back both orders, and tell the customer." }] },
  { configurable: { thread_id: "langchain-7" } },
);
// After the approval, agent.invoke(new Command({ resume: null }), ...) asks again and goes on.
const [interrupt] =
  (state as { __interrupt__?: { value?: { approval_url?: string } }[] }).__interrupt__ ?? [];
if (interrupt !== undefined) console.log(`waits for approval: ${interrupt.value?.approval_url}`);
