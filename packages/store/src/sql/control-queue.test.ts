import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ControlQueue, queueKey } from "./control-queue.ts";

/** Milliseconds that one change takes here. */
const CHANGE_MS = 100;

function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}

describe("ControlQueue", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function setUp() {
    const turns = new ControlQueue();
    const done: string[] = [];
    const change = async (org: string, kind: "urgent" | "ordinary"): Promise<void> => {
      await turns.run(queueKey(org, kind), async () => pause(CHANGE_MS));
      done.push(`${org} ${kind}`);
    };
    return { done, change };
  }

  it("serves organizations in rotation, and what stops calls apart from the rest", async () => {
    const { done, change } = setUp();
    const flood = Array.from({ length: 10 }, () => change("a", "ordinary"));
    const others = [change("a", "urgent"), change("b", "ordinary")];
    await vi.advanceTimersByTimeAsync(2 * CHANGE_MS);
    await Promise.all(others);
    expect(done.filter((name) => name === "a ordinary").length).toBeLessThanOrEqual(2);
    await vi.advanceTimersByTimeAsync(10 * CHANGE_MS);
    await Promise.all(flood);
    expect(done).toHaveLength(12);
  });

  it("refuses what waited too long before it has begun, and goes on after a fault", async () => {
    const turns = new ControlQueue();
    const begun: number[] = [];
    const fails = async (): Promise<never> => {
      begun.push(1);
      await pause(10_000);
      throw new Error("the store failed");
    };
    const [first, second] = await Promise.all([
      turns.run("a", fails).catch(String),
      turns.run("a", fails).catch(String),
      vi.advanceTimersByTimeAsync(10_000),
    ]);
    expect(first).toContain("the store failed");
    expect(second).toContain("too many changes at once: no turn within 2500 ms");
    expect(begun).toHaveLength(1);
    expect(await turns.run("a", () => Promise.resolve("third"))).toBe("third");
  });
});
