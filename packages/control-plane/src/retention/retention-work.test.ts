import { Readable } from "node:stream";
import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { parseExport } from "@svc/audit-log/parse-export";
import { type Removal, type SeqRange, signRemoval } from "@svc/audit-log/removal";
import { verifyExport } from "@svc/audit-log/verify-export";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import type { AuditStore } from "@svc/store/ports/audit-store";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import type { RetentionStore } from "@svc/store/ports/retention-store";
import { type MemoryStore, openMemoryStore } from "@svc/store/testing/memory-store";
import { describe, expect, it } from "vitest";
import { auditExport } from "../audit/audit-export.ts";
import { FakeTime } from "../testing/fake-time.ts";
import { judgeClock } from "./clock-witness.ts";
import { RetentionWork } from "./retention-work.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const signer = parseSigner("svc-test", generateSigningKey());

/** A log that grows day by day, and what removes its old rows. */
function testLog() {
  const time = new FakeTime();
  const store = openMemoryStore({ logId: "gw" });
  const { audit, ledger } = store;
  const log = recordingLogger();
  const append = async (rows: number): Promise<void> => {
    const text = JSON.stringify({ v: 1, kind: "policy", org: "acme", time: time.now().toISOString() });
    await ledger.commit(Array.from({ length: rows }, () => ({ row: text, claims: NO_CLAIMS })));
  };
  const sign = async (): Promise<void> => {
    const [head] = await audit.heads();
    if (head !== undefined)
      await audit.appendCheckpoint({ logId: "gw", size: head.size, note: signCheckpoint(signer, head) });
  };
  const run = testWork(store, time, store.retention, log);
  return { time, store, audit, append, sign, run, log };
}

async function verified(audit: AuditStore, sign: () => Promise<void>) {
  const chunks = auditExport({ audit, org: "acme", sign });
  const [report] = await verifyExport({
    records: parseExport(Readable.from(chunks)),
    evidence: Readable.from([]),
    keys: [signer.verifier],
  });
  return report;
}

describe("RetentionWork", () => {
  // proves AUD-24
  it("removes what is past its time, block by block, and the export still verifies", async () => {
    const { time, audit, append, sign, run } = testLog();
    await append(700);
    await time.advance(20 * DAY_MS);
    await append(100);
    await sign();
    expect(await run()).toBe(0);
    await time.advance(11 * DAY_MS);
    expect(await run()).toBe(700);
    expect(await verified(audit, sign)).toMatchObject({
      verdict: "intact",
      rows: 803,
      removed: { rows: 700, last: "2026-02-01T00:00:00.000Z" },
    });
    expect(await run()).toBe(0);
    await time.advance(20 * DAY_MS);
    expect(await run()).toBe(100);
    expect(await verified(audit, sign)).toMatchObject({
      verdict: "intact",
      rows: 805,
      removed: { rows: 800 },
    });
  });

  it("goes on where it was stopped, at any block", async () => {
    const { time, store, audit, append, sign } = testLog();
    await append(2_000);
    await sign();
    await time.advance(40 * DAY_MS);
    let removed = 0;
    for (let end = 1; removed < 2_000; end += 1) {
      let calls = 0;
      const stopping = testWork(store, time, {
        ...store.retention,
        remove: async (change) => {
          calls += 1;
          if (calls > 1) throw new Error("killed");
          return store.retention.remove(change);
        },
      });
      removed += await stopping();
      expect(await verified(audit, sign)).toMatchObject({ verdict: "intact", removed: { rows: removed } });
      expect(end).toBeLessThan(20);
    }
  });

  // proves AUD-24
  it("takes removed rows out of what was derived from them, and once more after a start", async () => {
    const { time, store, append, sign, run } = testLog();
    await append(300);
    await sign();
    await time.advance(40 * DAY_MS);
    forgotten.length = 0;
    await run();
    expect(forgotten).toEqual([
      ["gw", 0, 255],
      ["gw", 256, 299],
    ]);
    await run();
    expect(forgotten).toHaveLength(2);
    await testWork(store, time, store.retention)();
    expect(forgotten.slice(2)).toEqual([["gw", 0, 299]]);
  });

  // proves AUD-38
  it("does not remove rows before their time when the clock jumps forward, or back", async () => {
    const { time, append, sign, run } = testLog();
    await append(300);
    await sign();
    time.wallEpochMs += 5_000 * DAY_MS;
    expect(await run()).toBe(0);
    time.wallEpochMs -= 10_000 * DAY_MS;
    await time.advance(40 * DAY_MS);
    expect(await run()).toBe(0);
    time.wallEpochMs += 5_000 * DAY_MS;
    expect(await run()).toBe(300);
  });

  // proves AUD-71
  it("removes nothing in the first day of a process whose clock no row witnesses, and says why", async () => {
    const { time, store, append, sign, log } = testLog();
    await append(300);
    await sign();
    // A start years later, as far as its clock knows.
    time.wallEpochMs += 3_650 * DAY_MS;
    const run = witnessedWork(store, time, log);
    expect(await run()).toBe(0);
    expect(log.messages.join()).toContain("the clock may be wrong");
    // Rows that this clock has dated do not witness for it, also after another start.
    await append(1);
    await sign();
    await time.advance(DAY_MS / 2);
    const again = witnessedWork(store, time, log);
    expect(await again()).toBe(0);
    expect(await run()).toBe(0);
    await time.advance(DAY_MS / 2);
    expect(await run()).toBe(300);
  });

  // proves AUD-71
  it("removes rows soon after a start when a row of the last days witnesses the clock", async () => {
    const { time, store, append, sign } = testLog();
    await append(300);
    await time.advance(40 * DAY_MS);
    await append(1);
    await sign();
    await time.advance(7 * DAY_MS);
    expect(await witnessedWork(store, time)()).toBe(300);
  });

  it("says nothing about the clock while no row is old", async () => {
    const { time, store, append, sign, log } = testLog();
    await append(300);
    await sign();
    expect(await witnessedWork(store, time, log)()).toBe(0);
    expect(log.messages).toEqual([]);
  });

  // proves AUD-72
  it("tries again to overwrite what it removed while readers are in the way", async () => {
    const { time, store, append, sign } = testLog();
    await append(10);
    await sign();
    let tries = 0;
    const scrub = async () => Promise.resolve((tries += 1) > 2);
    const run = testWork(store, time, { ...store.retention, scrub });
    await time.advance(40 * DAY_MS);
    expect(await run()).toBe(10);
    expect(tries).toBe(3);
    expect(await run()).toBe(0);
    expect(tries).toBe(3);
  });

  it("leaves a block whose rows were changed, says so, and goes on behind it", async () => {
    const { time, store, append, sign, run, log } = testLog();
    await append(600);
    await sign();
    await time.advance(40 * DAY_MS);
    store.connection.exec("DROP TRIGGER audit_rows_refuse_update");
    store.connection.exec("UPDATE audit_rows SET bytes = hash WHERE seq = 300");
    expect(await run()).toBe(256 + 88);
    expect(log.messages.join()).toContain("verify the log");
  });

  it("looks again when a hold is placed meanwhile, and leaves what it covers", async () => {
    const { time, store, append, sign } = testLog();
    await append(300);
    await sign();
    await time.advance(40 * DAY_MS);
    let placed = false;
    const run = testWork(store, time, {
      ...store.retention,
      remove: async (change) => {
        if (!placed) await placeHold(store);
        placed = true;
        return store.retention.remove(change);
      },
    });
    expect(await run()).toBe(0);
    expect((await store.audit.rows("gw", 0, 300)).every(({ bytes }) => bytes.length > 0)).toBe(true);
  });

  it("runs a minute after the start, then every hour, until it is stopped", async () => {
    const { time, store, append, sign } = testLog();
    await append(10);
    await sign();
    await time.advance(40 * DAY_MS);
    const work = new RetentionWork({ ...partsOf(store, time), retention: store.retention, timers: time });
    work.start();
    await time.advance(59_000);
    expect((await store.audit.row({ logId: "gw", seq: 0 }))?.bytes.length).toBeGreaterThan(0);
    for (let turn = 0; turn < 50; turn += 1) await time.advance(100);
    expect((await store.audit.row({ logId: "gw", seq: 0 }))?.bytes).toHaveLength(0);
    expect(time.pending).toBe(1);
    await work.stop();
    expect(time.pending).toBe(0);
  });
});

