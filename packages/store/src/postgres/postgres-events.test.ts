// peers: postgres
import { canonicalJson } from "@svc/text/canonical-json";
import { expect, it, onTestFinished } from "vitest";
import type { Store } from "../ports/store.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { entry } from "../testing/records.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const LOGS = ["log-a", "log-b"] as const;

/** Commits of each gateway, and rows of each commit, as counts. */
const COMMITS = 40;
const ROWS = 5;

const rowOf = (logId: string, n: number) =>
  canonicalJson({ v: 1, kind: "policy", time: new Date(n).toISOString(), org: "o", why: `${logId} ${n}` });

async function write(store: Store): Promise<void> {
  for (let n = 0; n < COMMITS; n += 1)
    await store.ledger.commit(Array.from({ length: ROWS }, () => entry(rowOf(store.logId, n))));
}

/** Reads pages of both logs until it has seen every row, and begins anew from its place in between. */
async function follow({ audit }: Store): Promise<readonly string[]> {
  const seen: string[] = [];
  let from: ReadonlyMap<string, number> = new Map(LOGS.map((logId) => [logId, 0]));
  while (seen.length < LOGS.length * COMMITS * ROWS) {
    const page = await audit.eventRows({ from, limit: 7, maxBytes: 1e6 });
    expect(page.unreadable).toBe(0);
    for (const [logId, next] of page.next) expect(page.sizes.get(logId)).toBeGreaterThanOrEqual(next);
    seen.push(...page.events.map(({ logId, seq }) => `${logId}.${String(seq)}`));
    from = new Map(page.next);
  }
  return seen;
}

describePostgres("events of two gateways on one database", (server) => {
  // proves EVT-08
  it("reach a reader at each of them, every row once and in the order of its log", async () => {
    const url = await server().createDatabase();
    const stores = await Promise.all(
      LOGS.map(async (logId) => openPostgresStore({ url, logId, ownership: "log" })),
    );
    onTestFinished(async () => void (await Promise.all(stores.map(async (store) => store.close()))));
    const written = Promise.all(stores.map(write));
    const readers = await Promise.all(stores.map(follow));
    await written;
    for (const seen of readers) {
      expect(new Set(seen).size).toBe(LOGS.length * COMMITS * ROWS);
      for (const logId of LOGS)
        expect(seen.filter((id) => id.startsWith(logId))).toEqual(
          Array.from({ length: COMMITS * ROWS }, (_, n) => `${logId}.${String(n)}`),
        );
    }
  });
});
