// long: it starts a server for each case
import { cp } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startRecordingServer } from "../support/adapters/recording-server.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { createPolicy, send } from "../support/server/api.ts";
import { activate, activateEnforced } from "../support/server/kill-switches.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import { startMcpProxy } from "./mcp-proxy-process.ts";

const POLICY = "id: demo\nagent_id: agent-1\ntools: { allowed: ['*'] }\n";

/** Switches that are active besides the one that is activated, as count: many pages of the list. */
const OTHERS = 1_000;

/** Switches that are activated at once. */
const AT_ONCE = 16;

async function setUp(dataDir?: string) {
  const svc = await serverOfTest(dataDir === undefined ? {} : { dataDir });
  expect((await createPolicy(svc.url, POLICY)).status).toBe(201);
  // A server that takes calls and answers none.
  const server = await startRecordingServer(() => {});
  const upstreamUrl = `http://127.0.0.1:${String(server.port)}/mcp`;
  const proxy = await startMcpProxy({ gatewayUrl: svc.url, upstreamUrl });
  onTestFinished(async () => {
    await proxy.stop("SIGKILL");
    await server.close();
  });
  return { svc, server, proxy };
}

type Stage = Awaited<ReturnType<typeof setUp>>;

/** A call that runs is killed, and is then over for its client. */
async function killRunning({ svc, server, proxy }: Stage, session: string): Promise<void> {
  const before = server.requests.length;
  const params = { name: "wait", arguments: {} };
  const headers = { "content-type": "application/json", "mcp-session-id": session };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const call = fetch(proxy.url, { method: "POST", headers, body });
  await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(before + 1);
  const killed = await activate(svc.url, { scope: "session", target_id: session });
  expect(killed.status).toBe(201);
  const answer = (await (await call).json()) as Record<string, unknown>;
  expect(answer["error"]).toMatchObject({ code: 403_001, data: { reason_code: "kill_switch" } });
}

async function activateMany(url: string, count: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await activate(url, { scope: "agent", target_id: `other-${String(next)}` });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

describe("how running calls learn of a kill switch", () => {
  // proves MCP-21
  it(
    "reaches them beside thousands of active switches",
    async () => {
      const stage = await setUp();
      await activateMany(stage.svc.url, OTHERS);
      for (const session of ["one", "two", "three"]) await killRunning(stage, session);
    },
    20_000 + OTHERS * 20,
  );

  // proves MCP-21
  it("a switch that was deactivated within milliseconds still ends running calls", async () => {
    const stage = await setUp();
    const ttl = { scope: "agent", target_id: "agent-1", ttl_seconds: 1 };
    const before = stage.server.requests.length;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait" } });
    const call = fetch(stage.proxy.url, { method: "POST", headers, body });
    await expect.poll(() => stage.server.requests.length, { timeout: 10_000 }).toBe(before + 1);
    const { body: killed } = await activate(stage.svc.url, ttl);
    await send("DELETE", `${stage.svc.url}/v1/kill-switch/${String(killed["kill_switch_id"])}`, {
      body: { reason: "over", deactivated_by: "on-call" },
    });
    const answer = await Promise.race([call, delay(5_000)]);
    expect(answer).toBeInstanceOf(Response);
  });

  // proves MCP-26
  it("a switch of a restored backup ends running calls, although the proxy knows its revision", async () => {
    const [lost, restored] = [await temporaryDirectory(), await temporaryDirectory()];
    const { svc, server, proxy } = await setUp(lost);
    await cp(lost, restored, { recursive: true });
    const wait = (session: string): Promise<Response> => {
      const headers = { "content-type": "application/json", "mcp-session-id": session };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait" } });
      return fetch(proxy.url, { method: "POST", headers, body });
    };
    const [call, other] = [wait("running"), wait("other")];
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(2);
    expect((await activate(svc.url, { scope: "session", target_id: "other" })).status).toBe(201);
    // This call ends by that switch: the proxy has seen its revision.
    await other;
    proxy.signal("SIGSTOP");
    await svc.stop();
    const env = { SVC_LISTEN: `127.0.0.1:${String(svc.port)}` };
    const again = await serverOfTest({ dataDir: restored, env });
    const killed = await activateEnforced(again.url, { scope: "agent", target_id: "agent-1" });
    expect(killed.body).toMatchObject({ status: "active" });
    proxy.signal("SIGCONT");
    const answer = await Promise.race([call, delay(5_000)]);
    expect(answer).toBeInstanceOf(Response);
    // A stop that outlasts the lease ends the call before the proxy has read the news.
    const id = String(killed.body["kill_switch_id"]);
    expect(await (answer as Response).text()).toMatch(new RegExp(`${id}|control_state_unverified`));
    const headers = { accept: "text/event-stream", "mcp-session-id": "running" };
    const stream = () => fetch(proxy.url, { headers }).then((given) => given.status);
    await expect.poll(stream, { timeout: 10_000 }).toBe(403);
  }, 30_000);
});
