import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ALLOW_BODY } from "@svc/decision-client/testing/answers";
import { type FaultyGateway, startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { afterEach, describe, expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "main.ts");

const children: ChildProcess[] = [];
const gateways: FaultyGateway[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const gateway of gateways.splice(0)) await gateway.close();
});

function start(env: Readonly<Record<string, string>>): ChildProcess {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [MAIN], { env: { PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return child;
}

/** Reads the log until the process says where it listens. */
async function urlOf(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const url = /"url":"(http:[^"]+)"/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`svc-checkgw ended: ${text}`);
}

async function startAllowingGateway(): Promise<FaultyGateway> {
  const gateway = await startHttpGateway((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(ALLOW_BODY);
  });
  gateways.push(gateway);
  return gateway;
}

/** A process takes seconds to start while every core is at work. */
describe("svc-checkgw", { timeout: 30_000 }, () => {
  // proves ADP-02
  it("asks the configured gateway as the configured agent, and ends on SIGTERM", async () => {
    const gateway = await startAllowingGateway();
    const env = { SVC_GATEWAY_URL: gateway.url, SVC_AGENT_ID: "agent-1", SVC_CHECKGW_LISTEN: "127.0.0.1:0" };
    const child = start(env);
    const url = await urlOf(child);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const answer = await fetch(`${url}/check`, { headers: { "x-svc-tool": "payments.refund" } });
    expect([answer.status, answer.headers.get("x-svc-decision")]).toEqual([200, "allow"]);
    const forged = { "x-svc-tool": "payments.refund", "x-svc-agent-id": "agent-2" };
    expect((await fetch(`${url}/check`, { headers: forged })).status).toBe(403);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("denies while no gateway answers", async () => {
    const gateway = await startAllowingGateway();
    await gateway.close();
    const child = start({ SVC_GATEWAY_URL: gateway.url, SVC_CHECKGW_LISTEN: "127.0.0.1:0" });
    const headers = { "x-svc-tool": "payments.refund", "x-svc-agent-id": "agent-1" };
    const answer = await fetch(`${await urlOf(child)}/check`, { headers });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ reason_code: "gateway_unreachable", fail_closed: true });
  });

  // proves GRD-04
  it("F7: a guardrail request gets its block in time and before the process ends", async () => {
    const gateway = await startHttpGateway((request) => void request.resume());
    gateways.push(gateway);
    const child = start({
      SVC_GATEWAY_URL: gateway.url,
      SVC_AGENT_ID: "agent-1",
      SVC_DECISION_TIMEOUT_MS: "900",
      SVC_CHECKGW_LISTEN: "127.0.0.1:0",
    });
    const url = await urlOf(child);
    const body = JSON.stringify({ input_type: "request", texts: ["hi"] });
    const headers = { "content-type": "application/json" };
    const asked = fetch(`${url}/beta/litellm_basic_guardrail_api`, { method: "POST", headers, body });
    // Whatever comes behind it on another connection has been read after it.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const answer = await asked;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      action: "BLOCKED",
      blocked_reason: expect.stringContaining("decision_timeout"),
    });
    expect(await ended).toEqual([0, null]);
  });

  it("a malformed environment stops the start, naming every variable", async () => {
    const child = start({
      SVC_DECISION_TIMEOUT_MS: "soon",
      SVC_SHAPING_STRICT: "yes",
      SVC_CHECKGW_LISTEN: "9004",
    });
    let text = "";
    child.stderr?.on("data", (chunk) => {
      text += String(chunk);
    });
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(1);
    expect(text).toMatch(/SVC_DECISION_TIMEOUT_MS[^]*SVC_CHECKGW_LISTEN[^]*SVC_SHAPING_STRICT/);
  });
});
