// peers: postgres
import { Client } from "pg";
import { expect, it } from "vitest";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { entry, killSwitch } from "../testing/records.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

/** Fails as a full disk does: what is there can be written anew, and nothing can be added. */
const FULL = [
  `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left' USING ERRCODE = '53100'; END $$`,
  `CREATE FUNCTION no_space_for_tables() RETURNS event_trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left' USING ERRCODE = '53100'; END $$`,
  "CREATE TRIGGER no_space BEFORE INSERT ON audit_rows FOR EACH ROW EXECUTE FUNCTION no_space()",
  `CREATE EVENT TRIGGER no_space_for_tables ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
    EXECUTE FUNCTION no_space_for_tables()`,
];

const ROOM_AGAIN = ["DROP EVENT TRIGGER no_space_for_tables", "DROP TRIGGER no_space ON audit_rows"];

describePostgres("PostgreSQL store, on a full disk", (server) => {
  async function run(url: string, statements: readonly string[]): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  // proves OPS-65
  it.each(["a row of a call", "a control change"])(
    "cannot write after %s, until there is room",
    async (what) => {
      const url = await server().createDatabase();
      const store = await openPostgresStore({ url, logId: "gateway-1" });
      const write = async (): Promise<unknown> =>
        what === "a row of a call"
          ? store.ledger.commit([entry("{}")])
          : store.killSwitches.activateKillSwitch({ org: "org", auditRow: "{}", record: killSwitch("ks-1") });
      await run(url, FULL);
      await expect(write()).rejects.toThrow("No space left");
      for (let at = 0; at < 3; at += 1) await expect(store.check()).rejects.toThrow("No space left");
      await run(url, ROOM_AGAIN);
      await store.check();
      await write();
      await store.close();
    },
  );

  it("leaves no table behind", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: "gateway-1" });
    await run(url, FULL);
    await expect(store.ledger.commit([entry("{}")])).rejects.toThrow("No space left");
    await run(url, ROOM_AGAIN);
    await Promise.all([store.check(), store.check(), store.check()]);
    await run(url, ["CREATE TABLE svc_storage_trial (n INT)"]);
    await store.close();
  });
});
