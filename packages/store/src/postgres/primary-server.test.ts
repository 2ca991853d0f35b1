// peers: postgres
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { startDatabaseLink } from "../testing/database-link.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { startPostgresServer } from "../testing/postgres-server.ts";
import { entry } from "../testing/records.ts";
import { isDatabaseOutage, NoPrimaryError } from "./database-outage.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { PrimaryServer } from "./primary-server.ts";

describePostgres("the server that takes writes", (server) => {
  async function execute(url: string, ...texts: readonly string[]): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    for (const text of texts) await client.query(text);
    await client.end();
  }

  /** A database of this name on another server, which refuses writes until `promote`. */
  async function startStandby(database: string) {
    const standby = await startPostgresServer();
    onTestFinished(() => standby.stop());
    await execute(standby.url, `CREATE DATABASE ${database}`);
    const set = async (value: string) =>
      execute(
        standby.url,
        `ALTER SYSTEM SET default_transaction_read_only = ${value}`,
        "SELECT pg_reload_conf()",
      );
    await set("on");
    const url = standby.url.replace("/postgres?", `/${database}?`);
    return { url, promote: () => set("off") };
  }

  it("is looked for among all hosts, and a standby is never taken for it", async () => {
    const primaryUrl = await server().createDatabase();
    const database = new URL(primaryUrl).pathname.slice(1);
    const standby = await startStandby(database);
    const [toStandby, toPrimary] = await Promise.all(
      [standby.url, primaryUrl].map((url) => startDatabaseLink(url)),
    );
    if (toStandby === undefined || toPrimary === undefined) throw new Error("two links");
    onTestFinished(async () => void (await Promise.all([toStandby.close(), toPrimary.close()])));

    const alone = new PrimaryServer(toStandby.url);
    const refusal = await alone.connect().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(NoPrimaryError);
    expect(String(refusal)).toContain(`${toStandby.host} is read-only: expected the primary`);

    const url = `postgres://svc@${toStandby.host},${toPrimary.host}/${database}`;
    const store = await openPostgresStore({ url, logId: "gateway-1" });
    await store.ledger.commit([entry("{}")]);
    await store.check();

    // The primary is lost for good. Its replica would hold the same rows; this one must not be written to.
    await toPrimary.cut();
    await expect(store.ledger.commit([entry("{}")])).rejects.toThrow();
    await expect
      .poll(async () => store.ledger.commit([entry("{}")]).catch(String))
      .toContain(`${toStandby.host} is read-only`);
    await standby.promote();
    // An empty server: what it lacks is noticed before a row is written.
    await expect
      .poll(async () => store.ledger.commit([entry("{}")]).catch(String), { timeout: 5_000 })
      .toMatch(/relation "audit_logs" does not exist|its head is missing/);
    await toPrimary.mend();
    await toStandby.cut();
    await expect
      .poll(async () => store.ledger.commit([entry("{}")]).catch(String), { timeout: 5_000 })
      .toMatchObject([{ kind: "committed" }]);
    await store.check();
    await store.close();
  });

  it("that is away is an outage, and a wrong password, database or path is not", async () => {
    const outage = async (url: string) =>
      isDatabaseOutage(await openPostgresStore({ url, logId: "gateway-1" }).catch((error: unknown) => error));
    expect(await outage("postgres://svc@127.0.0.1:1/svc")).toBe(true);
    expect(await outage("postgres://svc@localhost/svc?host=%2Fnowhere")).toBe(true);
    expect(await outage(server().url.replace("/postgres?", "/absent?"))).toBe(false);
    expect(await outage(`${server().url}&sslmode=verify-full&sslrootcert=/nowhere`)).toBe(false);
  });
});
