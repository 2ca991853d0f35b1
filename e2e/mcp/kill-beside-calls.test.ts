// long: it starts a server and a proxy for each case, and waits for the end of leases
import { describe, expect, it, onTestFinished } from "vitest";
import { startRecordingServer } from "../support/adapters/recording-server.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { BOOTSTRAP_ENV, type Client, issueKey, operatorOf, rotateKey } from "../support/server/api-keys.ts";
import { untilEnforced } from "../support/server/kill-switches.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import { startMcpProxy } from "./mcp-proxy-process.ts";

const POLICY = "id: demo\nagent_id: agent-1\ntools: { allowed: ['*'] }\n";

/** Milliseconds that a call may go on after its kill, beside other calls on a busy machine. */
const CUT_WITHIN_MS = 10_000;

/** A server that asks for keys, and a proxy with a key of the documented role before an MCP server. */
async function startStage(dataDir?: string) {
  const svc = await serverOfTest({ env: BOOTSTRAP_ENV, ...(dataDir === undefined ? {} : { dataDir }) });
  const operator = operatorOf(svc);
  expect((await operator("POST", "policies", { yaml: POLICY })).status).toBe(201);
  const adapter = await issueKey(operator, { role: "adapter" });
  // It answers every call but those of the tool wait.
  const server = await startRecordingServer(({ body }, response) => {
    if (body.includes('"wait"')) return;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: [] } }));
  });
  const proxy = await startMcpProxy({
    gatewayUrl: svc.url,
    upstreamUrl: `http://127.0.0.1:${String(server.port)}/mcp`,
    env: { SVC_API_KEY: adapter.key },
  });
  onTestFinished(async () => {
    await proxy.stop("SIGKILL");
    await server.close();
  });
  const call = (session: string, tool: string): Promise<Response> => {
    const headers = { "content-type": "application/json", "mcp-session-id": session };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: {} } };
    return fetch(proxy.url, { method: "POST", headers, body: JSON.stringify(body) });
  };
  /** A call that runs. Its answer is what ended it. */
  const runningCall = async (session: string): Promise<{ answer: Promise<string> }> => {
    const waiting = () => server.requests.filter(({ body }) => body.includes('"wait"')).length;
    const before = waiting();
    const answer = call(session, "wait").then((given) => given.text());
    await expect.poll(waiting, { timeout: 10_000 }).toBe(before + 1);
    return { answer };
  };
  return { svc, operator, adapter, proxy, call, runningCall };
}

type Stage = Awaited<ReturnType<typeof startStage>>;

async function kill(operator: Client, session: string): Promise<string> {
  const json = { scope: "session", target_id: session, reason: "drill", activated_by: "on-call" };
  const { body } = await untilEnforced(() => operator("POST", "kill-switch", { json }));
  return String(body["kill_switch_id"]);
}

/** Keeps making calls, one at a time in each of some loops, until it is stopped. */
function keepCalling({ call }: Stage, loops: number) {
  const statuses: number[] = [];
  let isOver = false;
  const work = async (): Promise<void> => {
    while (!isOver) {
      const answer = await call("busy", "quick");
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
  };
  const running = Promise.all(Array.from({ length: loops }, work));
  const stop = async (): Promise<void> => {
    isOver = true;
    await running;
  };
  return { statuses, stop };
}

describe("a kill of a running call, with a key of the role adapter", () => {
  // proves MCP-21, MCP-28
  it.each([1, 10, 50])("ends it while %i other clients make allowed calls", async (loops) => {
    const stage = await startStage();
    const { answer } = await stage.runningCall("victim");
    const load = keepCalling(stage, loops);
    await expect.poll(() => load.statuses.length, { timeout: 20_000 }).toBeGreaterThan(20 * loops);
    const id = await kill(stage.operator, "victim");
    let ended = "";
    void answer.then((text) => {
      ended = text;
    });
    // The load goes on until then.
    await expect.poll(() => ended, { timeout: CUT_WITHIN_MS }).toContain(id);
    await load.stop();
    expect(new Set(load.statuses)).toEqual(new Set([200]));
    expect(stage.proxy.lines.filter((line) => /"level":[4-6]0/.test(line))).toEqual([]);
  });

  // proves MCP-28
  it("that was away stays killed: no stream of the session can be resumed", async () => {
    const dataDir = await temporaryDirectory();
    const { svc, operator, proxy, runningCall } = await startStage(dataDir);
    // From its first news on, the proxy learns of what ended while it was away.
    const first = await runningCall("first");
    const firstId = await kill(operator, "first");
    expect(await first.answer).toContain(firstId);
    const { answer } = await runningCall("victim");
    proxy.signal("SIGSTOP");
    const id = await kill(operator, "victim");
    const over = { reason: "over", deactivated_by: "on-call" };
    expect((await operator("DELETE", `kill-switch/${id}`, { json: over })).status).toBe(200);
    await svc.stop();
    await serverOfTest({ dataDir, env: { ...BOOTSTRAP_ENV, SVC_LISTEN: `127.0.0.1:${String(svc.port)}` } });
    proxy.signal("SIGCONT");
    expect(await answer).toMatch(/kill_switch|control_state_unverified/);
    const headers = { accept: "text/event-stream", "mcp-session-id": "victim", "last-event-id": "1" };
    const resumed = () => fetch(proxy.url, { headers }).then((given) => given.text());
    await expect.poll(resumed, { timeout: CUT_WITHIN_MS }).toContain("A kill switch ended this call");
  });

  // proves MCP-27
  it("whose news stops ends the call, and each cause and the recovery are logged", async () => {
    const { operator, adapter, proxy, runningCall } = await startStage();
    const { answer } = await runningCall("victim");
    await rotateKey(operator, adapter.id, 0);
    expect(await answer).toContain("control_state_unverified");
    expect(proxy.output()).toContain("the news of kill switches cannot be read");
    expect(proxy.output()).toContain("running calls were ended");
  });
});