/** What was taken out of derived data, in the order of the calls. */
const forgotten: (readonly [logId: string, from: number, to: number])[] = [];

function partsOf({ audit }: MemoryStore, time: FakeTime) {
  return {
    audit,
    forget: (logId: string, { from, to }: SeqRange) => void forgotten.push([logId, from, to]),
    signRemoval: (removal: Removal) => signRemoval(signer, removal),
    days: 30,
    leads: () => true,
    judgeClock: async () => Promise.resolve("witnessed" as const),
    clock: time,
    log: recordingLogger(),
  };
}

/** Runs the work to its end, however often it pauses. */
function testWork(
  store: MemoryStore,
  time: FakeTime,
  retention: RetentionStore,
  log = recordingLogger(),
): () => Promise<number> {
  const work = new RetentionWork({ ...partsOf(store, time), retention, timers: impatient(time), log });
  return runToEnd(work, time);
}

/** The same, by rows that witness for the clock. */
function witnessedWork(store: MemoryStore, time: FakeTime, log = recordingLogger()): () => Promise<number> {
  const witnessed = { judgeClock: (nowMs: number) => judgeClock(store, { nowMs, days: 30 }), log };
  const { retention } = store;
  const work = new RetentionWork({
    ...partsOf(store, time),
    ...witnessed,
    retention,
    timers: impatient(time),
  });
  return runToEnd(work, time);
}

/** Timers that never wait. */
function impatient(time: FakeTime) {
  return { after: (_: number, run: () => void) => time.after(0, run) };
}

function runToEnd(work: RetentionWork, time: FakeTime): () => Promise<number> {
  return async (): Promise<number> => {
    const running = work.run();
    let isDone = false;
    void running.finally(() => (isDone = true));
    while (!isDone) await time.advance(0);
    return running;
  };
}

async function placeHold(store: MemoryStore): Promise<void> {
  const all = { agent_id: null, session_id: null, namespace: null };
  const made = { created_at: "t", created_by: "k", lifted_at: null, lifted_by: null };
  const record = { id: "hold_1", reason: "case", ...all, ...made };
  await store.legalHolds.create({ org: "acme", auditRow: "{}", record });
}
