import type { LogPositions } from "@svc/store/ports/event-rows";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { LogCursor } from "./log-cursor.ts";
import { LogTail } from "./log-tail.ts";

const LOGS = ["a", "b", "c"] as const;

/** Rows of one batch, as count. */
const BATCH = 5;

const never = new AbortController().signal;

interface Batch {
  readonly rows: readonly string[];
  readonly next: LogPositions;
  readonly sizes: LogPositions;
}

/** Logs that grow as the test says, read as the store reads them: in the order of the question. */
class GrowingLogs {
  readonly sizes = new Map<string, number>();

  append(logId: string, count: number): void {
    this.sizes.set(logId, (this.sizes.get(logId) ?? 0) + count);
  }

  readonly read = async (from: LogPositions): Promise<Batch> => {
    const sizes = new Map(this.sizes);
    const next = new Map(from);
    const rows: string[] = [];
    for (const [logId, start] of from) {
      const end = Math.max(start, Math.min(sizes.get(logId) ?? 0, start + BATCH - rows.length));
      for (let seq = start; seq < end; seq += 1) rows.push(`${logId}.${String(seq)}`);
      next.set(logId, end);
    }
    return { rows, next, sizes };
  };
}

/** What outlives a crash: the cursor, and what the work has done. */
class Durable implements LogCursor {
  readonly at = new Map<string, number>();
  readonly seen: string[] = [];
  positions = (): LogPositions => new Map(this.at);
  move = async (to: LogPositions): Promise<void> => {
    for (const [logId, next] of to) {
      // The cursor never passes a row whose work is not done.
      expect(this.seen).toContain(`${logId}.${String(next - 1)}`);
      this.at.set(logId, next);
    }
  };
}

function follow({ read }: GrowingLogs, durable: Durable, crash: Crash = "none"): LogTail<Batch> {
  const at = (place: Crash): void => {
    if (crash === place) throw new Error(`crashed: ${place}`);
  };
  return new LogTail({
    cursor: {
      positions: durable.positions,
      move: async (to) => {
        at("before the move");
        await durable.move(to);
        at("after the move");
      },
    },
    read: async (from) => {
      at("in the read");
      return read(from);
    },
    work: ({ rows }) => {
      expect(rows.length).toBeLessThanOrEqual(BATCH);
      at("before the work");
      durable.seen.push(...rows);
    },
  });
}

async function catchUp(tail: LogTail<Batch>): Promise<void> {
  while (await tail.step(never));
}

const CRASHES = ["none", "in the read", "before the work", "before the move", "after the move"] as const;
type Crash = (typeof CRASHES)[number];

const acts = fc.array(
  fc.oneof(
    fc.record({ append: fc.constantFrom(...LOGS), count: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ steps: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ crash: fc.constantFrom(...CRASHES) }),
  ),
  { maxLength: 40 },
);

it("sees each row in its log's order, and again only after a crash before the cursor moved", async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const logs = new GrowingLogs();
      const durable = new Durable();
      let tail = follow(logs, durable);
      let repeatable = 0;
      for (const act of all) {
        if ("append" in act) logs.append(act.append, act.count);
        else if ("steps" in act) {
          for (let left = act.steps; left > 0; left -= 1) await tail.step(never);
        } else {
          const seen = durable.seen.length;
          const crashing = follow(logs, durable, act.crash);
          await catchUp(crashing).catch(() => undefined);
          if (act.crash === "before the move") repeatable += durable.seen.length - seen;
          tail = follow(logs, durable);
        }
      }
      await catchUp(tail);
      for (const logId of LOGS) {
        const own = durable.seen.filter((id) => id.startsWith(logId));
        const rows = [...Array(logs.sizes.get(logId) ?? 0).keys()].map((n) => `${logId}.${String(n)}`);
        expect([...new Set(own)]).toEqual(rows);
      }
      expect(durable.at).toEqual(logs.sizes);
      expect(durable.seen.length - new Set(durable.seen).size).toBeLessThanOrEqual(repeatable);
    }),
  );
});

it("reads a log that commits late, however long another one keeps the batches full", async () => {
  const logs = new GrowingLogs();
  const durable = new Durable();
  const tail = follow(logs, durable);
  logs.append("a", 1_000);
  for (let step = 0; step < 20; step += 1) await tail.step(never);
  logs.append("b", 1);
  await tail.step(never);
  await tail.step(never);
  expect(durable.seen).toContain("b.0");
  expect(durable.at.get("a")).toBeLessThan(1_000);
});

it("refuses a cursor beyond its log, and one of a log that is gone, and says why", async () => {
  for (const [size, has] of [
    [3, "3"],
    [0, "0"],
  ] as const) {
    const logs = new GrowingLogs();
    const durable = new Durable();
    if (size > 0) logs.append("a", size);
    logs.append("b", 1);
    durable.at.set("a", 7);
    await expect(follow(logs, durable).step(never)).rejects.toThrow(
      `the cursor stands at row 7 of the log a, which has ${has} rows; ` +
        "a backup of the database may have been restored",
    );
    expect([durable.seen, durable.at.get("b")]).toEqual([[], undefined]);
  }
});

it("leaves a batch that was being read when it was stopped", async () => {
  const logs = new GrowingLogs();
  const durable = new Durable();
  logs.append("a", 3);
  durable.at.set("a", 0);
  const stopping = new AbortController();
  const step = follow(logs, durable).step(stopping.signal);
  stopping.abort();
  expect([await step, durable.seen]).toEqual([false, []]);
});
