import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { systemClock } from "@svc/process/clock";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import { entry } from "@svc/store/testing/records";
import { expect, it, onTestFinished } from "vitest";
import { openAuditIndex } from "./open-audit-index.ts";

async function openIndex(options: { readonly idleEndMs?: number } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "svc-index-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const workers: Worker[] = [];
  const note = (worker: Worker): void => {
    if (worker.threadName?.startsWith("svc-audit-")) workers.push(worker);
  };
  process.on("worker", note);
  onTestFinished(() => void process.off("worker", note));
  const place = { kind: "sqlite", dataDir } as const;
  const index = openAuditIndex({ place, log: { warn: () => undefined }, clock: systemClock, ...options });
  const store = await openSqliteStore({ dataDir, logId: "gateway-1", onRows: () => index.noteRows() });
  onTestFinished(() => store.close());
  onTestFinished(() => index.close());
  const names = (): readonly (string | null)[] => workers.map(({ threadName }) => threadName);
  return { index, store, dataDir, workers, names };
}

/** A thread takes seconds to start while every core is at work. */
const PATIENT = { timeout: 30_000 };

const anHourAgo = (): number => Date.now() - 3_600_000;

// proves START-01
it("runs no thread while the log is empty, and none for questions whose answer that is", async () => {
  const { index, names } = await openIndex();
  index.start();
  expect(await index.activeOrgs(anHourAgo())).toEqual([]);
  expect(await index.takeAnomalies(null)).toMatchObject({ anomalies: [] });
  expect(names()).toEqual([]);
});

// proves START-01
it("indexes the first row, and from then on asks the index", async () => {
  const { index, store, names } = await openIndex();
  index.start();
  await store.ledger.commit([entry("{}")]);
  await expect.poll(names, PATIENT).toEqual(["svc-audit-projector"]);
  // While the index is made, the question is refused.
  await expect.poll(() => index.activeOrgs(anHourAgo()).catch(() => null), PATIENT).not.toBeNull();
  await expect.poll(names, PATIENT).toEqual(["svc-audit-projector", "svc-audit-questions"]);
  expect(await index.activeOrgs(Date.now() + 60_000)).toEqual([]);
});

// proves START-01
it("indexes rows that came before it was started", async () => {
  const { index, store, names } = await openIndex();
  await store.ledger.commit([entry("{}")]);
  expect(names()).toEqual([]);
  index.start();
  await expect.poll(names, PATIENT).toEqual(["svc-audit-projector"]);
});

// proves START-01
it("ends both threads after idle minutes, and loses no row and no answer", async () => {
  const { index, store, workers } = await openIndex({ idleEndMs: 1 });
  index.start();
  const running = () => workers.filter(({ threadId }) => threadId !== -1).length;
  for (let turn = 1; turn <= 2; turn += 1) {
    const before = workers.length;
    await store.ledger.commit([entry("{}")]);
    await expect.poll(() => workers.length > before && running() === 0, PATIENT).toBe(true);
    const begun = workers.length;
    expect(await index.row({ org: "default", position: { logId: "gateway-1", seq: turn - 1 } })).toEqual({
      row: null,
      behind: [],
    });
    // The index has every row, so that nothing but the thread of questions starts.
    expect(workers.slice(begun).map(({ threadName }) => threadName)).toEqual(["svc-audit-questions"]);
    await expect.poll(running, PATIENT).toBe(0);
  }
});

// proves START-01
it("makes an index again that was lost while its thread had ended", async () => {
  const { index, store, dataDir, workers } = await openIndex({ idleEndMs: 1 });
  index.start();
  await store.ledger.commit([entry("{}")]);
  const running = () => workers.filter(({ threadId }) => threadId !== -1).length;
  await expect.poll(() => workers.length > 0 && running() === 0, PATIENT).toBe(true);
  for (const name of readdirSync(dataDir))
    if (name.includes("index")) rmSync(join(dataDir, name), { recursive: true });
  await expect.poll(() => index.activeOrgs(anHourAgo()).catch(() => null), PATIENT).toEqual([]);
});
