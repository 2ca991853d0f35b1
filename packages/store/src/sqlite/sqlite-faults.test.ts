// long: it kills writing processes, and opens the database anew after each fault
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Store } from "../ports/store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { entry, killSwitch } from "../testing/records.ts";
import { startAppendProcess } from "../testing/start-append-process.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const LOG = "gateway-1";

vi.setConfig({ testTimeout: 30_000 });

let dataDir: string;
let store: Store;
let acknowledged: string[];

const file = (name: string): string => join(dataDir, name);
const openStore = async (): Promise<Store> => openSqliteStore({ dataDir, logId: LOG });

/** Commits rows of some size; remembers them once they are acknowledged. */
async function commit(count: number, bytes = 20): Promise<void> {
  const rows = Array.from({ length: count }, () =>
    JSON.stringify({ r: randomBytes(bytes / 2).toString("hex") }),
  );
  await store.ledger.commit(rows.map((row) => entry(row)));
  acknowledged.push(...rows);
}

/**
 * The fault is over: the store works without a restart and has lost nothing. Rows of failed commits
 * may be there.
 */
async function expectRecovered(): Promise<void> {
  await commit(3);
  await store.check();
  const texts = new Set((await readChain(store.audit, LOG)).map(rowText));
  expect(acknowledged.filter((row) => !texts.has(row))).toEqual([]);
}

/** Neither thread reads or writes, so that nothing of another file is taken for what was stored. */
async function expectRejection(pattern: RegExp): Promise<void> {
  await expect(store.ledger.commit([entry('{"lost":true}')])).rejects.toThrow(pattern);
  const decision = { logId: LOG, seq: 0 };
  const report = {
    org: "org",
    decision,
    digest: "d",
    status: "failed",
    charges: [],
    row: "{}",
    idempotencyKey: "kept" as const,
    grant: "kept" as const,
  };
  await expect(store.ledger.settle(report)).rejects.toThrow(pattern);
  await expect(store.keys.bootstrapKeys()).rejects.toThrow(pattern);
  await expect(store.check()).rejects.toThrow(pattern);
  await expect(store.audit.rows(LOG, 0, 10)).rejects.toThrow(pattern);
}

function run(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "svc-store-"));
  acknowledged = [];
});

afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe("L5: the embedded store acknowledges nothing that is not durable at its path, when", () => {
  beforeEach(async () => {
    store = await openStore();
    await commit(5);
  });

  it("the database file is removed: it rejects until a restart finds what there is", async () => {
    rmSync(file("svc.db"));
    for (let attempt = 0; attempt < 3; attempt += 1) await expectRejection(/svc\.db: .*(gone|missing)/);
    expect(existsSync(file("svc.db"))).toBe(false);
  });

  it("all files are moved away and back", async () => {
    const names = ["svc.db", "svc.db-wal", "svc.db-shm"].filter((name) => existsSync(file(name)));
    for (const name of names) renameSync(file(name), file(`${name}.away`));
    await expectRejection(/gone/);
    await expectRejection(/gone/);
    for (const name of names) if (!existsSync(file(name))) renameSync(file(`${name}.away`), file(name));
    await expectRecovered();
  });

  it("the database alone is moved away and back", async () => {
    renameSync(file("svc.db"), file("away"));
    await expectRejection(/gone/);
    renameSync(file("away"), file("svc.db"));
    await expectRecovered();
  });

  it("the write-ahead log is removed: no acknowledged row is lost", async () => {
    rmSync(file("svc.db-wal"));
    await expect(store.ledger.commit([entry("{}")])).rejects.toThrow(/svc\.db-wal: .*gone/);
    await expectRecovered();
  });

  it("L2: an older copy of the database is put in its place", async () => {
    await store.close();
    copyFileSync(file("svc.db"), file("older"));
    store = await openStore();
    await commit(2);
    for (const name of ["svc.db", "svc.db-wal"]) renameSync(file(name), file(`${name}.away`));
    copyFileSync(file("older"), file("svc.db"));
    await expect(store.ledger.commit([entry("{}")])).rejects.toThrow(/another file stands/);
    for (let attempt = 0; attempt < 2; attempt += 1) await expectRejection(/acknowledged row gateway-1\.6/);
  });

  it("L3: the lock file is removed and another process takes the directory over", async () => {
    rmSync(file("svc.lock"));
    const other = await openStore();
    await other.ledger.commit([entry('{"other":true}')]);
    await expectRejection(/in use by another process/);
    expect(await readChain(other.audit, LOG)).toHaveLength(6);
    await other.close();
    await expectRecovered();
  });
});

describe("L3: the embedded store is fenced", () => {
  it("when its log was taken over behind its lock", async () => {
    store = await openStore();
    await commit(5);
    const other = new DatabaseSync(file("svc.db"));
    const change = { org: "org", auditRow: "{}", record: killSwitch("ks-1") };
    for (const write of [
      async () => store.ledger.commit([entry("{}")]),
      async () => store.killSwitches.activateKillSwitch(change),
    ]) {
      await store.check();
      other.exec("UPDATE audit_logs SET epoch = epoch + 1");
      await expect(write()).rejects.toThrow(/took it over/);
    }
    other.close();
    expect(await readChain(store.audit, LOG)).toHaveLength(5);
    await expectRecovered();
  });
});

