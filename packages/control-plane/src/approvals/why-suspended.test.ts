import { scopesOf } from "@svc/contract/role";
import { describe, expect, it } from "vitest";
import { SupervisionView } from "../rogue/supervision-view.ts";
import { whySuspended } from "./why-suspended.ts";

const CALL = { org: "acme", agentId: "a-1", sessionId: "s-1" };

const READER = { scopes: new Set(["approval:read"] as const) };

/** To a key that reads approvals of others. @param severities each as agent, session and severity */
function why(...severities: readonly (readonly [string, string, "WARNING" | "CRITICAL" | "EMERGENCY"])[]) {
  return whyTo(READER, ...severities);
}

function whyTo(
  principal: Parameters<typeof whySuspended>[2],
  ...severities: readonly (readonly [string, string, "WARNING" | "CRITICAL" | "EMERGENCY"])[]
) {
  const supervised = new SupervisionView();
  for (const [agentId, sessionId, severity] of severities) {
    const record = { agentId, sessionId, severity, since: "2026-01-01T00:00:00.000Z", reason: "silent" };
    supervised.apply({ revision: 1, org: "acme", change: { kind: "severity", record } });
  }
  return whySuspended({ supervised }, CALL, principal);
}

describe("why an approval is suspended", () => {
  it("is the session of the call, and what the agent can do", () => {
    expect(why(["a-1", "s-1", "CRITICAL"])).toBe(
      "the session of this call, s-1, is at CRITICAL. " +
        "The agent ends that with heartbeats and POST agents/a-1/reauthenticate.",
    );
  });

  // proves ROGUE-21
  it("is the worst session of the agent, also when the call named another one", () => {
    const others = [
      ["a-1", "s-2", "CRITICAL"],
      ["a-1", "s-3", "EMERGENCY"],
      ["a-1", "s-4", "WARNING"],
      ["a-10", "s-5", "EMERGENCY"],
    ] as const;
    expect(why(...others)).toBe(
      "another session of the agent, s-3, is at EMERGENCY (2 sessions of the agent are suspended). " +
        "An operator ends that with POST agents/a-1/reregister.",
    );
  });

  // proves APR-94
  it("does not name another session to the key of the agent, which can serve several users", () => {
    const agent = { scopes: scopesOf({ role: "agent", isBootstrap: false, isBound: false }) };
    expect(whyTo(agent, ["a-1", "s-2", "CRITICAL"])).toMatch(
      /^another session of the agent is at CRITICAL\. /,
    );
    expect(whyTo(agent, ["a-1", "s-1", "CRITICAL"])).toMatch(
      /^the session of this call, s-1, is at CRITICAL/,
    );
  });

  it("is nothing any more when every session has recovered", () => {
    expect(why()).toBe("agent a-1 has recovered, and its approvals are being resumed.");
  });
});
