import type { ExecuteRequest } from "@svc/contract/execute-request";
import { ALLOW_BODY } from "@svc/decision-client/testing/answers";
import { FAULT_TIMEOUT_MS, failClosedFaults } from "@svc/decision-client/testing/fail-closed-suite";
import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { SESSION_REQUIRED } from "@svc/tool-calls/testing/session-required";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAskVerdict } from "./ask-verdict.ts";

const CALL: ExecuteRequest = {
  agent_id: "agent-1",
  session_id: "s-1",
  tool: "payments.refund",
  args: { amount: 12 },
  namespace: null,
  cost_micro_usd: null,
};

const monotonicMs = (): number => performance.now();

describe("asking svc-checkgw", () => {
  // proves AGC-01
  it("posts the call to /verdict, each over a connection of its own", async () => {
    const seen: unknown[] = [];
    const gateway = await startHttpGateway((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
        seen.push({ url: request.url, method: request.method, body, port: request.socket.remotePort });
        response.writeHead(200, { "content-type": "application/json" }).end(ALLOW_BODY);
      });
    });
    onTestFinished(() => gateway.close());
    const ask = createAskVerdict(new URL(`${gateway.url}/prefix/`), monotonicMs);
    expect(await ask(CALL, 5_000)).toMatchObject({ decision: "allow" });
    expect(await ask(CALL, 5_000)).toMatchObject({ decision: "allow" });
    const body = { agent_id: "agent-1", session_id: "s-1", tool: "payments.refund", args: { amount: 12 } };
    expect(seen).toMatchObject([{ url: "/prefix/verdict", method: "POST", body }, { body }]);
    expect(new Set(seen.map((request) => (request as { port: number }).port)).size).toBe(2);
  });

  // proves ADP-08
  it("says where a call names its session, in place of what svc-checkgw says", async () => {
    const reason = `${SESSION_REQUIRED.reason} (at this adapter: session_id in the body)`;
    const gateway = await startHttpGateway((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...SESSION_REQUIRED, reason }));
    });
    onTestFinished(() => gateway.close());
    expect(await createAskVerdict(new URL(gateway.url), monotonicMs)(CALL, 5_000)).toMatchObject({
      reason:
        `${SESSION_REQUIRED.reason} (at this adapter: _meta["svc/sessionId"] in the request, ` +
        "or the header Mcp-Session-Id)",
    });
  });

  it("refuses a call that JSON cannot say", async () => {
    const ask = createAskVerdict(new URL("http://127.0.0.1:9"), monotonicMs);
    await expect(ask({ ...CALL, args: { amount: Number.NaN } }, 5_000)).rejects.toThrow("amount");
  });
});

describe.concurrent("I10: the shared fail-closed suite", () => {
  // proves AGC-03
  it.for(failClosedFaults)("$wanted: $name", async ({ start, wanted }) => {
    const gateway = await start();
    try {
      const verdict = await createAskVerdict(new URL(gateway.url), monotonicMs)(CALL, FAULT_TIMEOUT_MS);
      expect(verdict).toMatchObject({ decision: "deny", fail_closed: true, reason_code: wanted });
      // Whom this function asks is svc-checkgw: the gateway itself may be well.
      expect(verdict).toMatchObject({ reason: expect.stringContaining("svc-checkgw") });
      expect(verdict).not.toMatchObject({ reason: expect.stringContaining("gateway answered") });
    } finally {
      await gateway.close();
    }
  });
});