describe("L2: the embedded store appends nothing", () => {
  it("behind rows that somebody else has appended, until they are gone", async () => {
    store = await openStore();
    await commit(5);
    const other = new DatabaseSync(file("svc.db"));
    const before = other.prepare("SELECT size, head_hash FROM audit_logs").get() ?? {};
    other.exec("UPDATE audit_logs SET size = 6, head_hash = x'00'");
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(store.ledger.commit([entry("{}")])).rejects.toThrow(/left at 5 rows .* now at 6 rows/);
      await expect(store.check()).rejects.toThrow(/left at 5 rows .* now at 6 rows/);
    }
    const { size, head_hash: hash } = before;
    if (size === undefined || hash === undefined) throw new Error("the head was there before");
    other.prepare("UPDATE audit_logs SET size = ?, head_hash = ?").run(size, hash);
    other.close();
    await expectRecovered();
  });
});

describe("L5: the embedded store recovers by itself", () => {
  it("when its thread ends", async () => {
    const workers: Worker[] = [];
    const names: (string | null)[] = [];
    const collect = (worker: Worker): void => {
      workers.push(worker);
      names.push(worker.threadName);
    };
    process.on("worker", collect);
    store = await openStore();
    await commit(5);
    const pending = store.ledger.commit([entry("{}")]);
    const writer = workers[names.indexOf("svc-store-writer")];
    await Promise.all([expect(pending).rejects.toThrow(/writer thread ended/), writer?.terminate()]);
    await expectRecovered();
    process.off("worker", collect);
    expect(names).toEqual(["svc-store-writer", "svc-store-writer", "svc-store-reader"]);
  });

  it("when another program held its database locked", async () => {
    store = await openStore();
    await commit(5);
    const other = new DatabaseSync(file("svc.db"));
    other.exec("BEGIN IMMEDIATE");
    await expect(store.ledger.commit([entry("{}")])).rejects.toThrow(/locked/);
    await expect(store.check()).rejects.toThrow(/locked/);
    other.close();
    await expectRecovered();
  });

  it("when its file system was full", async ({ skip }) => {
    // skip: only root can mount a file system of its own.
    if (!run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", dataDir)) skip("cannot mount a tmpfs here");
    try {
      store = await openStore();
      await commit(5);
      const { bavail, bsize } = statfsSync(dataDir);
      writeFileSync(file("filler"), Buffer.alloc(bavail * bsize - 300_000));
      let rejections = 0;
      for (let attempt = 0; attempt < 40; attempt += 1) {
        try {
          await commit(20, 1_000);
        } catch (error) {
          expect(String(error)).toMatch(/full|disk|unable/);
          rejections += 1;
        }
      }
      expect(rejections).toBeGreaterThan(5);
      rmSync(file("filler"));
      await expectRecovered();
      await store.close();
    } finally {
      run("umount", "--lazy", dataDir);
    }
  });

  it("when its files could not be written for a while", async ({ skip }) => {
    store = await openStore();
    await commit(5);
    const files = [file("svc.db"), file("svc.db-wal")];
    // skip: only root can make files immutable, and not on every file system.
    if (!run("chattr", "+i", ...files)) skip("cannot make files immutable here");
    try {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await expect(store.ledger.commit([entry("{}")])).rejects.toThrow();
        await expect(store.check()).rejects.toThrow();
      }
    } finally {
      run("chattr", "-i", ...files);
    }
    await expectRecovered();
  });
});

describe("the embedded store", () => {
  // proves AUD-12
  it("3.3: keeps every acknowledged row over kill -9, and leaves no lock behind", async () => {
    const options = {
      kind: "sqlite",
      place: dataDir,
      logId: LOG,
      batches: 100_000,
      rowsPerBatch: 3,
    } as const;
    for (let round = 1; round <= 2; round += 1) {
      const child = startAppendProcess(options);
      await child.reached(30 * round);
      if (round === 1) await expect(openStore()).rejects.toThrow(`data directory ${dataDir}: in use`);
      child.child.kill("SIGKILL");
      await child.ended();
      store = await openStore();
      const rows = await readChain(store.audit, LOG);
      expect(rows.length).toBeGreaterThan(Math.max(...child.acknowledged()));
      await store.close();
    }
  });

  it("refuses to change or remove history", async () => {
    store = await openStore();
    await commit(2);
    await store.close();
    const database = new DatabaseSync(file("svc.db"));
    for (const statement of ["UPDATE audit_rows SET bytes = x'00'", "DELETE FROM audit_rows WHERE seq = 1"]) {
      expect(() => database.exec(statement)).toThrow(/append-only/);
    }
    database.close();
  });

  it("refuses a database that a newer program wrote", async () => {
    store = await openStore();
    await store.close();
    const database = new DatabaseSync(file("svc.db"));
    database.exec("INSERT INTO schema_migrations (version, name) VALUES (999, 'from the future')");
    database.close();
    await expect(openStore()).rejects.toThrow(/schema version 999.*newer program/);
  });

  it("names the directory when it cannot be used", async () => {
    store = await openStore();
    await expect(openSqliteStore({ dataDir: file("svc.db"), logId: LOG })).rejects.toThrow(file("svc.db"));
  });
});
