import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import type { Verdict } from "@svc/contract/verdict";
import { createDecisionClient } from "@svc/decision-client/decision-client";
import { FAULT_TIMEOUT_MS, failClosedFaults } from "@svc/decision-client/testing/fail-closed-suite";
import { describe, expect, it, vi } from "vitest";
import { playCall, requestBody, requestHeaders, TOOLS_CALL } from "./testing/play-call.ts";

const MODES = ["BUFFERED", "FULL_DUPLEX_STREAMED"] as const;

// proves FAIL-01, FAIL-02, FAIL-03, FAIL-04, FAIL-05
describe("I10: a fault on the way to a verdict is a deny, whatever the body mode", () => {
  it.concurrent.each(failClosedFaults)("$name", async ({ start, wanted }) => {
    const gateway = await start();
    const client = createDecisionClient(
      { gatewayUrl: new URL(gateway.url), apiKey: null, orgId: null, timeoutMs: FAULT_TIMEOUT_MS },
      { monotonicMs: () => performance.now(), onFault: () => {} },
    );
    try {
      for (const mode of MODES) {
        const call = playCall(client.decide);
        call.send(requestHeaders({ mode }));
        const before = call.sent.length;
        call.send(requestBody(TOOLS_CALL));
        await vi.waitFor(() => expect(call.sent.length).toBeGreaterThan(before), { timeout: CONDITION_MS });
        const [last] = call.sent.slice(before);
        expect(last).toMatchObject({
          kind: "answer",
          name: "immediate_response",
          response: { status: { code: 403 } },
        });
        const { body } = (last as unknown as { response: { body: Uint8Array } }).response;
        const verdict = JSON.parse(Buffer.from(body).toString()) as Verdict;
        expect(verdict).toMatchObject({ decision: "deny", reason_code: wanted, fail_closed: true });
        expect(call.defects).toEqual([]);
      }
    } finally {
      await client.close();
      await gateway.close();
    }
  });
});

// proves XPR-30
it("what a stream refuses by itself is told with its cause, once", () => {
  const call = playCall(() => Promise.reject(new Error("nobody is asked")));
  call.send(requestHeaders({ mode: "BUFFERED" }));
  call.send(requestBody("x".repeat(2_000)));
  expect(call.refused).toEqual(["too_large"]);
});
