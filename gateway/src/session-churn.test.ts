import { FakeClock } from "@svc/process/testing/fake-clock";
import { describe, expect, it } from "vitest";
import { ActivityWindow } from "./activity-window.ts";
import { type Churn, ORDINARY_SESSIONS_PER_WINDOW, SessionChurn } from "./session-churn.ts";
import { keptBytes, namesInBody } from "./testing/kept-bytes.ts";

function setUp() {
  const clock = new FakeClock();
  const reported: Churn[] = [];
  const churn = new SessionChurn(clock, (found) => reported.push(found));
  const activity = new ActivityWindow(clock, (target) => churn.opened(target));
  const call = (sessionId: string | null, agentId = "agent-1") =>
    activity.note({ org: "default", namespace: "default", agentId, sessionId, tool: "t" });
  return { clock, reported, call };
}

describe("SessionChurn", () => {
  it("E14: reports an agent that names 1,000 sessions within a minute, once a minute", () => {
    const { clock, reported, call } = setUp();
    for (let at = 0; at < 1_000; at += 1) {
      call(`s-${String(at)}`);
      clock.ms += 30;
    }
    const sessions = ORDINARY_SESSIONS_PER_WINDOW + 1;
    expect(reported).toEqual([{ org: "default", agentId: "agent-1", sessions }]);
    clock.ms += 60_000;
    for (let at = 0; at < 1_000; at += 1) call(`t-${String(at)}`);
    expect(reported).toHaveLength(2);
  });

  it("says nothing about many calls in few sessions, of calls without one, and of many agents", () => {
    const { reported, call } = setUp();
    for (let at = 0; at < 1_000; at += 1) {
      call(`s-${String(at % 50)}`);
      call(null);
      call("s", `agent-${String(at)}`);
    }
    expect(reported).toEqual([]);
  });

  it("keeps the names of agents, and not the bodies that they came in", () => {
    const churn = new SessionChurn(new FakeClock(), () => undefined);
    const kept = keptBytes(() => {
      for (let at = 0; at < 1_000; at += 1) {
        const { agentId } = namesInBody({ agentId: `agent-number-${String(at)}` });
        churn.opened({ org: "default", agentId });
      }
    });
    // The bodies have 15 MB.
    expect(kept).toBeLessThan(2_000_000);
    churn.opened({ org: "default", agentId: "a" });
  });
});
