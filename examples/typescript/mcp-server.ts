/**
 * An MCP server whose tool calls are judged. Its client is a script.
 * The package is made in the clone, the folder CLONE, as examples/README.md says.
 *
 *     npm install ../CLONE/svc-client-0.1.0.tgz @modelcontextprotocol/server @modelcontextprotocol/client zod
 *     SVC_URL=http://localhost:8080 SVC_API_KEY=... node mcp-server.ts
 */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { governed } from "@svc/client/mcp-server";
import { z } from "zod";

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });

// Before the first tool is registered.
const server = governed(new McpServer({ name: "shop", version: "1.0.0" }), {
  agentId: "refund-bot",
  sessionId: "mcp-server-7",
});

server.registerTool(
  "refund",
  {
    description: "Pays money back to a card",
    inputSchema: z.object({ order: z.string(), amount: z.number(), card: z.string() }),
  },
  async ({ order, amount, card }) => {
    console.log(`ran: refund ${order} ${amount} ${card}`);
    return said(`refunded ${amount}`);
  },
);

server.registerTool(
  "send_mail",
  { description: "Sends a mail", inputSchema: z.object({ to: z.string(), text: z.string() }) },
  async ({ to }) => {
    console.log(`ran: send_mail ${to}`);
    return said("sent");
  },
);

const [near, far] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: "agent", version: "1.0.0" });
await Promise.all([server.connect(far), client.connect(near)]);

const card = "4111111111111234";
const SCRIPT = [
  { name: "refund", arguments: { order: "o-1", amount: 5, card } },
  { name: "refund", arguments: { order: "o-2", amount: 900, card } },
  { name: "send_mail", arguments: { to: "a@b.example", text: "Your refund is on its way." } },
];
for (const call of SCRIPT) {
  const { content } = await client.callTool(call);
  console.log(`the model read: ${JSON.stringify(content)}`);
}
await client.close();
