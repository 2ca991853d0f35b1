import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { killSwitch } from "../testing/records.ts";
import { DATABASE_FILE } from "./open-database.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

// proves STATE-02
it.each(["{", "7", "null", ""])("a control event that holds %j is told apart from a change", async (text) => {
  const dataDir = mkdtempSync(join(tmpdir(), "svc-events-"));
  const store = await openSqliteStore({ dataDir, logId: "gateway-1" });
  onTestFinished(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const record = killSwitch("ks-1");
  await store.killSwitches.activateKillSwitch({ org: "org", auditRow: "{}", record });
  const other = new DatabaseSync(join(dataDir, DATABASE_FILE));
  other
    .prepare("INSERT INTO control_events (revision, org, kind, change) VALUES (2, 'org', 'key', ?)")
    .run(text);
  other.exec("UPDATE control_head SET revision = 2");
  other.close();
  expect(await store.controlFeed.eventsAfter(0, 10)).toEqual([
    { revision: 1, org: "org", change: { kind: "kill_switch", record } },
    { revision: 2, org: "org", change: { kind: "unreadable" } },
  ]);
});
