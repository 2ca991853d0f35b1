import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMcpProxy } from "../../mcp/mcp-proxy-process.ts";
import { startCheckgw } from "../../support/adapters/checkgw-process.ts";
import { startRecordingServer } from "../../support/adapters/recording-server.ts";
import { toolsCall } from "../../support/adapters/tools-call.ts";
import { createPolicy } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { authorizationFor } from "../../support/server/role-keys.ts";
import { type ServerProcess, serverOfTest } from "../../support/server/server-process.ts";

/** Calls that one connection pipelines, and those that others make at the same moment. */
const PIPELINED = 1_500;
const OTHERS = 10;

/**
 * Calls of the flood that may be decided before the last of the others: without turns it is all of them. A
 * busy machine may deliver the others late.
 */
const MOST_BEFORE = 250;

const POLICY = "id: all\nagent_id: agent-1\ntools: { allowed: ['*'] }\n";

/** Where calls go, and how one looks. */
interface Target {
  readonly port: number;
  readonly callOf: (session: string) => string;
}

function post(path: string, headers: readonly string[], body: string): string {
  const length = `Content-Length: ${String(Buffer.byteLength(body))}`;
  const lines = [`POST ${path} HTTP/1.1`, "Host: localhost", "Content-Type: application/json", length];
  return `${[...lines, ...headers].join("\r\n")}\r\n\r\n${body}`;
}

async function execute({ url }: ServerProcess): Promise<Target> {
  const path = "/api/v1/gateway/execute";
  const { authorization } = await authorizationFor("POST", `${url}${path}`);
  const callOf = (session_id: string): string => {
    const call = { agent_id: "agent-1", session_id, tool: "payments.refund", args: {} };
    return post(path, [`Authorization: ${String(authorization)}`], JSON.stringify(call));
  };
  return { port: Number(new URL(url).port), callOf };
}

async function check({ url }: ServerProcess): Promise<Target> {
  const checkgw = await startCheckgw(url);
  onTestFinished(async () => void (await checkgw.stop()));
  const callOf = (session: string): string =>
    [
      "GET /check HTTP/1.1",
      "Host: localhost",
      "X-Svc-Agent-Id: agent-1",
      "X-Svc-Tool: payments.refund",
      `X-Svc-Session-Id: ${session}\r\n\r\n`,
    ].join("\r\n");
  return { port: checkgw.port, callOf };
}

async function mcp({ url }: ServerProcess): Promise<Target> {
  const server = await startRecordingServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 7, result: { content: [] } }));
  });
  const upstreamUrl = `http://127.0.0.1:${String(server.port)}/mcp`;
  const proxy = await startMcpProxy({ gatewayUrl: url, upstreamUrl });
  onTestFinished(async () => {
    await proxy.stop();
    await server.close();
  });
  const accept = "Accept: application/json, text/event-stream";
  const callOf = (session: string) => post("/mcp", [accept, `Mcp-Session-Id: ${session}`], toolsCall({}));
  return { port: Number(new URL(proxy.url).port), callOf };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** The sessions of the decided calls, in their order. */
async function sessionsDecided({ url }: ServerProcess): Promise<readonly unknown[]> {
  const rows = await checkedExport(url);
  return rows.filter(({ row }) => row["kind"] === "decision").map(({ row }) => row["session_id"]);
}

describe("calls that are pipelined on one connection", () => {
  // proves FAIR-23
  it.each([
    { at: "8080 with the fast lane", lane: "on", target: execute },
    { at: "8080 without the fast lane", lane: "off", target: execute },
    { at: "9004", lane: "on", target: check },
    { at: "9003", lane: "on", target: mcp },
  ])("leave those of other connections their turns, at $at", async ({ lane, target }) => {
    const server = await serverOfTest({ env: { SVC_FAST_LANE: lane } });
    expect((await createPolicy(server.url, POLICY)).status).toBe(201);
    const { port, callOf } = await target(server);
    const flood = await connected(port);
    const others = await Promise.all(Array.from({ length: OTHERS }, () => connected(port)));
    flood.resume().write(callOf("flood").repeat(PIPELINED));
    await Promise.all(
      others.map(async (other) => {
        other.write(callOf("other"));
        await once(other, "data");
      }),
    );
    flood.destroy();
    const sessions = await sessionsDecided(server);
    expect(sessions.filter((session) => session === "other")).toHaveLength(OTHERS);
    expect(sessions.lastIndexOf("other")).toBeLessThan(MOST_BEFORE);
  });
});
