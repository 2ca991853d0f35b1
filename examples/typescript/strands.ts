/**
 * An agent on Strands whose tool calls are judged. Its model is a script, so that it needs no key of a
 * provider.
 * The package is made in the clone, the folder CLONE, as examples/README.md says.
 *
 *     npm install ../CLONE/svc-client-0.1.0.tgz @strands-agents/sdk zod
 *     SVC_URL=http://localhost:8080 SVC_API_KEY=... node strands.ts
 */
import { Agent, type Message, Model, type ModelStreamEvent, tool } from "@strands-agents/sdk";
import { governed } from "@svc/client/strands";
import { z } from "zod";

const refund = tool({
  name: "refund",
  description: "Pays money back to a card",
  inputSchema: z.object({ order: z.string(), amount: z.number(), card: z.string() }),
  callback: ({ order, amount, card }) => {
    console.log(`ran: refund ${order} ${amount} ${card}`);
    return `refunded ${amount}`;
  },
});

const sendMail = tool({
  name: "send_mail",
  description: "Sends a mail",
  inputSchema: z.object({ to: z.string(), text: z.string() }),
  callback: ({ to }) => {
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
class ScriptedModel extends Model {
  override updateConfig() {}
  override getConfig() {
    return { modelId: "scripted" };
  }
  override async *stream(messages: Message[]): AsyncGenerator<ModelStreamEvent> {
    const results = messages
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === "toolResultBlock");
    const last = results.at(-1);
    if (last?.type === "toolResultBlock") console.log(`the model read: ${JSON.stringify(last.content)}`);
    const { name, args } = SCRIPT[results.length] ?? { name: "refund", args: {} };
    const start = { type: "toolUseStart" as const, name, toolUseId: `call-${results.length}` };
    yield { type: "modelMessageStartEvent", role: "assistant" };
    yield { type: "modelContentBlockStartEvent", start };
    const delta = { type: "toolUseInputDelta" as const, input: JSON.stringify(args) };
    yield { type: "modelContentBlockDeltaEvent", delta };
    yield { type: "modelContentBlockStopEvent" };
    yield { type: "modelMessageStopEvent", stopReason: "toolUse" };
  }
}

const agent = governed(new Agent({ model: new ScriptedModel(), tools: [refund, sendMail], printer: false }), {
  agentId: "refund-bot",
  sessionId: "strands-7",
});
const { interrupts = [] } = await agent.invoke("Pay back both orders, and tell the customer.");
// After the approval, agent.invoke([{ interruptResponse: { interruptId, response } }]) asks again and goes
// on.
for (const { reason } of interrupts)
  console.log(`waits for approval: ${(reason as { approval_url: string }).approval_url}`);
