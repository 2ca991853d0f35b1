import { nodeTimers } from "@svc/process/timers";
import { NoPrimaryError } from "@svc/store/database-outage";
import { describe, expect, it } from "vitest";
import { startWhenReachable } from "./start-when-reachable.ts";

/** Timers that fire at once. */
const timers = { ...nodeTimers, after: (_ms: number, wake: () => void) => nodeTimers.after(0, wake) };

function attempts(results: readonly (Error | string)[]) {
  const lines: string[] = [];
  const left = [...results];
  const start = (): Promise<string> => {
    const next = left.shift() ?? new NoPrimaryError("away");
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const say = (_: object, text: string): void => void lines.push(text);
  const log = { error: say, info: say };
  return { options: { start, timers, log }, lines };
}

describe("a start whose database", () => {
  it("is there is done with the first attempt", async () => {
    const { options, lines } = attempts(["server"]);
    const starting = await startWhenReachable(options);
    expect(starting.first).toBe("server");
    expect(await starting.started).toBe("server");
    await starting.stop();
    expect(lines).toEqual([]);
  });

  it("is away is tried again, and says so once", async () => {
    const away = (): Error => new Error("cannot be opened", { cause: new NoPrimaryError("away") });
    const { options, lines } = attempts([away(), away(), away(), "server"]);
    const starting = await startWhenReachable(options);
    expect(starting.first).toBeNull();
    expect(await starting.started).toBe("server");
    expect(lines).toEqual([
      "the database cannot be reached: every call is denied until it can, and attempts go on",
      "the database was reached",
    ]);
  });

  it("refuses us fails, at the first attempt and at a later one", async () => {
    const refused = new Error("the audit log has lost rows");
    await expect(startWhenReachable(attempts([refused]).options)).rejects.toThrow(refused);
    const later = await startWhenReachable(attempts([new NoPrimaryError("away"), refused]).options);
    await expect(later.started).rejects.toThrow(refused);
    expect(later.isStopped).toBe(false);
  });

  it("stays away ends with the process", async () => {
    const starting = await startWhenReachable(attempts([]).options);
    await starting.stop();
    await expect(starting.started).rejects.toThrow("stopped before the database could be reached");
    expect(starting.isStopped).toBe(true);
  });
});
