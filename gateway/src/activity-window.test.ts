import { FakeClock } from "@svc/process/testing/fake-clock";
import { describe, expect, it } from "vitest";
import { type ActivityFilter, ActivityWindow } from "./activity-window.ts";
import { SeenNames } from "./seen-names.ts";
import { keptBytes, namesInBody } from "./testing/kept-bytes.ts";

const CALLS = [
  { org: "default", namespace: "ns", agentId: "a1", sessionId: "s1", tool: "t1" },
  { org: "default", namespace: "ns", agentId: "a1", sessionId: "s2", tool: "t2" },
  { org: "default", namespace: "other", agentId: "a2", sessionId: null, tool: "t1" },
  { org: "foreign", namespace: "ns", agentId: "a3", sessionId: "s1", tool: "t1" },
];

function windowWithCalls() {
  const clock = new FakeClock();
  const activity = new ActivityWindow(clock);
  for (const call of CALLS) activity.note(call);
  return { clock, activity };
}

describe("ActivityWindow", () => {
  it.each<[ActivityFilter["scope"], string | null, string[], string[]]>([
    ["account", null, ["a1", "a2"], ["s1", "s2"]],
    ["namespace", "ns", ["a1"], ["s1", "s2"]],
    ["agent", "a2", ["a2"], []],
    ["session", "s1", ["a1"], ["s1"]],
    ["tool", "t1", ["a1", "a2"], ["s1"]],
    ["tool", "t3", [], []],
  ])("tells who a switch on %s %s would stop", (scope, targetId, agents, sessions) => {
    const { activity } = windowWithCalls();
    expect(activity.affected({ org: "default", scope, targetId })).toEqual({ agents, sessions });
  });

  it("forgets who has not called for a quarter of an hour", () => {
    const { clock, activity } = windowWithCalls();
    clock.ms += 15 * 60 * 1_000;
    activity.note({ org: "default", namespace: "ns", agentId: "a9", sessionId: null, tool: "t" });
    clock.ms += 1;
    expect(activity.affected({ org: "default", scope: "account", targetId: null }).agents).toEqual(["a9"]);
  });

  it("stays bounded, and drops first whom it has known longest", () => {
    const { activity } = windowWithCalls();
    for (let call = 0; call < 20_000; call += 1) {
      activity.note({
        org: "default",
        namespace: "ns",
        agentId: `b${String(call)}`,
        sessionId: null,
        tool: "t",
      });
    }
    const { agents } = activity.affected({ org: "default", scope: "account", targetId: null });
    expect([agents.length, agents.includes("a1"), agents.includes("b19999")]).toEqual([20_000, false, true]);
  });

  it("counts a session as new again when it was dropped, and an agent that moved as the same", () => {
    const opened: (string | null)[] = [];
    const clock = new FakeClock();
    const activity = new ActivityWindow(clock, ({ sessionId }) => void opened.push(sessionId));
    const of = (sessionId: string, namespace: string) => ({
      org: "o",
      namespace,
      agentId: "a",
      sessionId,
      tool: "t",
    });
    activity.note(of("first", "ns"));
    activity.note(of("first", "moved"));
    for (const namespace of ["ns", "moved"]) {
      const { sessions } = activity.affected({ org: "o", scope: "namespace", targetId: namespace });
      expect(sessions).toEqual(namespace === "moved" ? ["first"] : []);
    }
    for (let call = 0; call < 20_000; call += 1) activity.note(of(`s${String(call)}`, "ns"));
    activity.note(of("first", "moved"));
    expect(opened.filter((sessionId) => sessionId === "first")).toHaveLength(2);
  });

  it("keeps the names of calls, and not the bodies that they came in", () => {
    const activity = new ActivityWindow(new FakeClock(), undefined, new SeenNames());
    const kept = keptBytes(() => {
      for (let at = 0; at < 1_000; at += 1) {
        const n = String(at);
        const names = { namespace: `namespace-number-${n}`, agentId: `agent-number-${n}` };
        const body = { ...names, sessionId: `session-number-${n}`, tool: `tool-number-${n}` };
        const target = namesInBody(body);
        activity.note({ org: "default", ...target });
        activity.note({ org: "default", namespace: "n", agentId: "a", sessionId: "s", tool: target.tool });
      }
    });
    // The bodies have 15 MB.
    expect(kept).toBeLessThan(5_000_000);
    expect(activity.affected({ org: "default", scope: "account", targetId: null }).agents).toHaveLength(
      1_001,
    );
  });

  it("K3: keeps the same agent and session of two organizations apart", () => {
    const opened: string[] = [];
    const activity = new ActivityWindow(new FakeClock(), ({ org }) => void opened.push(org));
    const call = { namespace: "ns", agentId: "a", sessionId: "s", tool: "t" };
    for (const org of ["one", "two", "one", "two"]) activity.note({ org, ...call });
    expect(opened).toEqual(["one", "two"]);
    for (const org of ["one", "two"]) {
      expect(activity.affected({ org, scope: "account", targetId: null }).agents).toEqual(["a"]);
    }
  });
});
