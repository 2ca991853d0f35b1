import { FakeClock } from "@svc/process/testing/fake-clock";
import { describe, expect, it } from "vitest";
import { ActivityWindow } from "./activity-window.ts";
import { SeenNames } from "./seen-names.ts";

const CALL = {
  org: "default",
  namespace: "bank",
  agentId: "bank-agent",
  sessionId: "s-100",
  tool: "pay.refund",
};

function namesAfterCalls() {
  const names = new SeenNames();
  const activity = new ActivityWindow(new FakeClock(), undefined, names);
  activity.note(CALL);
  activity.note({ ...CALL, tool: "pay.charge" });
  activity.note({ ...CALL, org: "foreign", agentId: "bankagents" });
  return names;
}

describe("SeenNames", () => {
  // proves KILL-36
  it.each([
    ["agent", "bank-agent", true, null],
    ["agent", "bankagent", false, "bank-agent"],
    ["agent", "nobody-like-it", false, null],
    ["tool", "pay.charge", true, null],
    ["tool", "pay.refnd", false, "pay.refund"],
    ["session", "s-100", true, null],
    ["session", "s-1000", false, "s-100"],
    ["namespace", "bnk", false, "bank"],
  ] as const)("of the %s %s says seen: %s, nearest: %s", (scope, name, seen, nearest) => {
    expect(namesAfterCalls().sighting({ org: "default", scope, name }, [])).toEqual({ seen, nearest });
  });

  it("knows an agent that a policy is bound to before its first call", () => {
    const ask = (name: string) =>
      new SeenNames().sighting({ org: "default", scope: "agent", name }, ["night-agent"]);
    expect(ask("night-agent")).toEqual({ seen: true, nearest: null });
    expect(ask("nightagent")).toEqual({ seen: false, nearest: "night-agent" });
  });

  it("is bounded, and once it has forgotten names it does not claim that one was never there", () => {
    const names = namesAfterCalls();
    for (let n = 0; n < 10_000; n += 1) names.note({ ...CALL, agentId: `a-${String(n)}` });
    expect(names.sighting({ org: "default", scope: "agent", name: "bank-agent" }, [])).toEqual({
      seen: null,
      nearest: null,
    });
    expect(names.sighting({ org: "default", scope: "tool", name: "unknown" }, [])).toMatchObject({
      seen: false,
    });
  });
});
