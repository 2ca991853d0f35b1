import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { type AdapterOptions, governed } from "@svc/client/mcp-server";
import { z } from "zod";
import type { ModelCall } from "./cases.ts";
import type { Driver, Seen, Stage } from "./driver.ts";

const OPTIONS = { agentId: "agent-1", sessionId: "thread-1" };
const inputSchema = z.object({ amount: z.number(), to: z.string() });

const bare = () => new McpServer({ name: "bank", version: "1.0.0" });
const handlerOf =
  ({ pay }: Stage) =>
  async (args: unknown) => ({ content: [{ type: "text" as const, text: pay(args) }] });

function serverOf(stage: Stage): McpServer {
  const server = governed(bare(), { ...OPTIONS, client: stage.client });
  server.registerTool("pay", { description: "Pays", inputSchema }, handlerOf(stage));
  return server;
}

async function results(server: McpServer, calls: readonly ModelCall[]): Promise<string[]> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "agent", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  const answers = calls.map(({ tool: name, args }) => client.callTool({ name, arguments: { ...args } }));
  const texts = (await Promise.all(answers)).map(({ content }) => JSON.stringify(content));
  await client.close();
  return texts;
}

const run = async (stage: Stage): Promise<Seen> => ({
  read: await results(serverOf(stage), stage.calls),
  paused: false,
});

const OVER = [{ id: "c", tool: "pay", args: { amount: 500, to: "a" } }] as const;

export const driver: Driver = {
  run,
  traps: {
    "a tool that was registered before the server was governed": async (stage) => {
      const server = bare();
      server.registerTool("pay", { description: "Pays", inputSchema }, handlerOf(stage));
      governed(server, { ...OPTIONS, client: stage.client });
    },
    "a handler that is replaced later": async (stage) => {
      const server = governed(bare(), { ...OPTIONS, client: stage.client });
      const none = async () => ({ content: [] });
      const pay = server.registerTool("pay", { description: "Pays", inputSchema }, none);
      pay.update({ callback: handlerOf(stage) });
      await results(server, OVER);
    },
    "a schema that is replaced later": async (stage) => {
      const server = governed(bare(), { ...OPTIONS, client: stage.client });
      const pay = server.registerTool("pay", { description: "Pays", inputSchema }, handlerOf(stage));
      pay.update({ paramsSchema: z.object({}) });
    },
    "a tool without arguments": async (stage) => {
      const server = governed(bare(), { ...OPTIONS, client: stage.client });
      const handler = handlerOf(stage);
      server.registerTool("pay", { description: "Pays" }, () => handler({ amount: 1, to: "a" }));
      await results(server, [{ id: "c", tool: "pay", args: {} }]);
    },
    "a misspelled option": async ({ client }) => {
      governed(bare(), { agentID: "agent-1", client } as unknown as AdapterOptions);
    },
  },
};
