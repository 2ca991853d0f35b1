import { createDecisionClient } from "@svc/decision-client/decision-client";
import { FAULT_TIMEOUT_MS, failClosedFaults } from "@svc/decision-client/testing/fail-closed-suite";
import { describe, expect, it } from "vitest";
import { judgeJson } from "./testing/judge-json.ts";
import { completion, litellmResponse, portkeyAfter, portkeyBefore, toolCall } from "./testing/messages.ts";

/** Decision timeout in milliseconds that no fault but a silence comes near, also on a busy machine. */
const AMPLE_TIMEOUT_MS = 20_000;

const CALLS = [toolCall("payments.refund", '{"amount":5}')];

/** One message for every seam of every dialect. */
const MESSAGES = [
  ["portkey", portkeyBefore({ model: "gpt-5", messages: [{ role: "user", content: "hi" }] })],
  ["portkey", portkeyAfter(completion("On it.", CALLS))],
  ["portkey", portkeyAfter(null)],
  ["litellm", litellmResponse(["On it."], CALLS)],
  ["agentgateway_request", { body: { messages: [{ role: "user", content: "hi" }] } }],
  ["agentgateway_response", { body: completion("On it.") }],
] as const;

// proves FAIL-01, FAIL-02, FAIL-03, FAIL-04, FAIL-05, GRD-03
describe("I10: a fault on the way to a verdict is a block, in every dialect", { timeout: 60_000 }, () => {
  it.concurrent.each(failClosedFaults)("$wanted: $name", async ({ start, wanted }) => {
    const gateway = await start();
    const timeoutMs = wanted === "decision_timeout" ? FAULT_TIMEOUT_MS : AMPLE_TIMEOUT_MS;
    const client = createDecisionClient(
      { gatewayUrl: new URL(gateway.url), apiKey: null, orgId: null, timeoutMs },
      { monotonicMs: () => performance.now(), onFault: () => {} },
    );
    try {
      const judged = await Promise.all(
        MESSAGES.map(([dialect, body]) => judgeJson(dialect, body, { decide: client.decide })),
      );
      for (const { passes, answer } of judged) {
        expect(passes).toBe(false);
        expect(JSON.stringify(answer)).toContain(wanted);
      }
    } finally {
      await client.close();
      await gateway.close();
    }
  });
});
