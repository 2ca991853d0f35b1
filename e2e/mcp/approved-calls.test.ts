import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import * as transportV1 from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";
import { type RunningMcpProxy, startMcpProxy } from "./mcp-proxy-process.ts";
import { type RunningMcpServer, startDualEraServer, startEverythingServer } from "./mcp-servers.ts";

const INFO = { name: "e2e", version: "1.0.0" };
const URLS = { capabilities: { elicitation: { url: {} } } };
const STATELESS = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;
const PAUSED = { code: 202_001 };

const POLICY = `id: asks
agent_id: agent-1
tools: { allowed: ["*"] }
rules:
  - { id: ask, match: { tool: echo }, action: require_approval }
`;

interface CallingClient {
  callTool(call: {
    readonly name: string;
    readonly arguments: { readonly message: string };
  }): Promise<unknown>;
  close(): Promise<void>;
}

interface Stage {
  /** Address of the proxy. */
  readonly url: string;
  readonly approver: Client;
}

/** Runs a server of MCP behind the proxy, which asks a real gateway that pauses each call of `echo`. */
function stageFor(start: () => Promise<RunningMcpServer>): () => Stage {
  let target: RunningMcpServer;
  let server: ServerProcess;
  let proxy: RunningMcpProxy;
  let approver: Client;
  beforeAll(async () => {
    target = await start();
    server = await startServer({ env: BOOTSTRAP_ENV });
    const operator = operatorOf(server);
    const policy = await operator("POST", "policies", { yaml: POLICY });
    if (policy.status !== 201) throw new Error(JSON.stringify(policy.body));
    approver = clientOf(server, (await issueKey(operator, { role: "approver" })).key);
    const { key } = await issueKey(operator, { role: "adapter" });
    const env = { SVC_MCP_APPROVAL: "elicit", SVC_API_KEY: key };
    proxy = await startMcpProxy({ gatewayUrl: server.url, upstreamUrl: target.url, env });
  });
  afterAll(async () => {
    await proxy?.stop("SIGKILL");
    await server?.stop();
    await target?.stop();
  });
  return () => ({ url: proxy.url, approver });
}

const callOf = (message: string) => ({ name: "echo", arguments: { message } });

function closing<Kind extends CallingClient>(client: Kind): Kind {
  onTestFinished(() => client.close());
  return client;
}

/** Approves the call that an address names, as its approver does who was sent there. */
async function approveAt(approver: Client, url: unknown, args?: object): Promise<void> {
  const id = new URL(String(url)).pathname.split("/").at(-1) ?? "";
  const shown = await approver("GET", `approvals/${id}`);
  expect(shown.body).toMatchObject({ status: "pending", tool: "echo" });
  const json = { reason: "the customer called", ...(args === undefined ? {} : { args }) };
  expect((await approver("POST", `approvals/${id}/approve`, { json })).status).toBe(200);
}

interface PauseError {
  readonly code: number;
  readonly data?: { readonly approval_url?: string };
  /** The clients keep nothing but this of the error that sends users to an address. */
  readonly elicitations?: readonly { readonly url: string }[];
}

/** Code and address of the error of a paused call. */
async function pauseOf(calling: Promise<unknown>) {
  const error = await calling.then(
    (result) => expect.fail(`the call passed: ${JSON.stringify(result)}`),
    (thrown: unknown) => thrown as PauseError,
  );
  return { code: error.code, url: error.elicitations?.[0]?.url ?? error.data?.approval_url };
}

describe("an approved call, in the eras with sessions", () => {
  const stage = stageFor(startEverythingServer);

  // proves APR-63
  it.each([
    {
      name: "TypeScript SDK 1",
      code: -32042,
      connect: async (url: string): Promise<CallingClient> => {
        const client = new ClientV1(INFO, URLS);
        await client.connect(new transportV1.StreamableHTTPClientTransport(new URL(url)));
        return client;
      },
    },
    {
      name: "TypeScript SDK 2",
      code: -32042,
      connect: async (url: string): Promise<CallingClient> => {
        const client = new ClientV2(INFO, URLS);
        await client.connect(new TransportV2(new URL(url)));
        return client;
      },
    },
    {
      name: "TypeScript SDK 2, which sends no user anywhere",
      code: PAUSED.code,
      connect: async (url: string): Promise<CallingClient> => {
        const client = new ClientV2(INFO);
        await client.connect(new TransportV2(new URL(url)));
        return client;
      },
    },
  ])("$name: passes once when the client sends it again", async ({ connect, code }) => {
    const { url, approver } = stage();
    const client = closing(await connect(url));
    const paused = await pauseOf(client.callTool(callOf("hi")));
    expect(paused.code).toBe(code);
    expect(await pauseOf(client.callTool(callOf("hi")))).toEqual(paused);
    await approveAt(approver, paused.url);
    expect(JSON.stringify(await client.callTool(callOf("hi")))).toContain("Echo: hi");
    const again = await pauseOf(client.callTool(callOf("hi")));
    expect(again.code).toBe(code);
    expect(again.url).not.toBe(paused.url);
    await approveAt(approver, again.url, { message: "edited" });
    expect(JSON.stringify(await client.callTool(callOf("hi")))).toContain("Echo: edited");
  });
});

describe("an approved call, in the stateless era", () => {
  const stage = stageFor(startDualEraServer);

  interface Asked {
    readonly client: ClientV2;
    readonly urls: unknown[];
  }

  /** A client whose user does something at the address, and then consents. */
  async function askedClient(visit: (url: unknown) => Promise<void>): Promise<Asked> {
    const urls: unknown[] = [];
    const client = closing(new ClientV2(INFO, { ...STATELESS, ...URLS }));
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { url } = params as { readonly url?: unknown };
      urls.push(url);
      await visit(url);
      return { action: "accept" };
    });
    await client.connect(new TransportV2(new URL(stage().url)));
    return { client, urls };
  }

  // proves APR-63
  it("passes once, in the client's own retry after its user was asked", async () => {
    const { approver } = stage();
    const { client, urls } = await askedClient((url) => approveAt(approver, url));
    expect(JSON.stringify(await client.callTool(callOf("hi")))).toContain("Echo: hi");
    expect(JSON.stringify(await client.callTool(callOf("hi")))).toContain("Echo: hi");
    // The second call needed an approval of its own.
    expect(new Set(urls).size).toBe(2);
  });

  // proves APR-63
  it("M8: does not pass because the user consents in the client", async () => {
    const { client, urls } = await askedClient(async () => {});
    const paused = await pauseOf(client.callTool(callOf("unseen")));
    expect(paused).toEqual({ ...PAUSED, url: urls[0] });
    await approveAt(stage().approver, paused.url);
    expect(JSON.stringify(await client.callTool(callOf("unseen")))).toContain("Echo: unseen");
    expect(urls).toHaveLength(1);
  });
});
