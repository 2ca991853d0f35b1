/**
 * The tool calls of a program with the AI SDK are judged. Its model is a script, so that it needs no key of a
 * provider.
 * The package is made in the clone, the folder CLONE, as examples/README.md says.
 *
 *     npm install ../CLONE/svc-client-0.1.0.tgz ai@7 zod
 *     SVC_URL=http://localhost:8080 SVC_API_KEY=... node ai-sdk.ts
 */
import { governed } from "@svc/client/ai-sdk";
import { generateText, stepCountIs, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";

const refund = tool({
  description: "Pays money back to a card",
  inputSchema: z.object({ order: z.string(), amount: z.number(), card: z.string() }),
  execute: async ({ order, amount, card }) => {
    console.log(`ran: refund ${order} ${amount} ${card}`);
    return `refunded ${amount}`;
  },
});

const send_mail = tool({
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

/** Makes one call of the script in each turn. */
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
    const last = results.at(-1);
    if (last?.type === "tool-result" && "value" in last.output)
      console.log(`the model read: ${String(last.output.value)}`);
    const { toolName, args } = SCRIPT[results.length] ?? { toolName: "refund", args: {} };
    const call = { toolCallId: `call-${results.length}`, toolName, input: JSON.stringify(args) };
    return {
      content: [{ type: "tool-call" as const, ...call }],
      finishReason: { unified: "tool-calls" as const, raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    };
  },
});

await generateText({
  model,
  prompt: "Pay back both orders, and tell the customer.",
  stopWhen: stepCountIs(5),
  ...governed(
    { refund, send_mail },
    {
      agentId: "refund-bot",
      sessionId: "ai-sdk-7",
      onPause: ({ approval_url }) => console.log(`waits for approval: ${approval_url}`),
    },
  ),
});
// The result has a part of the type tool-approval-request. After the approval, a message with a
// tool-approval-response makes generateText ask again and go on.
