import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const WAIT_MS = 1_000;
const STAYS = new AbortController().signal;

function setUp({ turns = 1, turnsPerLane = 1 } = {}) {
  const queue = new FairQueue({ turns, turnsPerLane, waitMs: WAIT_MS });
  const served: string[] = [];
  const ends: (() => void)[] = [];
  const enter = async (agent: string, name = agent, signal = STAYS): Promise<string> => {
    const turn = await queue.enter(agent, signal);
    if (turn.kind !== "turn") return turn.kind;
    served.push(name);
    ends.push(() => turn.end());
    return turn.kind;
  };
  /** Ends the oldest turn and lets what follows from it happen. */
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { queue, served, ends, enter, endOne };
}

// proves FAIR-05
describe("FairQueue", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("lets an agent wait one round at most, however many calls of another one came before", async () => {
    const { served, enter, endOne } = setUp();
    const all = ["a1", "a2", "a3", "a4"].map((name) => enter("a", name));
    all.push(enter("b", "b1"), enter("c", "c1"));
    for (let at = 0; at < 6; at += 1) await endOne();
    await Promise.all(all);
    expect(served).toEqual(["a1", "a2", "b1", "c1", "a3", "a4"]);
  });

  it("gives one agent no more turns at once than its own bound, and the rest to others", async () => {
    const { queue, served, enter, endOne } = setUp({ turns: 3, turnsPerLane: 2 });
    for (const name of ["a1", "a2", "a3"]) void enter("a", name);
    void enter("b", "b1");
    await endOne();
    expect([served, queue.waiting]).toEqual([["a1", "a2", "b1"], 1]);
  });

  it("refuses who waited too long, and forgets who has gone", async () => {
    const { queue, enter, ends } = setUp();
    void enter("a");
    const gone = new AbortController();
    const leaves = enter("b", "b", gone.signal);
    const waits = enter("c");
    gone.abort();
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await Promise.all([leaves, waits])).toEqual(["gone", "waited"]);
    expect(queue.waiting).toBe(0);
    ends[0]?.();
    expect(await enter("d")).toBe("turn");
    expect(await enter("e", "e", gone.signal)).toBe("gone");
  });

  it("counts the end of a turn once", async () => {
    const { served, ends, enter } = setUp();
    await enter("a");
    ends[0]?.();
    ends[0]?.();
    void enter("b");
    void enter("c");
    await vi.advanceTimersByTimeAsync(0);
    expect(served).toEqual(["a", "b"]);
  });

  it("serves all agents in order, within their bounds, also when callers leave in between", async () => {
    const arrival = fc.record({
      agent: fc.constantFrom("a", "b", "c", "d"),
      leaves: fc.boolean(),
      endsBefore: fc.nat(3),
    });
    const bounds = fc.record({
      turns: fc.integer({ min: 1, max: 4 }),
      turnsPerLane: fc.integer({ min: 1, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(arrival, { maxLength: 40 }),
        bounds,
        async (arrivals, { turns, turnsPerLane }) => {
          const { queue, served, ends, enter, endOne } = setUp({ turns, turnsPerLane });
          const outcomes: Promise<string>[] = [];
          for (const [at, { agent, leaves, endsBefore }] of arrivals.entries()) {
            for (let ended = 0; ended < endsBefore; ended += 1) await endOne();
            const gone = new AbortController();
            outcomes.push(enter(agent, `${agent}${String(at).padStart(2, "0")}`, gone.signal));
            if (leaves) gone.abort();
            await vi.advanceTimersByTimeAsync(0);
            expect(ends.length).toBeLessThanOrEqual(turns);
          }
          while (queue.waiting > 0 || ends.length > 0) await endOne();
          const kinds = await Promise.all(outcomes);
          expect(kinds.filter((kind) => kind === "turn")).toHaveLength(served.length);
          for (const [at, { leaves }] of arrivals.entries()) if (!leaves) expect(kinds[at]).toBe("turn");
          for (const agent of ["a", "b", "c", "d"]) {
            const own = served.filter((name) => name.startsWith(agent));
            expect(own).toEqual([...own].sort());
          }
        },
      ),
      { numRuns: runs(60, 600) },
    );
  });
});
