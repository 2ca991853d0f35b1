// peers: postgres
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Claims } from "../ports/claims.ts";
import type { LedgerOutcome } from "../ports/ledger.ts";
import type { Store } from "../ports/store.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { endSessions } from "../testing/end-sessions.ts";
import { readChain } from "../testing/expect-chain.ts";
import { openPostgresInThread } from "../testing/open-postgres-in-thread.ts";
import { approvalChange, approvalClaim, counters, entry, grantClaim, keyClaim } from "../testing/records.ts";
import { watchStatements } from "../testing/watch-statements.suite.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const ORG = "org";
const SESSION = { org: ORG, agentId: "agent-1", sessionId: "session-1" };

describePostgres("PostgreSQL store, with claims of two writers", (server) => {
  async function openTwo(givenUrl?: string): Promise<readonly [Store, Store]> {
    const url = givenUrl ?? (await server().createDatabase());
    const open = async (logId: string) => openPostgresStore({ url, logId });
    const stores = [await open("log-a"), await open("log-b")] as const;
    onTestFinished(async () => {
      for (const store of stores) await store.close();
    });
    return stores;
  }

  const commit = async (store: Store, claims: Partial<Claims>) =>
    (await store.ledger.commit([entry("{}", claims)]))[0];

  /** Each store commits `times` such entries, all at once. */
  const race = async (stores: readonly Store[], times: number, claimsOf: (n: number) => Partial<Claims>) => {
    const calls = Array.from({ length: times }, (_, n) => stores.map((store) => commit(store, claimsOf(n))));
    return Promise.all(calls.flat());
  };

  const committed = (outcomes: readonly (LedgerOutcome | undefined)[]) =>
    outcomes.flatMap((outcome) => (outcome?.kind === "committed" ? [outcome.position] : []));

  // proves EXEC-31
  it("gives a key to one row, charges once, and names that row to both", async () => {
    const stores = await openTwo();
    const key = { idempotency: keyClaim(ORG), counters: counters(SESSION) };
    const outcomes = await race(stores, 20, () => key);
    const [position, ...others] = committed(outcomes);
    expect(others).toEqual([]);
    const repeated = outcomes.filter((outcome) => outcome?.kind === "repeated");
    expect(repeated).toEqual(Array.from({ length: 39 }, () => ({ kind: "repeated", position })));
    expect(await stores[0].ledger.usage(SESSION)).toEqual({ steps: 1, costMicroUsd: 0 });
    const rows = await Promise.all(stores.map((store) => readChain(store.audit, store.logId)));
    expect(rows.flat()).toHaveLength(1);
  });

  it("gives each of many keys to one row, whatever the order in which batches name them", async () => {
    const stores = await openTwo();
    const names = Array.from({ length: 30 }, (_, n) => `key-${String(n)}`);
    const batches = [names, names.toReversed()];
    const outcomes = await Promise.all(
      [...stores, ...stores].map((store, n) =>
        store.ledger.commit(
          (batches[n % 2] ?? []).map((keyDigest) =>
            entry("{}", { idempotency: keyClaim(ORG, { keyDigest }), counters: counters(SESSION) }),
          ),
        ),
      ),
    );
    expect(committed(outcomes.flat())).toHaveLength(30);
    expect(outcomes.flat().filter(({ kind }) => kind === "repeated")).toHaveLength(90);
    expect(await stores[1].ledger.usage(SESSION)).toEqual({ steps: 30, costMicroUsd: 0 });
  });

  it("lets one row use a grant", async () => {
    const stores = await openTwo();
    await commit(stores[0], { opensApproval: approvalClaim(ORG) });
    await stores[1].approvals.changeApproval(approvalChange(ORG));
    const outcomes = await race(stores, 20, () => ({ usesGrant: grantClaim(ORG) }));
    const [position, ...others] = committed(outcomes);
    expect(others).toEqual([]);
    expect(outcomes.filter((outcome) => outcome?.kind === "grant_used")).toEqual(
      Array.from({ length: 39 }, () => ({ kind: "grant_used", position })),
    );
  });

  it("opens one approval of a call", async () => {
    const stores = await openTwo();
    const outcomes = await race(stores, 20, (n) => ({
      opensApproval: approvalClaim(ORG, { approvalId: `apr_${String(n)}_${String(Math.random())}` }),
    }));
    expect(committed(outcomes)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome?.kind === "approval_open")).toHaveLength(39);
  });

  // proves APR-72
  it("opens no more approvals than the limit, however many writers open them at once", async () => {
    const stores = await openTwo();
    const openTen = async ({ ledger, logId }: Store, org: string) =>
      ledger.commit(
        Array.from({ length: 10 }, (_, n) => {
          const binding = `${logId}-${String(n)}`;
          const names = { binding, approvalId: `apr_${binding}` };
          return entry("{}", {
            opensApproval: approvalClaim(org, {
              ...names,
              maxOpen: { organization: 12, agent: 20, key: 20 },
            }),
          });
        }),
      );
    for (const org of Array.from({ length: 10 }, (_, n) => `org-${String(n)}`)) {
      const outcomes = (await Promise.all(stores.map(async (store) => openTen(store, org)))).flat();
      expect(committed(outcomes)).toHaveLength(12);
      expect(outcomes.filter(({ kind }) => kind === "approvals_full")).toHaveLength(8);
    }
  });

  it("does not wait for itself: keys, settlements, grants and sessions at once, on both", async () => {
    const stores = await openTwo();
    const work = async (store: Store, n: number): Promise<void> => {
      const keyDigest = `key-${String(n % 3)}`;
      const claims = { idempotency: keyClaim(ORG, { keyDigest }), counters: counters(SESSION) };
      const call = { opensApproval: approvalClaim(ORG, { approvalId: `${store.logId}-${String(n)}` }) };
      const [first] = await store.ledger.commit([entry("{}", claims), entry("{}", call)]);
      if (first?.kind !== "committed" && first?.kind !== "repeated") throw new Error(String(first?.kind));
      await store.ledger.settle({
        org: ORG,
        decision: first.position,
        digest: "d",
        status: "not_executed",
        charges: [{ key: SESSION, steps: -1, costMicroUsd: 0 }],
        row: "{}",
        idempotencyKey: n % 2 === 0 ? "released" : "released_unless_repeated",
        grant: "kept",
      });
    };
    await Promise.all(stores.flatMap((store) => Array.from({ length: 25 }, (_, n) => work(store, n))));
    for (const store of stores) await readChain(store.audit, store.logId);
  });

  // proves EXEC-31
  it("L5: has a key exactly when it has the row, when all sessions end in the midst of commits", async () => {
    const url = await server().createDatabase();
    const [store] = await openTwo(url);
    const claims = (n: number): Partial<Claims> => ({
      idempotency: keyClaim(ORG, { keyDigest: `key-${String(n)}` }),
      counters: counters(SESSION),
    });
    const told = new Map<number, LedgerOutcome | undefined>();
    const calls = Array.from({ length: 200 }, async (_, n) => {
      // A commit that gets no answer is one that was cut off.
      const outcome = await commit(store, claims(n)).catch(() => undefined);
      if (outcome !== undefined) told.set(n, outcome);
    });
    await vi.waitFor(() => expect(told.size).toBeGreaterThan(20), { timeout: CONDITION_MS, interval: 1 });
    await endSessions(url);
    await Promise.all(calls);
    await vi.waitFor(() => store.check(), { timeout: CONDITION_MS, interval: 50 });
    const rows = (await readChain(store.audit, store.logId)).length;
    const again = [];
    for (let n = 0; n < 200; n += 1) again.push(await commit(store, claims(n)));
    for (const [n, outcome] of told) {
      if (outcome?.kind !== "committed") throw new Error(`expected a commit, got ${String(outcome?.kind)}`);
      expect(again[n]).toEqual({ kind: "repeated", position: outcome.position });
    }
    expect(again.filter((outcome) => outcome?.kind === "repeated")).toHaveLength(rows);
    expect(await store.ledger.usage(SESSION)).toEqual({ steps: 200, costMicroUsd: 0 });
    expect(await readChain(store.audit, store.logId)).toHaveLength(200);
  });

  it("takes one round trip for a row without claims, and two for one with ceilings", async () => {
    const store = await openPostgresInThread({ url: await server().createDatabase(), logId: "log-a" });
    onTestFinished(() => store.close());
    let open = 0;
    let statements = 0;
    let trips = 0;
    const onSend = (): void => {
      statements += 1;
      // What is sent before the answer to the statement ahead of it costs no trip of its own.
      if (open === 0) trips += 1;
      open += 1;
    };
    watchStatements(onSend, () => (open -= 1));
    const costs = async (claims: Partial<Claims>) => {
      statements = 0;
      trips = 0;
      expect(await commit(store, claims)).toMatchObject({ kind: "committed" });
      return { statements, trips };
    };
    expect(await costs({})).toEqual({ statements: 1, trips: 1 });
    // BEGIN, the head and the usages; rows with usages and head, and COMMIT.
    expect(await costs({ counters: counters(SESSION) })).toEqual({ statements: 5, trips: 2 });
    // BEGIN; the key; the head; the row; the key; COMMIT.
    expect(await costs({ idempotency: keyClaim(ORG) })).toEqual({ statements: 6, trips: 6 });
  });
});
