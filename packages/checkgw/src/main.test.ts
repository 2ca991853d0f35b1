import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
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

  // proves CHK-20, OPS-35
  it("M12: is asked by the configured names alone, and logs the first of the others", async () => {
    const gateway = await startAllowingGateway();
    const child = start({
      SVC_GATEWAY_URL: gateway.url,
      SVC_AGENT_ID: "agent-1",
      SVC_CHECKGW_LISTEN: "localhost:0",
      SVC_CHECKGW_ALLOWED_HOSTS: "svc-checkgw,adapter.internal:9004",
    });
    let log = "";
    child.stdout?.on("data", (chunk) => {
      log += String(chunk);
    });
    await expect.poll(() => log, { timeout: 20_000 }).toContain("svc-checkgw listens");
    const { port } = new URL(/"url":"(http:[^"]+)"/.exec(log)?.[1] ?? "");
    const statusFor = async (host: string): Promise<number | undefined> => {
      const headers = { host, "x-svc-tool": "payments.refund" };
      const asked = httpRequest({ host: "localhost", port, path: "/check", headers });
      const answered = once(asked, "response") as Promise<[IncomingMessage]>;
      asked.end();
      const [answer] = await answered;
      answer.resume();
      return answer.statusCode;
    };
    for (const host of ["svc-checkgw", "SVC-CHECKGW:1", "adapter.internal:9004", `localhost:${port}`])
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    for (const host of ["adapter.internal", "127.0.0.1", "evil.example", "svc-checkgw.evil.example"])
      expect([host, await statusFor(host)]).toEqual([host, 403]);
    await expect.poll(() => log).toContain("add it to SVC_CHECKGW_ALLOWED_HOSTS");
    expect(log.match(/request refused/g)).toHaveLength(1);
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
