/**
 * An agent on Mastra whose tool calls are judged. Its model is a script, so that it needs no key of a
 * provider.
 * The package is made in the clone, the folder CLONE, as examples/README.md says.
 *
 *     npm install ../CLONE/svc-client-0.1.0.tgz @mastra/core ai zod
 *     SVC_URL=http://localhost:8080 SVC_API_KEY=... node mastra.ts
 */
import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { createTool } from "@mastra/core/tools";
import { governed } from "@svc/client/mastra";
import { MockLanguageModelV3 } from "ai/test";
import { z } from "zod";

const refund = createTool({
  id: "refund",
  description: "Pays money back to a card",
  inputSchema: z.object({ order: z.string(), amount: z.number(), card: z.string() }),
  execute: async ({ order, amount, card }) => {
    console.log(`ran: refund ${order} ${amount} ${card}`);
    return `refunded ${amount}`;
  },
});

const send_mail = createTool({
  id: "send_mail",
  description: "Sends a mail",
  inputSchema: z.object({ to: z.string(), text: z.string() }),
  execute: async ({ to }) => {
    console.log(`ran: send_mail ${to}`);
    return "sent";
  },
});

const card = "4111111111111234";
const SCRIPT = [
  { toolName: "refund", args: { order: "o-1", amount: 5, card } },
  { toolName: "refund", args: { order: "o-2", amount: 900, card } },
  { toolName: "send_mail", args: { to: "a@b.example", text: "Your refund is on its way." } },
];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Makes one call of the script in each turn. */
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
    const last = results.at(-1);
    if (last?.type === "tool-result") console.log(`the model read: ${JSON.stringify(last.output)}`);
    const call = SCRIPT[results.length];
    if (call === undefined)
      return {
        content: [{ type: "text", text: "done" }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      };
    const { toolName, args } = call;
    const made = { toolCallId: `call-${results.length}`, toolName, input: JSON.stringify(args) };
    return {
      content: [{ type: "tool-call", ...made }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage,
      warnings: [],
    };
  },
});

const agent = new Agent({
  id: "refunds",
  name: "refunds",
  instructions: "Handle refunds.",
  model: model as unknown as MastraModelConfig,
  tools: { refund, send_mail },
});
governed(agent, { agentId: "refund-bot", sessionId: "mastra-7" });
// A call that waits for a person is a result that the model reads. After the approval, the same call runs
// once.
await agent.generate("Pay back both orders, and tell the customer.", { maxSteps: 4 });
