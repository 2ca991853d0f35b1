import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { remote } from "@svc/process/service-call";
import { expect, it, onTestFinished } from "vitest";
import { killSwitch } from "../testing/records.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { SnapshotClient } from "./snapshot-client.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";

// proves START-01
it("reads the snapshot of a start without another thread, and each later one on its own", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "svc-snapshot-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const names: (string | null)[] = [];
  const note = ({ threadName }: Worker): void => void names.push(threadName);
  process.on("worker", note);
  onTestFinished(() => void process.off("worker", note));
  const store = await openSqliteStore({ dataDir, logId: "gateway-1" });
  onTestFinished(() => store.close());
  await store.killSwitches.activateKillSwitch({ org: "org", auditRow: "{}", record: killSwitch("ks-1") });
  const first = await store.controlFeed.snapshot();
  expect(names).toEqual(["svc-store-writer"]);
  const second = await store.controlFeed.snapshot();
  expect(second).toEqual(first);
  expect(first.changes).toHaveLength(1);
  expect(names).toEqual(["svc-store-writer", "svc-store-snapshot"]);
});

it("gives up a snapshot of a start that cannot be read, so that no transaction stays open", async () => {
  const called: string[] = [];
  const reading = remote<SnapshotReader>(({ method }) => {
    called.push(method);
    return method === "page" ? Promise.reject(new Error("disk I/O error")) : Promise.resolve(1);
  });
  const client = new SnapshotClient({ dataDir: "unused" }, reading);
  await expect(client.read([])).rejects.toThrow("disk I/O error");
  expect(called).toEqual(["begin", "page", "end"]);
});
