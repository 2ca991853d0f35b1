import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import * as transportV1 from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { pausedText } from "@svc/tool-calls/rpc-error";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ALLOW, DENY, PAUSE } from "../support/adapters/gateway-verdicts.ts";
import { type ScriptedGateway, startScriptedGateway } from "../support/adapters/scripted-gateway.ts";
import { type RunningMcpProxy, startMcpProxy } from "./mcp-proxy-process.ts";
import { type RunningMcpServer, startDualEraServer, startEverythingServer } from "./mcp-servers.ts";

const INFO = { name: "e2e", version: "1.0.0" };
const URLS = { capabilities: { elicitation: { url: {} } } };
const CALL = { name: "echo", arguments: { message: "hi" } };
const STATELESS = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

interface CallingClient {
  callTool(call: typeof CALL): Promise<unknown>;
  close(): Promise<void>;
}

/** Runs the test's client before a server, paused by the gateway at first. */
interface Stage {
  readonly gateway: ScriptedGateway;
  readonly url: string;
  readonly closing: <Kind extends CallingClient>(client: Kind) => Kind;
}

function stageFor(start: () => Promise<RunningMcpServer>): () => Stage {
  let server: RunningMcpServer;
  let gateway: ScriptedGateway;
  let proxy: RunningMcpProxy;
  beforeAll(async () => {
    server = await start();
    gateway = await startScriptedGateway();
    const env = { SVC_MCP_APPROVAL: "elicit" };
    proxy = await startMcpProxy({ gatewayUrl: gateway.url, upstreamUrl: server.url, env });
  });
  beforeEach(() => {
    gateway.answer(PAUSE);
    gateway.server.forget();
  });
  afterAll(async () => {
    await proxy?.stop("SIGKILL");
    await gateway?.server.close();
    await server?.stop();
  });
  const closing = <Kind extends CallingClient>(client: Kind): Kind => {
    onTestFinished(() => client.close());
    return client;
  };
  return () => ({ gateway, url: proxy.url, closing });
}

const TODAY = { code: 202_001, data: { approval_url: PAUSE.approval_url } };

describe("approval in the eras with sessions", () => {
  const stage = stageFor(startEverythingServer);
  const wanted = {
    code: -32042,
    elicitations: [{ mode: "url", url: PAUSE.approval_url, elicitationId: PAUSE.decision_id }],
  };

  it.each([
    {
      name: "TypeScript SDK 1",
      connect: async (url: string, options: object): Promise<CallingClient> => {
        const client = new ClientV1(INFO, options);
        await client.connect(new transportV1.StreamableHTTPClientTransport(new URL(url)));
        return client;
      },
    },
    {
      name: "TypeScript SDK 2",
      connect: async (url: string, options: object): Promise<CallingClient> => {
        const client = new ClientV2(INFO, options);
        await client.connect(new TransportV2(new URL(url)));
        return client;
      },
    },
  ])("$name: one that can is told where to send its user, and repeats the call", async ({ connect }) => {
    const { gateway, url, closing } = stage();
    const client = closing(await connect(url, URLS));
    await expect(client.callTool(CALL)).rejects.toMatchObject(wanted);
    gateway.answer(ALLOW);
    expect(JSON.stringify(await client.callTool(CALL))).toContain("Echo: hi");
    gateway.answer(PAUSE);
    const other = closing(await connect(url, {}));
    await expect(other.callTool(CALL)).rejects.toMatchObject(TODAY);
  });
});

describe("approval in the stateless era", () => {
  const stage = stageFor(startDualEraServer);

  /** A client whose user answers our question, while an approver decides. */
  async function askedClient(decided: object, action: "accept" | "decline") {
    const { gateway, url, closing } = stage();
    const questions: unknown[] = [];
    const client = closing(new ClientV2(INFO, { ...STATELESS, ...URLS }));
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params);
      gateway.answer(decided);
      return { action };
    });
    await client.connect(new TransportV2(new URL(url)));
    return { client, questions, gateway };
  }

  const question = {
    mode: "url",
    url: PAUSE.approval_url,
    message: pausedText({ reason: PAUSE.reason, reason_code: "approval_required" }),
  };

  // proves MCP-15
  it("M8: a capable client asks its user, and its retry runs once it is approved", async () => {
    const { client, questions, gateway } = await askedClient(ALLOW, "accept");
    expect(JSON.stringify(await client.callTool(CALL))).toContain("Echo: hi");
    expect(questions).toEqual([expect.objectContaining(question)]);
    expect(gateway.calls()).toHaveLength(2);
  });

  it.each([
    { name: "denied", decided: DENY, action: "accept", wanted: { code: 403_001 } },
    { name: "not decided yet", decided: PAUSE, action: "accept", wanted: TODAY },
    { name: "declined", decided: PAUSE, action: "decline", wanted: TODAY },
  ] as const)("M8: the retry of a call that was $name does not run", async ({ decided, action, wanted }) => {
    const { client, questions, gateway } = await askedClient(decided, action);
    await expect(client.callTool(CALL)).rejects.toMatchObject(wanted);
    expect([questions.length, gateway.calls().length]).toEqual([1, 2]);
  });

  it("another client learns the address from the error", async () => {
    const { url, closing } = stage();
    const client = closing(new ClientV2(INFO, STATELESS));
    await client.connect(new TransportV2(new URL(url)));
    await expect(client.callTool(CALL)).rejects.toMatchObject(TODAY);
  });
});
