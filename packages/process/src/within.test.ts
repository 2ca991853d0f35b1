import { describe, expect, it } from "vitest";
import type { Timers } from "./timers.ts";
import { valueWithin, within } from "./within.ts";

const LONG_MS = 60_000;

function never<Value>(): Promise<Value> {
  return Promise.withResolvers<Value>().promise;
}

/** Timers whose one timer fires at `expire`. */
function manualTimers() {
  const due: (() => void)[] = [];
  const cancelled: (() => void)[] = [];
  const timers: Timers = {
    after: (_delayMs, run) => {
      due.push(run);
      return () => cancelled.push(run);
    },
  };
  return { timers, cancelled, expire: () => due.forEach((run) => run()) };
}

describe("within", () => {
  it("yields the value of work that ends in time, and cancels its timer", async () => {
    const { timers, cancelled } = manualTimers();
    expect(await within(LONG_MS, Promise.resolve(7), timers)).toEqual({ kind: "in_time", value: 7 });
    expect(cancelled).toHaveLength(1);
  });

  it("says that work is late", async () => {
    const { timers, expire } = manualTimers();
    const outcome = within(LONG_MS, never(), timers);
    expire();
    expect(await outcome).toEqual({ kind: "late" });
  });

  it("throws what the work throws in time", async () => {
    await expect(within(LONG_MS, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });

  it("ignores a failure that comes after the limit", async () => {
    const { timers, expire } = manualTimers();
    const work = Promise.withResolvers<never>();
    const outcome = within(LONG_MS, work.promise, timers);
    expire();
    work.reject(new Error("too late"));
    // An unhandled rejection would fail the run.
    expect(await outcome).toEqual({ kind: "late" });
  });
});

describe("valueWithin", () => {
  it("yields the value, and throws its message when the work is late", async () => {
    expect(await valueWithin(LONG_MS, Promise.resolve("x"), "late")).toBe("x");
    await expect(valueWithin(1, never(), "the store did not answer")).rejects.toThrow(
      "the store did not answer",
    );
  });
});
