import { describe, expect, it } from "vitest";
import { createPolicy } from "./support/api.ts";
import { serverOfTest } from "./support/server-process.ts";

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
      const answer = await fetch(`${url}/api/v1/gateway/execute`, init);
      await answer.arrayBuffer();
      named.push([answer.status, answer.headers.get("x-request-id")]);
    }
    expect(named).toEqual([200, 200, 400].map((status) => [status, NAME]));
  });
});
