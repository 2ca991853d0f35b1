// peers: postgres
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import type { Store } from "../ports/store.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { startPostgresServer } from "../testing/postgres-server.ts";
import { entry, killSwitch } from "../testing/records.ts";
import { acceptConnection } from "./accept-connection.ts";
import { isDatabaseOutage } from "./database-outage.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres("a new connection", (server) => {
  async function setDefault(url: string, setting: string): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`);
    await client.end();
  }

  // proves STATE-20
  it("commits to disk, whatever the defaults are: a kill switch outlives a crash", async () => {
    // What no commit waits for reaches the disk only then.
    const postgres = await startPostgresServer({ settings: ["wal_writer_delay = 10s"] });
    onTestFinished(() => postgres.stop());
    const url = await postgres.createDatabase();
    await setDefault(url, "synchronous_commit = off");
    const store = await openPostgresStore({ url, logId: "gateway-1" });
    await store.ledger.commit([entry("{}")]);
    const record = killSwitch("ks-1");
    await store.killSwitches.activateKillSwitch({ org: "org", auditRow: "{}", record });
    await postgres.crash();
    await postgres.restart();
    await store.close();
    const after = await openPostgresStore({ url, logId: "gateway-1" });
    expect(await after.killSwitches.killSwitch("org", record.kill_switch_id)).toEqual(record);
    await after.close();
  });

  // proves STATE-21
  it("by way of a pooler is refused, and no attempt is repeated", async () => {
    const url = await server().createDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await acceptConnection(client, url);
    // What a pooler says: its own number in place of the server's process.
    Object.assign(client, { processID: 1 });
    const refusal = await acceptConnection(client, url).catch((error: unknown) => error);
    expect(String(refusal)).toContain("is a pooler such as PgBouncer: expected PostgreSQL itself");
    expect(isDatabaseOutage(refusal)).toBe(false);
  });

  it("locks rows as it expects, whatever isolation the database has by default", async () => {
    const url = await server().createDatabase();
    await setDefault(url, "default_transaction_isolation = 'serializable'");
    const stores = await Promise.all(["a", "b"].map((logId) => openPostgresStore({ url, logId })));
    const activate = (store: Store, id: string) =>
      store.killSwitches.activateKillSwitch({
        org: "org",
        auditRow: "{}",
        record: killSwitch(id, { target_id: id }),
      });
    const ids = Array.from({ length: 10 }, (_, n) => String(n));
    const outcomes = await Promise.all(
      stores.flatMap((store) => ids.map((id) => activate(store, `${store.logId}-${id}`))),
    );
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["activated"]));
    for (const store of stores) await store.close();
  });
});
