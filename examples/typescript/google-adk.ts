/**
 * An agent on the Agent Development Kit whose tool calls are judged. Its model is a script, so that it
 * needs no key of a provider.
 * The package is made in the clone, the folder CLONE, as examples/README.md says.
 *
 *     npm install ../CLONE/svc-client-0.1.0.tgz @google/adk zod
 *     SVC_URL=http://localhost:8080 SVC_API_KEY=... node google-adk.ts
 */
import {
  BaseLlm,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
} from "@google/adk";
import { governance } from "@svc/client/google-adk";
import { z } from "zod";

const refund = new FunctionTool({
  name: "refund",
  description: "Pays money back to a card",
  parameters: z.object({ order: z.string(), amount: z.number(), card: z.string() }),
  execute: ({ order, amount, card }) => {
    console.log(`ran: refund ${order} ${amount} ${card}`);
    return `refunded ${amount}`;
  },
});

const sendMail = new FunctionTool({
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
class ScriptedModel extends BaseLlm {
  async *generateContentAsync({ contents }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const parts = contents.flatMap((content) => content.parts ?? []);
    const results = parts.flatMap(({ functionResponse }) => functionResponse?.response ?? []);
    if (results.length > 0) console.log(`the model read: ${JSON.stringify(results.at(-1))}`);
    const call = SCRIPT[results.length];
    const part =
      call === undefined ? { text: "done" } : { functionCall: { id: `call-${results.length}`, ...call } };
    yield { content: { role: "model", parts: [part] } };
  }
  connect(): never {
    throw new Error("no live connection");
  }
}

const agent = new LlmAgent({
  name: "refunds",
  model: new ScriptedModel({ model: "scripted" }),
  tools: [refund, sendMail],
});
const plugins = [governance({ agentId: "refund-bot" })];
const runner = new InMemoryRunner({ agent, appName: "refunds", plugins });
const session = await runner.sessionService.createSession({ appName: "refunds", userId: "u-1" });
const newMessage = { role: "user", parts: [{ text: "Pay back both orders, and tell the customer." }] };
// A call that waits for a person is a result that the model reads. After the approval, the same call runs
// once.
for await (const event of runner.runAsync({ userId: "u-1", sessionId: session.id, newMessage }))
  if (event.errorMessage !== undefined) throw new Error(event.errorMessage);
