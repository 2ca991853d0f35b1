import { describe, expect, it } from "vitest";
import { MAX_LINGERING_CALLS } from "../limits.ts";
import { KillScopes } from "./kill-scopes.ts";
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

describe("M17: lingering calls", () => {
  it("a kill switch finds them however many another agent leaves", () => {
    const { calls, barred, linger } = lingering();
    linger("a", "mine");
    for (let count = 0; count < MAX_LINGERING_CALLS; count += 1) linger("b", "b");
    expect(barred).toEqual(["b"]);
    calls.enforce(KILL);
    expect(barred).toContain("mine");
  });

  it("an evicted call is barred, because no kill switch would find it", () => {
    const { barred, linger } = lingering();
    linger("a", "mine");
    for (let count = 0; count < MAX_LINGERING_CALLS; count += 1) linger("a", "other");
    expect(barred).toEqual(["mine"]);
  });

  it("a settled call takes no room, whether it settled before or after its connection ended", () => {
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
