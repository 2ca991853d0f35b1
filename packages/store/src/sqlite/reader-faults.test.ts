// long: it hangs the reading thread, and waits until it is ended

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Store } from "../ports/store.ts";
import { hangThread } from "../testing/hang-thread.ts";
import { entry, killSwitch } from "../testing/records.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { ReaderThread } from "./reader-thread.ts";

const LOG = "gateway-1";
const MIB = 1024 * 1024;

vi.setConfig({ testTimeout: 60_000 });

let dataDir: string;
let store: Store;
let readers: Worker[];

const collect = (worker: Worker): void => {
  if (worker.threadName === "svc-store-reader") readers.push(worker);
};
const commit = async (row = "{}"): Promise<unknown> => store.ledger.commit([entry(row)]);
const rows = async (): Promise<unknown> => store.audit.rows(LOG, 0, 1);

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "svc-reader-"));
  readers = [];
  process.on("worker", collect);
  store = await openSqliteStore({ dataDir, logId: LOG });
  await commit();
});

afterEach(async () => {
  process.off("worker", collect);
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe("a read of the embedded store", () => {
  it("sees what its caller has just committed", async () => {
    for (let at = 0; at < 100; at += 1) {
      const id = `ks-${String(at)}`;
      const record = killSwitch(id, { target_id: `agent-${String(at)}` });
      await store.killSwitches.activateKillSwitch({ org: "org", auditRow: "{}", record });
      const page = await store.killSwitches.killSwitches("org", "active", { limit: 1, after: null });
      expect(page).toMatchObject({ items: [{ kill_switch_id: id }] });
      await commit(`{"at":${String(at)}}`);
      // One row of the start, then two for each round.
      const [row] = await store.audit.rows(LOG, 2 * at + 2, 1);
      expect(Buffer.from(row?.bytes ?? []).toString()).toBe(`{"at":${String(at)}}`);
    }
  });
});

describe("a fault of the reader's thread", () => {
  // proves FAIR-13
  it("ends the reads that wait and nothing else, and the next read starts another thread", async () => {
    await rows();
    const waiting = Array.from({ length: 20 }, rows);
    const ended = readers[0]?.terminate();
    const outcomes = await Promise.allSettled(waiting);
    await ended;
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
    await commit();
    expect(await rows()).toHaveLength(1);
    expect(readers).toHaveLength(2);
  });

  // proves FAIR-13
  it("does not hold up commits, settlements, single reads or closing while the thread hangs", async () => {
    await rows();
    await hangThread("svc-store-reader");
    const outcome = rows().then(
      () => "read",
      (error: unknown) => String(error),
    );
    for (let at = 0; at < 20; at += 1) await commit();
    await store.check();
    expect(await store.killSwitches.killSwitch("org", "ks-1")).toBeNull();
    expect(await store.controlFeed.eventsAfter(0, 10)).toEqual([]);
    await store.close();
    expect(await outcome).toContain("the reader thread ended: the store is closed");
  });

  it("is over for the next read once the thread that hung has ended", async () => {
    const reader = new ReaderThread({ dataDir, stallLimitMs: 3_000 });
    const job = { store: "keys", method: "bootstrapKeys", args: [], files: [] } as const;
    // On a busy machine the start alone may take longer than the limit.
    const answers = async (): Promise<void> => expect(await reader.calls.run(job)).toEqual([]);
    await vi.waitFor(answers, CONDITION_MS);
    await hangThread("svc-store-reader");
    await expect(reader.calls.run(job)).rejects.toThrow("the reader thread ended: it is stuck");
    await vi.waitFor(answers, CONDITION_MS);
    await reader.close();
    expect(readers.length).toBeGreaterThanOrEqual(2);
  });

  it("refuses reads beyond 256 that wait", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 300 }, rows));
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(300 - 256);
    expect(String((refused[0] as PromiseRejectedResult).reason)).toContain("at most 256 reads");
    expect(await rows()).toHaveLength(1);
  });

  it("cannot write", async () => {
    const reader = new ReaderThread({ dataDir });
    const args = [{ org: "org", auditRow: "{}", record: killSwitch("ks-1") }];
    const job = { store: "killSwitches", method: "activateKillSwitch", args, files: [] } as const;
    await expect(reader.calls.run(job)).rejects.toThrow();
    await reader.close();
    expect(await store.killSwitches.killSwitch("org", "ks-1")).toBeNull();
  });
});

describe("the write-ahead log", () => {
  it("stays small while one client reads the whole log again and again, and another one pauses", async () => {
    const large = `{"t":"${"x".repeat(20_000)}"}`;
    let reading = true;
    const readOnAndOn = async (pauseAfter: number): Promise<void> => {
      for (let from = 0, pages = 0; reading; pages += 1) {
        const page = await store.audit.rows(LOG, from, 500, MIB);
        from = page.length === 0 ? 0 : (page.at(-1)?.seq ?? 0) + 1;
        // A client that takes no more: the export asks for no further page.
        while (reading && pages >= pauseAfter) await new Promise(setImmediate);
      }
    };
    const exports = [readOnAndOn(Number.POSITIVE_INFINITY), readOnAndOn(3)];
    let most = 0;
    for (let at = 0; at < 200; at += 1) {
      await store.ledger.commit(Array.from({ length: 10 }, () => entry(large)));
      most = Math.max(most, statSync(join(dataDir, "svc.db-wal")).size);
    }
    reading = false;
    await Promise.all(exports);
    expect(most).toBeLessThan(16 * MIB);
  });
});
