import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Store } from "../ports/store.ts";
import { entry } from "../testing/records.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const LOG = "gw";
const DAY_MS = 86_400_000;
const OLD = "2020-01-01T00:00:00.000Z";

/** Rows of both kinds: such as share a page with others, and such as fill pages of their own. */
const FILLERS = [10, 300, 9_000];

const nameOf = (n: number) => `Ottilie Wildermuth ${String(n)}`;

function rowOf(n: number): string {
  const filler = "x".repeat(FILLERS[n % FILLERS.length] ?? 0);
  return JSON.stringify({ v: 1, kind: "policy", org: "acme", time: OLD, why: `${filler}${nameOf(n)}` });
}

async function removeBlock({ retention }: Store, block: number): Promise<void> {
  const query = { logId: LOG, block, days: 30, nowMs: Date.parse(OLD) + 31 * DAY_MS };
  const finding = await retention.removable(query);
  if (finding.kind !== "removable") throw new Error(`expected rows that may go, found ${finding.kind}`);
  const auditRow = JSON.stringify({ v: 1, kind: "retention", org: "acme", time: OLD });
  const removals = finding.removables.map((removable) => ({ ...removable, note: "note", auditRow }));
  expect(await retention.remove({ logId: LOG, guard: finding.guard, removals })).toBe("removed");
}

/** How often the names of rows stand in the files of a directory. */
function namesIn(dataDir: string): number {
  const texts = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), "latin1"));
  return texts.reduce((sum, text) => sum + text.split("Ottilie").length - 1, 0);
}

// proves AUD-72
it("no file holds the text of removed rows, while the server runs and other rows are written", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "svc-removal-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir, logId: LOG });
  onTestFinished(async () => store.close());
  for (let from = 0; from < 512; from += 64)
    await store.ledger.commit(Array.from({ length: 64 }, (_, n) => entry(rowOf(from + n))));
  await store.audit.appendCheckpoint({ logId: LOG, size: 512, note: "note" });
  expect(namesIn(dataDir)).toBeGreaterThanOrEqual(512);
  for (const block of [0, 1]) {
    await removeBlock(store, block);
    await store.ledger.commit([entry(JSON.stringify({ v: 1, kind: "policy", org: "acme", time: OLD }))]);
  }
  expect(await store.retention.scrub()).toBe(true);
  expect(namesIn(dataDir)).toBe(0);
});
