import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AUDIT_DEADLINE_MS, type LateCommit, LedgerQueue } from "./ledger-queue.ts";
import { FakeClock, recordingLog } from "./testing/fake-ports.ts";
import { FakeLedger } from "./testing/fake-store.ts";

const entry = (row: string) => ({ row, reservation: null });

function setUp() {
  const ledger = new FakeLedger();
  const clock = new FakeClock();
  const late: LateCommit[] = [];
  const queue = new LedgerQueue({
    ledger,
    clock,
    log: recordingLog(),
    onLateCommit: (row) => late.push(row),
  });
  return { ledger, clock, late, queue };
}

/** A commit that waits until it is told to go on. */
function heldCommit(ledger: FakeLedger) {
  const held = Promise.withResolvers<void>();
  ledger.beforeCommit = () => held.promise;
  return held;
}

describe("LedgerQueue", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => vi.useRealTimers());

  it("puts what arrives during a commit into the next one", async () => {
    const { ledger, queue } = setUp();
    const outcomes = await Promise.all(["a", "b", "c", "d"].map((row) => queue.append(entry(row))));
    expect(ledger.batches).toEqual([1, 3]);
    expect(ledger.rows).toEqual(["a", "b", "c", "d"]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(Array(4).fill("committed"));
  });

  it("makes a whole batch unavailable when its commit fails, and goes on with the next", async () => {
    const { ledger, queue } = setUp();
    ledger.beforeCommit = () => Promise.reject(new Error("disk full"));
    const failed = await queue.append(entry("a"));
    expect(failed).toEqual({ kind: "unavailable", detail: "disk full" });
    ledger.beforeCommit = async () => undefined;
    expect((await queue.append(entry("b"))).kind).toBe("committed");
    expect(ledger.rows).toEqual(["b"]);
  });

  it("L5: answers unavailable at the deadline of a hung store, and drops what still waits", async () => {
    const { ledger, clock, queue, late } = setUp();
    const held = heldCommit(ledger);
    const outcomes = Promise.all(["in flight", "waiting"].map((row) => queue.append(entry(row))));
    clock.ms += AUDIT_DEADLINE_MS;
    vi.advanceTimersByTime(100);
    expect((await outcomes).map((outcome) => outcome.kind)).toEqual(["unavailable", "unavailable"]);
    held.resolve();
    await queue.drain();
    expect(ledger.rows).toEqual(["in flight"]);
    expect(late.map(({ entry: { row }, position }) => [row, position.seq])).toEqual([["in flight", 0]]);
  });

  it("denies rows that the store did not answer for", async () => {
    const { ledger, queue } = setUp();
    ledger.commit = async () => [];
    expect((await queue.append(entry("a"))).kind).toBe("unavailable");
  });

  it("drains what is pending and in flight", async () => {
    const { ledger, queue } = setUp();
    void queue.append(entry("a"));
    void queue.append(entry("b"));
    await queue.drain();
    expect(ledger.rows).toEqual(["a", "b"]);
  });
});
