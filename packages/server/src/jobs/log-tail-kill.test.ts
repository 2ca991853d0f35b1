// peers: postgres
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import type { Store } from "@svc/store/ports/store";
import { freshDatabase } from "@svc/store/testing/shared-postgres";
import { describe, expect, it, onTestFinished } from "vitest";

const SCRIPT = fileURLToPath(new URL("../testing/log-tail-process.ts", import.meta.url));

/** Commits to each log, and rows of each, as counts. */
const COMMITS = 30;
const ROWS = 5;

/** Batches that a follower works on before it is killed; the last one is not. */
const KILLS = [1, 4, 9, Number.POSITIVE_INFINITY];

/** Rows of a batch of the follower, as count. */
const BATCH = 7;

const row = JSON.stringify({ v: 1, kind: "policy", org: "acme", time: "2026-01-01T00:00:00.000Z" });

async function write(store: Store): Promise<void> {
  for (let left = COMMITS; left > 0; left -= 1)
    await store.ledger.commit(Array.from({ length: ROWS }, () => ({ row, claims: NO_CLAIMS })));
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "svc-log-tail-"));
  onTestFinished(async () => rm(folder, { recursive: true }));
  return folder;
}

/** @param place kind, and directory or URL; then the log id of the follower's process */
async function expectNothingLost(place: readonly string[], logIds: readonly string[]): Promise<void> {
  const folder = await newFolder();
  await writeFile(join(folder, "cursor.json"), "[]");
  const rows = logIds.length * COMMITS * ROWS;
  for (const batches of KILLS) {
    const args = [SCRIPT, ...place, folder, String(rows), String(batches)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const ended: unknown = await once(child, "close");
    expect(ended).toEqual(Number.isFinite(batches) ? [null, "SIGKILL"] : [0, null]);
  }
  const seen = (await readFile(join(folder, "seen.txt"), "utf8")).trimEnd().split("\n");
  for (const logId of logIds)
    expect([...new Set(seen.filter((id) => id.startsWith(logId)))]).toEqual(
      Array.from({ length: COMMITS * ROWS }, (_, seq) => `${logId}.${String(seq)}`),
    );
  const repeated = seen.length - rows;
  expect(repeated).toBeGreaterThan(0);
  expect(repeated).toBeLessThanOrEqual((KILLS.length - 1) * BATCH);
}

describe("a follower that is killed between its work and its cursor", () => {
  it("misses no row and sees only the last batch again: SQLite", async () => {
    const dataDir = await newFolder();
    const store = await openSqliteStore({ dataDir, logId: "gw" });
    await write(store);
    await store.close();
    await expectNothingLost(["sqlite", dataDir, "gw"], ["gw"]);
  }, 60_000);

  // skip: the machine has no PostgreSQL; continuous integration installs it and fails without.
  it.skipIf(findPostgresPrograms() === null && process.env["CI"] === undefined)(
    "does the same beside two gateways that write: PostgreSQL",
    async () => {
      const url = await freshDatabase();
      const logIds = ["log-a", "log-b"];
      const stores = await Promise.all(logIds.map(async (logId) => openPostgresStore({ url, logId })));
      onTestFinished(async () => void (await Promise.all(stores.map(async (store) => store.close()))));
      const written = Promise.all(stores.map(write));
      await expectNothingLost(["postgres", url, "reader"], logIds);
      await written;
    },
    60_000,
  );
});
