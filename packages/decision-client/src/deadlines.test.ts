import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Deadlines, type Waiting } from "./deadlines.ts";

const TIMEOUT_MS = 100;

/** Deadlines under a clock that the test moves, and the names of those that expired, with the time. */
function startDeadlines(monotonicMs?: () => number) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = monotonicMs ?? ((): number => performance.now());
  const deadlines = new Deadlines(TIMEOUT_MS, clock);
  const startMs = performance.now();
  const expired: [name: string, atMs: number][] = [];
  const begin = (name: string, onExpired = (): void => {}): Waiting => {
    const waiting: Waiting = {
      startedMs: 0,
      earlier: null,
      later: null,
      onExpired: () => {
        expired.push([name, performance.now() - startMs]);
        onExpired();
      },
    };
    deadlines.begin(waiting);
    return waiting;
  };
  const pass = (ms: number): void => void vi.advanceTimersByTime(ms);
  return { deadlines, begin, pass, expired };
}

// proves FAIL-02
describe("one timer for all deadlines", () => {
  it("each expires at its own time, in the order in which they began", () => {
    const { begin, pass, expired } = startDeadlines();
    begin("a");
    pass(30);
    begin("b");
    begin("c");
    pass(69);
    expect(expired).toEqual([]);
    pass(1);
    expect(expired).toEqual([["a", 100]]);
    pass(100);
    expect(expired.slice(1)).toEqual([
      ["b", 130],
      ["c", 130],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("those that end do not expire, wherever they stand, and end once", () => {
    const { deadlines, begin, pass, expired } = startDeadlines();
    const names = ["a", "b", "c", "d", "e"];
    const [a, , c, , e] = names.map((name) => {
      pass(10);
      return begin(name);
    });
    for (const waiting of [a, c, e, a, c]) deadlines.end(waiting as Waiting);
    pass(1_000);
    expect(expired).toEqual([
      ["b", 120],
      ["d", 140],
    ]);
  });

  it("one that begins on the timer of another still has all of its time", () => {
    const { deadlines, begin, pass, expired } = startDeadlines();
    deadlines.end(begin("answered"));
    pass(99);
    begin("late");
    pass(99);
    expect(expired).toEqual([]);
    pass(1);
    expect(expired).toEqual([["late", 199]]);
  });

  it("one that begins while another expires has its own time, and so have those before it", () => {
    const { begin, pass, expired } = startDeadlines();
    begin("a", () => void begin("d"));
    pass(40);
    begin("b");
    pass(200);
    expect(expired).toEqual([
      ["a", 100],
      ["b", 140],
      ["d", 200],
    ]);
  });

  it("one that ends another while it expires", () => {
    const { deadlines, begin, pass, expired } = startDeadlines();
    begin("a", () => deadlines.end(b));
    const b = begin("b");
    begin("c");
    pass(100);
    expect(expired.map(([name]) => name)).toEqual(["a", "c"]);
  });

  it("an error of one that expires does not take their deadline from the others", () => {
    const { begin, pass, expired } = startDeadlines();
    begin("a", () => {
      throw new Error("defect");
    });
    begin("b");
    expect(() => pass(100)).toThrow("defect");
    pass(100);
    expect(expired.map(([name]) => name)).toEqual(["a", "b"]);
  });

  it("a clock that fails, or stands still, keeps nobody waiting for ever", () => {
    let fails = false;
    const { begin, pass, expired } = startDeadlines(() => {
      if (fails) throw new Error("no clock");
      return 0;
    });
    begin("a");
    begin("b");
    pass(100);
    expect(expired).toEqual([["a", 100]]);
    begin("c");
    fails = true;
    pass(100);
    expect(expired.slice(1)).toEqual([
      ["b", 200],
      ["c", 200],
    ]);
    expect(() => begin("d")).toThrow("no clock");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a timer that nobody waits for does not keep the process alive", () => {
    const deadlines = new Deadlines(60_000, () => performance.now());
    const holding = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const before = holding();
    const waiting: Waiting = { startedMs: 0, earlier: null, later: null, onExpired: () => {} };
    for (let turn = 0; turn < 2; turn += 1) {
      deadlines.begin(waiting);
      expect(holding()).toBe(before + 1);
      deadlines.end(waiting);
      expect(holding()).toBe(before);
    }
  });
});
