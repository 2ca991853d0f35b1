import { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LateCommit, LedgerQueue } from "./ledger-queue.ts";
import { TestLedger } from "./testing/test-ledger.ts";

const DEADLINE_MS = 2_000;

const entry = (row: string) => ({ row, claims: NO_CLAIMS });

function setUp() {
  const ledger = new TestLedger();
  const clock = new FakeClock();
  const log = recordingLogger();
  const late: LateCommit[] = [];
  const failedRows: number[] = [];
  const queue = new LedgerQueue({
    ledger,
    clock,
    log,
    outage: {
      failed: (_part, _error, rows) => void failedRows.push(rows),
      recovered: () => void failedRows.push(0),
    },
  });
  const append = (row: string, deadlineMs = clock.ms + DEADLINE_MS) =>
    queue.append(entry(row), deadlineMs, (each) => void late.push(each));
  return { ledger, clock, log, late, queue, append, failedRows };
}

/** A commit that waits until it is told to go on. */
function heldCommit(ledger: TestLedger) {
  const held = Promise.withResolvers<void>();
  ledger.beforeCommit = () => held.promise;
  return held;
}

describe("LedgerQueue", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => vi.useRealTimers());

  it("puts what arrives during a commit into the next one", async () => {
    const { ledger, append } = setUp();
    const outcomes = await Promise.all(["a", "b", "c", "d"].map((row) => append(row)));
    expect(ledger.batches).toEqual([1, 3]);
    expect(ledger.rows).toEqual(["a", "b", "c", "d"]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(Array(4).fill("committed"));
  });

  // proves FAIR-07
  it("puts short rows before long ones, at most 512 KiB of them, and one long row into a batch", async () => {
    const { ledger, append } = setUp();
    const long = ["x", "y", "z"].map((letter) => letter.repeat(200 * 1024));
    const short = Array.from({ length: 20 }, (_, at) => String(at).padEnd(31 * 1024));
    await Promise.all(["first", ...long, ...short].map((row) => append(row)));
    expect(ledger.batches).toEqual([1, 17, 5, 1]);
    const [x, y, z] = long;
    expect(ledger.rows).toEqual(["first", ...short.slice(0, 16), x, ...short.slice(16), y, z]);
  });

  it("makes a whole batch unavailable when its commit fails, and goes on with the next", async () => {
    const { ledger, append } = setUp();
    ledger.beforeCommit = () => Promise.reject(new Error("disk full"));
    const failed = await append("a");
    expect(failed).toEqual({ kind: "unavailable", detail: "disk full" });
    ledger.beforeCommit = async () => undefined;
    expect((await append("b")).kind).toBe("committed");
    expect(ledger.rows).toEqual(["b"]);
  });

  it("L5: answers unavailable at the deadline of a hung store, and drops what still waits", async () => {
    const { ledger, clock, queue, late, append } = setUp();
    const held = heldCommit(ledger);
    const outcomes = Promise.all(["in flight", "waiting"].map((row) => append(row)));
    clock.ms += DEADLINE_MS;
    vi.advanceTimersByTime(100);
    expect((await outcomes).map((outcome) => outcome.kind)).toEqual(["unavailable", "unavailable"]);
    held.resolve();
    await queue.drain();
    expect(ledger.rows).toEqual(["in flight"]);
    expect(late.map(({ entry: { row }, position }) => [row, position.seq])).toEqual([["in flight", 0]]);
  });

  it("denies rows that the store did not answer for", async () => {
    const { ledger, append } = setUp();
    ledger.commit = async () => [];
    expect((await append("a")).kind).toBe("unavailable");
  });

  it("drains what is pending and in flight", async () => {
    const { ledger, queue, append } = setUp();
    void append("a");
    void append("b");
    await queue.drain();
    expect(ledger.rows).toEqual(["a", "b"]);
  });

  it("reports each failed commit with its rows, and the next one that succeeds", async () => {
    const { ledger, append, failedRows, log } = setUp();
    ledger.beforeCommit = () => Promise.reject(new Error("disk full"));
    await Promise.all(["a", "b", "c"].map((row) => append(row)));
    expect(failedRows).toEqual([1, 2]);
    ledger.beforeCommit = async () => undefined;
    await append("a");
    expect(failedRows).toEqual([1, 2, 0]);
    expect(log.messages).toEqual([]);
  });

  it("holds each row to its own deadline, in whatever order they came", async () => {
    const { ledger, clock, append } = setUp();
    const held = heldCommit(ledger);
    const inFlight = append("in flight");
    const patient = append("patient", clock.ms + 5_000);
    const hasty = append("hasty", clock.ms + 100);
    clock.ms += 100;
    vi.advanceTimersByTime(100);
    expect((await hasty).kind).toBe("unavailable");
    held.resolve();
    expect([(await inFlight).kind, (await patient).kind]).toEqual(["committed", "committed"]);
    expect(ledger.rows).toEqual(["in flight", "patient"]);
  });
});
