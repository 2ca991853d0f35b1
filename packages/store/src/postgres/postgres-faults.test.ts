// peers: postgres
// long: cuts connections and stops a server of its own, again and again
import { Client } from "pg";
import { expect, it } from "vitest";
import { MIGRATIONS } from "../sql/migrations.ts";
import { describeOwnPostgres } from "../testing/describe-postgres.suite.ts";
import { endSessions } from "../testing/end-sessions.ts";
import { readChain } from "../testing/expect-chain.ts";
import { counters, entry, killSwitch } from "../testing/records.ts";
import { startAppendProcess } from "../testing/start-append-process.ts";
import { DATABASE_LOCK, lockKey } from "./advisory-lock.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import type { Ownership } from "./writer-session.ts";

const LOG = "gateway-1";

describeOwnPostgres("PostgreSQL store, under faults", (server) => {
  async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  it("L3: eight processes that share one log append 4,000 rows without a gap or a fork", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: LOG, ownership: "shared" });
    const processes = Array.from({ length: 8 }, () =>
      startAppendProcess({ kind: "shared-postgres", place: url, logId: LOG, batches: 100, rowsPerBatch: 5 }),
    );
    for (const child of processes) expect(await child.ended()).toEqual({ code: 0, stderr: "" });
    expect(await readChain(store.audit, LOG)).toHaveLength(4_000);
    const seqs = processes.flatMap((child) => child.acknowledged());
    expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 4_000 }, (_, n) => n));
    await store.close();
  }, 120_000);

  it("E16: two processes' worth of stores together admit exactly the ceiling", async () => {
    const url = await server().createDatabase();
    const stores = await Promise.all(
      ["log-a", "log-b"].map(async (logId) => openPostgresStore({ url, logId })),
    );
    const key = { org: "org", agentId: "agent", sessionId: "session" };
    const outcomes = await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 20 }, async () =>
          store.ledger.commit(
            Array.from({ length: 25 }, () => entry("{}", { counters: counters(key, { maxSteps: 100 }) })),
          ),
        ),
      ),
    );
    expect(outcomes.flat().filter(({ kind }) => kind === "committed")).toHaveLength(100);
    for (const store of stores) await readChain(store.audit, store.logId);
    for (const store of stores) await store.close();
  });

  it("L5: rejects in time while the server is stopped, then goes on without a restart", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: LOG });
    await store.ledger.commit([entry('{"before":1}')]);
    server().signal("SIGSTOP");
    try {
      await Promise.all([
        expect(store.ledger.commit([entry('{"during":1}')])).rejects.toThrow(/no answer|timeout/),
        expect(store.check()).rejects.toThrow(),
        expect(store.controlFeed.eventsAfter(0, 1)).rejects.toThrow(/no answer|timeout/),
      ]);
    } finally {
      server().signal("SIGCONT");
    }
    const [outcome] = await store.ledger.commit([entry('{"after":1}')]);
    expect(outcome).toMatchObject({ kind: "committed" });
    await store.check();
    const rows = await readChain(store.audit, LOG);
    expect(rows.length).toBeGreaterThanOrEqual(2);
    await store.close();
  });

  it("L5: goes on after the server has ended all sessions", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: LOG });
    await store.ledger.commit([entry("{}")]);
    await endSessions(url);
    // The first call may still meet the dead session.
    await store.ledger
      .commit([entry("{}")])
      .catch((error: unknown) => expect(String(error)).toMatch(/terminat/));
    await store.ledger.commit([entry("{}")]);
    await store.check();
    await readChain(store.audit, LOG);
    await store.close();
  });

  // proves AUD-93
  it("L3: a writer notices rows that somebody else appended to its log, and commits no more", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: LOG });
    await store.ledger.commit([entry("{}")]);
    await query(
      url,
      `WITH row AS (
        INSERT INTO audit_rows (log_id, seq, prev_hash, hash, bytes)
          SELECT log_id, size, head_hash, sha256('forged'), 'forged' FROM audit_logs RETURNING hash)
        UPDATE audit_logs SET size = size + 1, head_hash = row.hash FROM row`,
    );
    const change = { org: "org", auditRow: "{}", record: killSwitch("ks-1") };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(store.ledger.commit([entry("{}")])).rejects.toThrow(/somebody else has written/);
      await expect(store.killSwitches.activateKillSwitch(change)).rejects.toThrow(/somebody else/);
      await expect(store.check()).rejects.toThrow(/somebody else/);
    }
    expect((await store.audit.ownHead())?.size).toBe(1);
    await store.close();
  });

  it("L3: a writer that lost its session to a successor commits nothing more, by any way", async () => {
    const url = await server().createDatabase();
    const first = await openPostgresStore({ url, logId: LOG });
    await first.ledger.commit([entry("{}")]);
    // Read before the successor starts: it holds the lock of the database while it waits for the log's.
    const [owner] = await query(
      url,
      `SELECT DISTINCT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()`,
    );
    const successor = openPostgresStore({ url, logId: LOG });
    await query(url, `SELECT pg_terminate_backend(${String(owner?.["pid"])})`);
    const second = await successor;
    await second.ledger.commit([entry("{}")]);
    const change = { org: "org", auditRow: "{}", record: killSwitch("ks-1") };
    await expect(first.ledger.commit([entry("{}")])).rejects.toThrow(/in use by another|terminat/);
    await expect(first.killSwitches.activateKillSwitch(change)).rejects.toThrow(/in use by another/);
    expect(await readChain(second.audit, LOG)).toHaveLength(2);
    await second.close();
    await first.ledger.commit([entry("{}")]);
    expect(await readChain(first.audit, LOG)).toHaveLength(3);
    await first.close();
  });

  it("L3: shares the database, and the log with those that share it", async () => {
    const url = await server().createDatabase();
    const open = async (logId: string, ownership: Ownership) => openPostgresStore({ url, logId, ownership });
    const earlier = new Client({ connectionString: url });
    await earlier.connect();
    await earlier.query("SELECT pg_advisory_lock($1)", [lockKey(DATABASE_LOCK.name)]);
    await expect(open("log-a", "log")).rejects.toThrow(/of an earlier version owns the whole database/);
    await earlier.end();
    const one = await open("log-a", "log");
    await expect(open("log-a", "shared")).rejects.toThrow(/audit log log-a is in use/);
    const two = await open("log-b", "shared");
    await two.ledger.commit([entry("{}")]);
    await one.ledger.commit([entry("{}")]);
    await one.close();
    await two.close();
  });

  it("L3: a writer whose log was taken over is fenced, whatever became of the locks", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: LOG });
    const takeOver = async () => query(url, "UPDATE audit_logs SET epoch = epoch + 1");
    const change = { org: "org", auditRow: "{}", record: killSwitch("ks-1") };
    await takeOver();
    await expect(store.killSwitches.activateKillSwitch(change)).rejects.toThrow(/took it over/);
    await expect(store.ledger.commit([entry("{}")])).rejects.toThrow(/took it over/);
    expect(await readChain(store.audit, LOG)).toEqual([]);
    await store.ledger.commit([entry("{}")]);
    await store.close();
  });

  it("L2: refuses a server that has lost acknowledged rows", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: LOG });
    await store.ledger.commit([entry("{}"), entry("{}")]);
    // What a failover to a replica that lagged behind looks like.
    await query(
      url,
      `SET session_replication_role = replica; DELETE FROM audit_rows WHERE seq = 1;
        UPDATE audit_logs SET size = 1, head_hash = (SELECT hash FROM audit_rows WHERE seq = 0)`,
    );
    await endSessions(url);
    await store.ledger.commit([entry("{}")]).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(store.ledger.commit([entry("{}")])).rejects.toThrow(/acknowledged row gateway-1\.1/);
      await expect(store.check()).rejects.toThrow(/acknowledged row gateway-1\.1/);
    }
    await store.close();
  });

  it("refuses to change or remove history", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: LOG });
    await store.ledger.commit([entry("{}")]);
    for (const text of [
      "UPDATE audit_rows SET seq = 7",
      "DELETE FROM audit_rows",
      "TRUNCATE policy_versions",
    ]) {
      await expect(query(url, text)).rejects.toThrow(/append-only/);
    }
    await store.close();
  });

  it("refuses a server that does not sync, and a schema of more than one version ahead", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: LOG });
    await store.close();
    const known = MIGRATIONS.at(-1)?.version ?? 0;
    const insert = async (version: number) =>
      query(url, `INSERT INTO schema_migrations (version, name) VALUES (${String(version)}, 'later')`);
    await insert(known + 1);
    const beside = await openPostgresStore({ url, logId: "other-log" });
    await beside.ledger.commit([entry("{}")]);
    await beside.close();
    await insert(known + 2);
    await expect(openPostgresStore({ url, logId: "other-log" })).rejects.toThrow(
      `schema version ${String(known + 2)}, this program knows ${String(known)}`,
    );
    await query(url, "ALTER SYSTEM SET fsync = off");
    await query(url, "SELECT pg_reload_conf()");
    try {
      await expect.poll(async () => query(url, "SHOW fsync")).toEqual([{ fsync: "off" }]);
      await expect(openPostgresStore({ url, logId: LOG })).rejects.toThrow(/fsync off/);
    } finally {
      await query(url, "ALTER SYSTEM RESET fsync");
      await query(url, "SELECT pg_reload_conf()");
    }
  });

  it("says that the server cannot be reached", async () => {
    const url = "postgres://svc@localhost/none?host=%2Fnowhere";
    await expect(openPostgresStore({ url, logId: LOG })).rejects.toThrow(/nowhere/);
  });
});
