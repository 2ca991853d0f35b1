import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AgentPace } from "./agent-pace.ts";

const WAIT_MS = 1_000;
const STAYS = new AbortController().signal;

function setUp(bytesAtOnce = 10) {
  const pace = new AgentPace({ bytesAtOnce, waitMs: WAIT_MS });
  const served: string[] = [];
  const ends: (() => void)[] = [];
  const enter = async (name: string, bytes = 10, signal = STAYS): Promise<string> => {
    const turn = await pace.enter({ agent: name.slice(0, 1), bytes }, signal);
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
  return { served, ends, enter, endOne };
}

// proves FAIR-12
describe("AgentPace", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("lets one agent's calls begin in their order, and another agent's at once", async () => {
    const { served, enter, endOne } = setUp();
    const all = ["a1", "a2", "a3", "b1"].map((name) => enter(name));
    await vi.advanceTimersByTimeAsync(0);
    expect(served).toEqual(["a1", "b1"]);
    for (let at = 0; at < 4; at += 1) await endOne();
    await Promise.all(all);
    expect(served).toEqual(["a1", "b1", "a2", "a3"]);
  });

  it("counts bytes: many short calls begin together, a long one keeps the next waiting", async () => {
    const { served, enter, endOne } = setUp();
    for (const name of ["a1", "a2", "a3"]) void enter(name, 3);
    void enter("a4", 9);
    void enter("a5", 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(served).toEqual(["a1", "a2", "a3", "a4"]);
    for (let at = 0; at < 3; at += 1) await endOne();
    expect(served).toEqual(["a1", "a2", "a3", "a4", "a5"]);
  });

  it("refuses who waited too long, forgets who has gone, and counts the end of a turn once", async () => {
    const { enter, ends, served } = setUp();
    void enter("a1");
    const gone = new AbortController();
    const leaves = enter("a2", 10, gone.signal);
    const waits = enter("a3");
    gone.abort();
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await Promise.all([leaves, waits])).toEqual(["gone", "waited"]);
    expect(await enter("a4", 10, gone.signal)).toBe("gone");
    void enter("a5");
    void enter("a6");
    ends[0]?.();
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(served).toEqual(["a1", "a5"]);
  });
});
