// peers: postgres
import type { Worker } from "node:worker_threads";
import { Client } from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { type ControlMark, LostControlStateError } from "../control-head-guard.ts";
import type { Claims } from "../ports/claims.ts";
import type { Store } from "../ports/store.ts";
import { commitChange } from "../testing/commit-change.ts";
import { type LinkWay, startDatabaseLink } from "../testing/database-link.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { counters, entry, killSwitch } from "../testing/records.ts";
import { NoPrimaryError } from "./database-outage.ts";
import { openPostgresStore, type PostgresStoreOptions } from "./open-postgres-store.ts";

const LOG = "gateway-1";
const SESSION = { org: "org", agentId: "agent-1", sessionId: "session-1" };
const RESERVED = { counters: counters(SESSION) };

/** A thread that starts from its sources takes seconds on a busy machine. */
const POLL = { timeout: 20_000, interval: 50 };

describePostgres("The thread of PostgreSQL", (server) => {
  /** A store and its thread; after a replacement `worker` is the newer one. */
  async function openOfTest(options: Omit<PostgresStoreOptions, "logId">) {
    const threads: Worker[] = [];
    const collect = (worker: Worker): void => {
      if (worker.threadName === "svc-store-postgres") threads.push(worker);
    };
    process.on("worker", collect);
    const store = await openPostgresStore({ ...options, logId: LOG });
    onTestFinished(async () => {
      await store.close();
      process.off("worker", collect);
    });
    const endThread = async (): Promise<void> => {
      await threads.at(-1)?.terminate();
    };
    return { store, threads, endThread };
  }

  async function query(url: string, text: string): Promise<readonly unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<object>(text)).rows;
    } finally {
      await client.end();
    }
  }

  const textsOf = async (store: Store) => (await readChain(store.audit, LOG)).map(rowText);

  const activate = (store: Store, id: string): Promise<unknown> =>
    commitChange(store, {
      org: "org",
      change: { kind: "kill_switch", record: killSwitch(id, { target_id: id }) },
    });

  const cuts: readonly {
    readonly name: string;
    readonly way: LinkWay;
    readonly claims: Partial<Claims>;
    readonly written: readonly string[];
  }[] = [
    { name: "before the server gets its batch", way: "to database", claims: {}, written: [] },
    { name: "before the answer arrives", way: "from database", claims: {}, written: ['{"cut":1}'] },
    { name: "while it holds locks", way: "from database", claims: RESERVED, written: [] },
  ];

  it.each(cuts)(
    "L5: ends $name: a deny, and another thread goes on behind what was written",
    async ({ way, claims, written }) => {
      const url = await server().createDatabase();
      const link = await startDatabaseLink(url);
      onTestFinished(() => link.close());
      const { store, threads, endThread } = await openOfTest({ url: link.url });
      await store.ledger.commit([entry('{"before":1}', claims)]);
      link.freeze([way]);
      const pending = store.ledger.commit([entry('{"cut":1}', claims)]);
      const fault = pending.then(() => "committed", String);
      const size = async () => (await query(url, "SELECT size FROM audit_logs"))[0];
      await expect.poll(size, POLL).toEqual({ size: String(1 + written.length) });
      await endThread();
      expect(await fault).toContain("the thread of PostgreSQL ended");
      await link.cut();
      await link.mend();
      await vi.waitFor(async () => store.ledger.commit([entry('{"after":1}', claims)]), POLL);
      expect(threads).toHaveLength(2);
      expect(await textsOf(store)).toEqual(['{"before":1}', ...written, '{"after":1}']);
      const steps = claims.counters === undefined ? 0 : 2;
      expect((await store.ledger.usage(SESSION)).steps).toBe(steps);
      await activate(store, "agent-1");
      expect(await store.controlFeed.eventsAfter(0, 10)).toHaveLength(1);
    },
  );

  it("L2: takes its knowledge of the log over from the one before it", async () => {
    const url = await server().createDatabase();
    const { store, endThread } = await openOfTest({ url });
    await store.ledger.commit([entry("{}"), entry("{}"), entry("{}")]);
    await endThread();
    await query(
      url,
      `SET session_replication_role = replica; DELETE FROM audit_rows WHERE seq = 2;
      UPDATE audit_logs SET size = 2, head_hash = (SELECT hash FROM audit_rows WHERE seq = 1)`,
    );
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(store.ledger.commit([entry("{}")])).rejects.toThrow("lacks the acknowledged row");
  });

  // proves STATE-13
  it("takes its knowledge of control state over, and tells the keeper of each change", async () => {
    const url = await server().createDatabase();
    const kept: ControlMark[] = [];
    const controlMarks = {
      known: null,
      howToForget: "remove the file",
      keep: (mark: ControlMark) => kept.push(mark),
    };
    const { store, endThread } = await openOfTest({ url, controlMarks });
    await activate(store, "agent-1");
    await store.controlFeed.eventsAfter(0, 10);
    expect(kept.map(({ revision }) => revision)).toEqual([1]);
    await endThread();
    await query(
      url,
      `SET session_replication_role = replica; DELETE FROM control_events; DELETE FROM kill_switches;
      UPDATE control_head SET revision = 0`,
    );
    const lost = await store.controlFeed.eventsAfter(1, 10).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(LostControlStateError);
    expect(String(lost)).toContain("knows revision 1, and the database ends at revision 0");
    expect(String(lost)).toContain("remove the file");
  });

  it("says that no server takes writes, so that a start can wait for one", async () => {
    const options = { url: "postgres://svc@127.0.0.1:1/svc", logId: LOG };
    await expect(openPostgresStore(options)).rejects.toThrow(NoPrimaryError);
  });

  it("finishes what was handed over before it ends with the store", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: LOG });
    const pending = Array.from({ length: 20 }, (_, n) => store.ledger.commit([entry(`{"n":${String(n)}}`)]));
    const closed = store.close();
    expect((await Promise.all(pending)).flat().map(({ kind }) => kind)).toEqual(
      Array.from({ length: 20 }, () => "committed"),
    );
    await closed;
    await expect(store.ledger.commit([entry("{}")])).rejects.toThrow("the store is closed");
    const anew = await openOfTest({ url });
    expect(await textsOf(anew.store)).toHaveLength(20);
  });
});
