import { describe, expect, it } from "vitest";
import { KillScopes } from "./kill-scopes.ts";
import { MAX_LINGERING_CALLS } from "../limits.ts";
import { type RunningCall, RunningCalls } from "./running-calls.ts";

const KILL = new KillScopes([{ id: "ks_1", scope: "tool", target: "t", accountWide: false }]);

interface Lingering {
  readonly calls: RunningCalls;
  /** What may not be fetched any more. */
  readonly barred: string[];
  readonly linger: (agentId: string, name: string) => RunningCall;
}

function lingering(): Lingering {
  const calls = new RunningCalls({ monotonicMs: () => 0, onKilled: () => {} });
  const barred: string[] = [];
  const linger = (agentId: string, name: string): RunningCall => {
    const scope = { agentId, namespace: null, sessionId: null, tool: "t" };
    const running = calls.start({ scope, onBarred: () => barred.push(name) });
    running.linger();
    running.release();
    return running;
  };
  return { calls, barred, linger };
}

describe("M17: calls that go on without a connection", () => {
  it("a kill finds them behind as many as another agent likes to leave", () => {
    const { calls, barred, linger } = lingering();
    linger("a", "mine");
    for (let count = 0; count < MAX_LINGERING_CALLS; count += 1) linger("b", "b");
    expect(barred).toEqual(["b"]);
    calls.enforce(KILL);
    expect(barred).toContain("mine");
  });

  it("one that a kill would not find any more cannot be fetched", () => {
    const { barred, linger } = lingering();
    linger("a", "mine");
    for (let count = 0; count < MAX_LINGERING_CALLS; count += 1) linger("a", "other");
    expect(barred).toEqual(["mine"]);
  });

  it("one whose answer was fetched, before or after its connection ended, takes no room", () => {
    const { calls, barred, linger } = lingering();
    linger("a", "after").settle();
    const scope = { agentId: "a", namespace: null, sessionId: null, tool: "t" };
    const before = calls.start({ scope, onBarred: () => barred.push("before") });
    before.settle();
    before.linger();
    before.release();
    calls.enforce(KILL);
    expect(barred).toEqual([]);
  });
});
