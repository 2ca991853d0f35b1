import { Client } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPolicy } from "../support/server/api.ts";
import { authorizationFor, fetchWithKey } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const CALL = { agent_id: "agent-1", session_id: "s-1" };
const NAME = `svc-q-${"0a".repeat(16)}-7`;

describe("the name that a caller gives to its question", () => {
  // proves FAIL-10
  it.each(["on", "off"])("is in every answer to it, with the fast lane %s", async (lane) => {
    const { url } = await serverOfTest({ env: { SVC_FAST_LANE: lane } });
    expect((await createPolicy(url)).status).toBe(201);
    const named: (readonly [number, string | null])[] = [];
    for (const body of [{ ...CALL, tool: "payments.refund" }, { ...CALL, tool: "db.drop_table" }, {}]) {
      const headers = { "content-type": "application/json", "x-request-id": NAME };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const answer = await fetchWithKey(`${url}/api/v1/gateway/execute`, init);
      await answer.arrayBuffer();
      named.push([answer.status, answer.headers.get("x-request-id")]);
    }
    expect(named).toEqual([200, 200, 400].map((status) => [status, NAME]));
  });
});

/** What adapters and clients read. */
const READ = [
  "api/v1/gateway/kill-switches",
  "api/v1/gateway/kill-switches?after=0",
  "api/v1/kill-switch?status=inactive",
  "api/v1/policies",
  "api/v1/audit",
  "api/v1/agents",
  "api/v1/approvals",
  "api/v1/keys",
  "healthz",
  "readyz",
  "metrics",
  "docs",
  "docs/reasons",
  "api/v1/openapi.json",
];

// proves FAIL-10
it("every answer names its request, on a connection that had the answer to an outcome report", async () => {
  const { url } = await serverOfTest();
  expect((await createPolicy(url)).status).toBe(201);
  const connection = new Client(url, { pipelining: 1 });
  onTestFinished(() => connection.close());
  const ask = async (method: "GET" | "POST", path: string, json?: object) => {
    const body = json === undefined ? null : JSON.stringify(json);
    const headers = {
      "x-request-id": NAME,
      ...(await authorizationFor(method, `${url}/${path}`)),
      ...(body === null ? {} : { "content-type": "application/json" }),
    };
    const answer = await connection.request({ method, path: `/${path}`, headers, body });
    return {
      path,
      status: answer.statusCode,
      name: answer.headers["x-request-id"],
      text: await answer.body.text(),
    };
  };
  const call = { ...CALL, tool: "payments.refund", args: {} };
  const { decision_id } = JSON.parse((await ask("POST", "api/v1/gateway/execute", call)).text) as object & {
    decision_id: string;
  };
  const found: object[] = [];
  for (const read of READ) {
    await ask("POST", "api/v1/gateway/outcome", { decision_id, status: "succeeded" });
    const { path, status, name } = await ask("GET", read);
    found.push({ path, status, name });
  }
  const heartbeat = await ask("POST", "api/v1/agents/agent-1/heartbeat", { session_id: "s-1" });
  expect([heartbeat.status, heartbeat.name]).toEqual([200, NAME]);
  expect(found).toEqual(READ.map((path) => ({ path, status: 200, name: NAME })));
});
