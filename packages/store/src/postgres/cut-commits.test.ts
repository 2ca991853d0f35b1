// peers: postgres
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { Client } from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Claims } from "../ports/claims.ts";
import type { Store } from "../ports/store.ts";
import { type DatabaseLink, type LinkWay, startDatabaseLink } from "../testing/database-link.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { endSessions } from "../testing/end-sessions.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { openPostgresInThread } from "../testing/open-postgres-in-thread.ts";
import { counters, entry } from "../testing/records.ts";
import { watchStatements } from "../testing/watch-statements.suite.ts";

const LOG = "gateway-1";
const SESSION = { org: "org", agentId: "agent-1", sessionId: "session-1" };

/** A commit of one round trip, and one of two. */
const KINDS: readonly { readonly kind: string; readonly claims: Partial<Claims>; readonly last: string }[] = [
  { kind: "one round trip", claims: {}, last: "svc-append-batch" },
  { kind: "two round trips", claims: { counters: counters(SESSION) }, last: "svc-write-batch" },
];

describePostgres("A commit in as few round trips as possible", (server) => {
  async function openOverLink(): Promise<{ store: Store; link: DatabaseLink; url: string }> {
    const url = await server().createDatabase();
    const link = await startDatabaseLink(url);
    const store = await openPostgresInThread({ url: link.url, logId: LOG });
    onTestFinished(async () => {
      await store.close();
      await link.close();
    });
    return { store, link, url };
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

  const lost: readonly {
    readonly name: string;
    readonly way: LinkWay;
    readonly written: readonly string[];
  }[] = [
    { name: "before the server gets it", way: "to database", written: [] },
    { name: "before its answer arrives", way: "from database", written: ['{"cut":1}'] },
  ];

  it.each(KINDS.flatMap((kind) => lost.map((cut) => ({ ...kind, ...cut }))))(
    "L5: in $kind, cut $name, is a deny, and the log goes on behind what was written",
    async ({ claims, last, way, written }) => {
      const { store, link } = await openOverLink();
      await store.ledger.commit([entry('{"first":1}', claims)]);
      const stop = watchStatements((name) => name === last && link.freeze([way]));
      await expect(store.ledger.commit([entry('{"cut":1}', claims)])).rejects.toThrow(/no answer/);
      stop();
      await link.cut();
      await link.mend();
      await vi.waitFor(async () => store.ledger.commit([entry('{"next":1}', claims)]), {
        timeout: CONDITION_MS,
      });
      expect(await textsOf(store)).toEqual(['{"first":1}', ...written, '{"next":1}']);
      const steps = claims.counters === undefined ? 0 : written.length + 2;
      expect((await store.ledger.usage(SESSION)).steps).toBe(steps);
    },
  );

  it.each(KINDS)("L5: in $kind, without an answer, gives the log's lock up", async ({ claims, last }) => {
    const { store, link, url } = await openOverLink();
    const holders = async () =>
      query(
        url,
        `SELECT l.pid FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
          WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()`,
      );
    expect(await holders()).not.toEqual([]);
    watchStatements((name) => name === last && link.freeze(["from database"]));
    await expect(store.ledger.commit([entry("{}", claims)])).rejects.toThrow(/no answer/);
    // No answer arrives, so only the store can have ended the connection.
    await vi.waitFor(async () => expect(await holders()).toEqual([]), { timeout: CONDITION_MS });
  });

  it.each(KINDS)("L2: in $kind, refused by the database, writes nothing", async ({ claims }) => {
    const { store, url } = await openOverLink();
    await store.ledger.commit([entry('{"first":1}', claims)]);
    await query(
      url,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no row today'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON audit_rows FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const batch = [entry('{"refused":1}', claims), entry('{"refused":2}', claims)];
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(store.ledger.commit(batch)).rejects.toThrow("no row today");
    await query(url, "DROP TRIGGER refuse ON audit_rows");
    await store.ledger.commit([entry('{"next":1}', claims)]);
    expect(await textsOf(store)).toEqual(['{"first":1}', '{"next":1}']);
    expect((await store.ledger.usage(SESSION)).steps).toBe(claims.counters === undefined ? 0 : 2);
  });

  it.each(KINDS)("L2: in $kind, kept out without an error, never counts as durable", async ({ claims }) => {
    const { store, url } = await openOverLink();
    await store.ledger.commit([entry('{"first":1}', claims)]);
    await query(
      url,
      `CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER swallow BEFORE INSERT ON audit_rows FOR EACH ROW EXECUTE FUNCTION swallow()`,
    );
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(store.ledger.commit([entry("{}", claims)])).rejects.toThrow(/expected 1 new rows/);
  });

  it("L3: appends beside outcomes of the same process without a gap, and loses none", async () => {
    const { store } = await openOverLink();
    const outcomes = await Promise.all(
      Array.from({ length: 150 }, async (_, n) => {
        const [outcome] = await store.ledger.commit([entry(`{"call":${String(n)}}`)]);
        if (outcome?.kind !== "committed") throw new Error(`expected a row, found ${String(outcome?.kind)}`);
        return store.ledger.settle({
          org: "org",
          decision: outcome.position,
          digest: "digest",
          status: "success",
          charges: [],
          row: `{"outcome":${String(n)}}`,
          idempotencyKey: "kept",
          grant: "kept",
        });
      }),
    );
    expect(outcomes).toEqual(Array.from({ length: 150 }, () => ({ kind: "settled" })));
    expect(new Set(await textsOf(store)).size).toBe(300);
  });

  it("L3: the sessions end in the midst of commits, and every acknowledged row is there once", async () => {
    const { store, url } = await openOverLink();
    const told: string[] = [];
    const calls = Array.from({ length: 300 }, async (_, n) => {
      const text = `{"call":${String(n)}}`;
      // A commit that gets no answer is one that was cut off.
      const outcomes = await store.ledger.commit([entry(text)]).catch(() => []);
      if (outcomes.length > 0) told.push(text);
    });
    await vi.waitFor(() => expect(told.length).toBeGreaterThan(20), { timeout: CONDITION_MS, interval: 1 });
    await endSessions(url);
    await Promise.all(calls);
    await vi.waitFor(() => store.check(), { timeout: CONDITION_MS, interval: 50 });
    const texts = await textsOf(store);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toEqual(expect.arrayContaining(told));
  });
});
