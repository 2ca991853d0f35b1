import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { SLICE_MS, TURN_WAIT_MS } from "./limits.ts";
import { ThreadSlices } from "./thread-slices.ts";

const STAYS = new AbortController().signal;

/** A clock that only work moves: a busy machine would fill a slice by itself. */
let nowMs = 0;

beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => void vi.restoreAllMocks());

/** Holds the thread for half a slice: two calls fill one. */
function holdThread(): void {
  nowMs += SLICE_MS / 2;
}

function setUp() {
  const refused = vi.fn();
  const slices = new ThreadSlices({ refused });
  const served: string[] = [];
  const run = async (agent: string, name = agent, gone = STAYS) =>
    slices.run({
      agent: () => agent,
      gone: () => gone,
      work: async () => {
        served.push(name);
        holdThread();
        return name;
      },
    });
  return { slices, refused, served, run };
}

// proves FAIR-12
describe("ThreadSlices", () => {
  it("decides at once while the thread has time, and asks nothing of the call", () => {
    const { slices } = setUp();
    const asked = vi.fn();
    const work = vi.fn(async () => "done");
    void slices.run({ agent: asked, gone: asked, work });
    expect(work).toHaveBeenCalledOnce();
    expect(asked).not.toHaveBeenCalled();
  });

  it("serves another agent next but one, however many costly calls of one agent came before", async () => {
    const { served, run } = setUp();
    const all = Array.from({ length: 40 }, (_, at) => run("a", `a${String(at).padStart(2, "0")}`));
    all.push(run("b"));
    await Promise.all(all);
    expect(served.indexOf("b")).toBeLessThanOrEqual(4);
    const own = served.filter((name) => name !== "b");
    expect(own).toEqual(own.toSorted());
  });

  it("lets the event loop turn between two slices", async () => {
    const { run } = setUp();
    let rounds = 0;
    let running = true;
    const count = (): void => {
      rounds += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 20 }, () => run("a")));
    running = false;
    expect(rounds).toBeGreaterThanOrEqual(5);
  });

  it("does no work for a caller that has gone", async () => {
    const { slices, served, run } = setUp();
    const gone = new AbortController();
    const all = ["a1", "a2", "a3"].map((name) => run("a", name));
    const left = run("a", "left", gone.signal);
    gone.abort();
    expect(await left).toBeNull();
    await Promise.all(all);
    expect([served, slices.waiting]).toEqual([["a1", "a2", "a3"], 0]);
  });

  it("refuses a call that waited too long, by name", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { refused, run } = setUp();
    // Two fill the slice, the third has the next turn, the fourth waits.
    const all = ["a1", "a2", "a3", "a4"].map((name) => run("a", name));
    vi.advanceTimersByTime(TURN_WAIT_MS);
    const answers = await Promise.all(all);
    expect(answers).toEqual(["a1", "a2", "a3", expect.objectContaining({ code: "overloaded" })]);
    expect(refused.mock.calls).toEqual([["wait"]]);
  });

  it("goes on after work that throws before its first wait", async () => {
    const { slices, run } = setUp();
    const all = [run("a", "a1"), run("a", "a2")];
    const thrown = slices.run({
      agent: () => "a",
      gone: () => STAYS,
      work: () => {
        throw new Error("a defect");
      },
    });
    await expect(thrown).rejects.toThrow("a defect");
    await Promise.all([...all, run("a", "a3")]);
  });
});
