/**
 * An agent on the OpenAI Agents SDK whose tool calls are judged. Its model is a script, so that it needs no
 * key of a provider.
 * The package is made in the clone, the folder CLONE, as examples/README.md says.
 *
 *     npm install ../CLONE/svc-client-0.1.0.tgz @openai/agents zod
 *     SVC_URL=http://localhost:8080 SVC_API_KEY=... node openai-agents.ts
 */
import {
  Agent,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  Runner,
  tool,
  Usage,
} from "@openai/agents";
import { governed } from "@svc/client/openai-agents";
import { z } from "zod";

const refund = tool({
  name: "refund",
  description: "Pays money back to a card",
  parameters: z.object({ order: z.string(), amount: z.number(), card: z.string() }),
  execute: ({ order, amount, card }) => {
    console.log(`ran: refund ${order} ${amount} ${card}`);
    return `refunded ${amount}`;
  },
});

const sendMail = tool({
  name: "send_mail",
  description: "Sends a mail",
  parameters: z.object({ to: z.string(), text: z.string() }),
  execute: ({ to }) => {
    console.log(`ran: send_mail ${to}`);
    return "sent";
  },
});

const card = "4111111111111234";
const SCRIPT = [
  { name: "refund", args: { order: "o-1", amount: 5, card } },
  { name: "refund", args: { order: "o-2", amount: 900, card } },
  { name: "send_mail", args: { to: "a@b.example", text: "Your refund is on its way." } },
];

/** Makes one call of the script in each turn. */
class ScriptedModel implements Model {
  async getResponse({ input }: ModelRequest) {
    const results = (input as AgentInputItem[]).filter((item) => item.type === "function_call_result");
    const last = results.at(-1)?.output;
    if (last !== undefined)
      console.log(`the model read: ${typeof last === "string" ? last : Reflect.get(last, "text")}`);
    const call = SCRIPT[results.length] ?? { name: "refund", args: {} };
    const name = { type: "function_call" as const, name: call.name, callId: `call-${results.length}` };
    const output = [{ ...name, status: "completed" as const, arguments: JSON.stringify(call.args) }];
    return { usage: new Usage(), output };
  }
  async *getStreamedResponse(): AsyncGenerator<never> {}
}

const model = new ScriptedModel();
const agent = governed(new Agent({ name: "refunds", model, tools: [refund, sendMail] }), {
  agentId: "refund-bot",
  // What the run is given as its context names the conversation.
  sessionId: (context) => (context as { conversation: string }).conversation,
  onPause: ({ approval_url }) => console.log(`waits for approval: ${approval_url}`),
});
const context = { conversation: "openai-agents-7" };
const runner = new Runner({ tracingDisabled: true });
await runner.run(agent, "Pay back both orders, and tell the customer.", { context });
// The result has interruptions. After the approval, result.state.approve(...) and
// runner.run(agent, result.state) ask again and go on.
