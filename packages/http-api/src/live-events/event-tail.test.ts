import type { EventPage, EventQuery, EventRow } from "@svc/store/ports/event-rows";
import { expect, it } from "vitest";
import { EventRing } from "./event-ring.ts";
import { EventTail } from "./event-tail.ts";
import { MAX_LAG_ROWS, RING_BYTES } from "./limits.ts";

const eventOf = (logId: string, seq: number): EventRow => ({
  logId,
  seq,
  org: "default",
  kind: "decision",
  agentId: "a",
  namespace: "n",
  decision: "allow",
  data: "{}",
});

/** A tail of logs whose sizes the test sets, with polls when the test says. */
function setUp() {
  const sizes = new Map([["gw_1", 5]]);
  const told: string[] = [];
  const polls: (() => void)[] = [];
  let gate: Promise<void> = Promise.resolve();
  const eventRows = async ({ from, limit }: EventQuery): Promise<EventPage> => {
    const now = new Map(sizes);
    const events = [...from].flatMap(([logId, start]) =>
      Array.from({ length: Math.min(limit, Math.max(0, (now.get(logId) ?? 0) - start)) }, (_, at) =>
        eventOf(logId, start + at),
      ),
    );
    const next = new Map(from);
    for (const { logId, seq } of events) next.set(logId, seq + 1);
    await gate;
    return { events, next, sizes: now, unreadable: 0 };
  };
  const ring = new EventRing(RING_BYTES);
  const tail = new EventTail({
    audit: { eventRows },
    timers: { after: (_, run) => (polls.push(run), () => undefined) },
    log: { warn: (_: unknown, text?: string) => void told.push(text ?? "") },
    ring,
    onEvents: () => void told.push("events"),
  });
  const poll = async (): Promise<void> => {
    polls.shift()?.();
    await new Promise(setImmediate);
  };
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { sizes, told, ring, tail, poll, hold };
}

it("begins at the end of the logs, and reads a log that is new from its first row on", async () => {
  const { sizes, told, ring, tail, poll } = setUp();
  await tail.start();
  sizes.set("gw_1", 7).set("gw_2", 3);
  await poll();
  await poll();
  expect([ring.end - ring.first, ring.headId, told]).toEqual([5, "gw_1=7,gw_2=3", ["events", "events"]]);
});

it("goes on at the end of a log that has become shorter, and of one that it lags behind", async () => {
  for (const size of [2, 5 + MAX_LAG_ROWS + 1_000]) {
    const { sizes, told, ring, tail, poll } = setUp();
    await tail.start();
    const { end } = ring;
    sizes.set("gw_1", size);
    await poll();
    expect(ring.first).toBeGreaterThan(end);
    expect([ring.end - ring.first, ring.positions.get("gw_1")]).toEqual([0, size]);
    expect(told).toEqual(
      size === 2
        ? ["the log is shorter than before; the event stream goes on at its end", "events"]
        : ["events"],
    );
    sizes.set("gw_1", size + 1);
    await poll();
    expect(ring.headId).toBe(`gw_1=${String(size + 1)}`);
  }
});

it("does not send what an earlier run was reading when its last reader left", async () => {
  const { sizes, told, ring, tail, poll, hold } = setUp();
  await tail.start();
  sizes.set("gw_1", 7);
  const letGo = hold();
  await poll();
  tail.stop();
  const started = tail.start();
  letGo();
  await started;
  expect([ring.end - ring.first, ring.headId, told]).toEqual([0, "gw_1=7", []]);
});
