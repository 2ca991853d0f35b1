import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLimitedWarnings } from "./limited-warnings.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

// proves OPS-35
describe("warnings that callers can cause at will", () => {
  it("are written at once, then counted, and each kind by itself", () => {
    const lines: unknown[] = [];
    const warn = createLimitedWarnings(
      { warn: (fields, message) => void lines.push([fields, message]) },
      1_000,
    );
    for (let index = 0; index < 100; index += 1) warn("host", { host: `h${String(index)}` }, "refused");
    warn("key", {}, "key refused");
    expect(lines).toEqual([
      [{ host: "h0" }, "refused"],
      [{}, "key refused"],
    ]);
    vi.advanceTimersByTime(1_000);
    expect(lines.slice(2)).toEqual([[{ host: "h99", count: 99 }, "refused"]]);
  });

  it("are written at once again after a quiet time", () => {
    const lines: unknown[] = [];
    const warn = createLimitedWarnings({ warn: (fields) => void lines.push(fields) }, 1_000);
    warn("host", { n: 1 }, "refused");
    vi.advanceTimersByTime(1_000);
    warn("host", { n: 2 }, "refused");
    warn("host", { n: 3 }, "refused");
    vi.advanceTimersByTime(10_000);
    expect(lines).toEqual([{ n: 1 }, { n: 2 }, { n: 3, count: 1 }]);
  });
});
