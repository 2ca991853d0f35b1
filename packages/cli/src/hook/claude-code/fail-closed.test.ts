import { FAULT_TIMEOUT_MS, failClosedFaults } from "@svc/decision-client/testing/fail-closed-suite";
import { describe, expect, it } from "vitest";
import { judgeToolUse } from "./judge-tool-use.ts";

const USE = { sessionId: "s-1", tool: "Bash", args: { command: "ls" }, callId: "toolu_1" };

describe.concurrent("I10: no fault between the hook and the gateway lets a call run", () => {
  // proves CODE-01
  it.for(failClosedFaults)("$wanted: $name", async ({ start }) => {
    const gateway = await start();
    const client = {
      gatewayUrl: new URL(gateway.url),
      apiKey: "svc_id_secret",
      orgId: null,
      timeoutMs: FAULT_TIMEOUT_MS,
      explainsRefusals: true,
    };
    try {
      const settings = { client, agentId: "coder", namespace: null };
      const answer = await judgeToolUse(USE, { settings, notes: null });
      expect(answer).toEqual({
        kind: "block",
        cause: "unknown",
        reason: expect.stringContaining("Bash was denied") as string,
        answer: expect.stringContaining('"permissionDecision":"deny"') as string,
      });
      expect(JSON.stringify(answer)).not.toContain("secret");
    } finally {
      await gateway.close();
    }
  });
});
