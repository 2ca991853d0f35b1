/**
 * An agent on the Claude Agent SDK whose tool calls are judged. Claude Code is played by a script, so that
 * it needs no key. Without the two options it is Claude Code itself.
 * The package is made in the clone, the folder CLONE, as examples/README.md says.
 *
 *     npm install ../CLONE/svc-client-0.1.0.tgz @anthropic-ai/claude-agent-sdk zod
 *     SVC_URL=http://localhost:8080 SVC_API_KEY=... node claude-agent.ts
 */
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { governed } from "@svc/client/claude-agent";
import { z } from "zod";
import { scriptedClaudeCode } from "./scripted-claude-code.ts";

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });

const refund = tool(
  "refund",
  "Pays money back to a card",
  { order: z.string(), amount: z.number(), card: z.string() },
  async ({ order, amount, card }) => {
    console.log(`ran: refund ${order} ${amount} ${card}`);
    return said(`refunded ${amount}`);
  },
);

const sendMail = tool("send_mail", "Sends a mail", { to: z.string(), text: z.string() }, async ({ to }) => {
  console.log(`ran: send_mail ${to}`);
  return said("sent");
});

const card = "4111111111111234";
const SCRIPT = [
  { id: "call-0", name: "mcp__shop__refund", args: { order: "o-1", amount: 5, card } },
  { id: "call-1", name: "mcp__shop__refund", args: { order: "o-2", amount: 900, card } },
  {
    id: "call-2",
    name: "mcp__shop__send_mail",
    args: { to: "a@b.example", text: "Your refund is on its way." },
  },
];

const options = governed(
  {
    mcpServers: { shop: createSdkMcpServer({ name: "shop", tools: [refund, sendMail] }) },
    pathToClaudeCodeExecutable: "scripted",
    spawnClaudeCodeProcess: scriptedClaudeCode(SCRIPT, "claude-agent-7"),
  },
  {
    agentId: "refund-bot",
    // What policies call the tools.
    names: { mcp__shop__refund: "refund", mcp__shop__send_mail: "send_mail" },
  },
);
for await (const message of query({ prompt: "Pay back both orders, and tell the customer.", options })) {
  if (message.type !== "result" || message.subtype !== "success") continue;
  for (const text of JSON.parse(message.result) as string[]) console.log(`the model read: ${text}`);
  break;
}
