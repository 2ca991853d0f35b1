import { createMCPClient } from "@ai-sdk/mcp";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import * as transportV1 from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** What the tests want of a client, whichever it is. */
export interface McpClient {
  listTools(): Promise<readonly string[]>;
  /** The text of the result. @throws what the client throws for a JSON-RPC error. */
  call(tool: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** A real client library in one of its ways of speaking. */
export interface McpClientKind {
  readonly name: string;
  readonly era: "sessions" | "stateless";
  readonly connect: (url: string) => Promise<McpClient>;
}

const INFO = { name: "e2e", version: "1.0.0" };

interface ClientLike {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

function clientOf(client: ClientLike): McpClient {
  return {
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => {
      const result = (await client.callTool({ name, arguments: args })) as { content: { text?: string }[] };
      return result.content.map(({ text = "" }) => text).join("");
    },
    close: () => client.close(),
  };
}

export const mcpClients: readonly McpClientKind[] = [
  {
    name: "TypeScript SDK 1",
    era: "sessions",
    connect: async (url) => {
      const client = new ClientV1(INFO);
      await client.connect(new transportV1.StreamableHTTPClientTransport(new URL(url)));
      return clientOf(client);
    },
  },
  {
    name: "TypeScript SDK 2, with sessions",
    era: "sessions",
    connect: async (url) => {
      const client = new ClientV2(INFO);
      await client.connect(new TransportV2(new URL(url)));
      return clientOf(client);
    },
  },
  {
    name: "TypeScript SDK 2, stateless",
    era: "stateless",
    connect: async (url) => {
      const client = new ClientV2(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      await client.connect(new TransportV2(new URL(url)));
      return clientOf(client);
    },
  },
  {
    name: "AI SDK, with sessions",
    era: "sessions",
    connect: async (url) =>
      clientOf(await createMCPClient({ ...atUrl(url), protocolVersionDiscovery: false })),
  },
  {
    name: "AI SDK, stateless",
    era: "stateless",
    connect: async (url) => clientOf(await createMCPClient(atUrl(url))),
  },
];

function atUrl(url: string): { transport: { type: "http"; url: string } } {
  return { transport: { type: "http", url } };
}
