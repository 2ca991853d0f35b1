import { addUsage, NO_USAGE, sessionKeyText } from "../claims/counters.ts";
import type { Ledger, Settlement, SettlementOutcome } from "../ports/ledger.ts";
import type { SessionKey, SessionUsage } from "../ports/session-usage.ts";
import { appendAuditRows, touchHead } from "./append-audit-rows.ts";
import { releaseGrants } from "./release-grants.ts";
import { releaseKeys } from "./release-keys.ts";
import { inTransaction, type StoreContext, type TransactionContext } from "./store-context.ts";

/** The part of the ledger outside the hot path, and the readiness check. */
export interface SettlementStore extends Pick<Ledger, "usage"> {
  /** Settles all in one transaction; outcomes in the order of the settlements. */
  settleBatch(settlements: readonly Settlement[]): Promise<readonly SettlementOutcome[]>;
  /** Writes the log's head anew. Rejects when this writer cannot write now. */
  check(): Promise<void>;
}

export function createSettlementStore(context: StoreContext): SettlementStore {
  return {
    settleBatch: async (settlements) =>
      inTransaction(context, async (inside) => settleBatch(inside, settlements)),
    usage: async (key) => toUsage(await usageRow(context.db, key).executeTakeFirst()),
    check: async () => inTransaction(context, touchHead),
  };
}

/**
 * Phases, each in key order: outcomes, idempotency keys, grants, the log's head, usages. Everybody locks in
 * that order, so two processes cannot wait for each other.
 */
async function settleBatch(
  inside: TransactionContext,
  settlements: readonly Settlement[],
): Promise<readonly SettlementOutcome[]> {
  const outcomes = new Map<Settlement, SettlementOutcome>();
  for (const settlement of settlements.toSorted(byDecision)) {
    outcomes.set(settlement, await recordOutcome(inside, settlement));
  }
  const recorded = settlements.filter((settlement) => outcomes.get(settlement)?.kind === "settled");
  const inUse = await releaseKeys(inside, recorded);
  for (const settlement of inUse) {
    await removeOutcome(inside, settlement);
    outcomes.set(settlement, { kind: "in_use" });
  }
  const settled = recorded.filter((settlement) => !inUse.has(settlement));
  if (settled.length > 0) {
    await releaseGrants(inside, settled);
    await appendAuditRows(
      inside,
      settled.map(({ row }) => row),
    );
    await adjustUsages(inside, settled);
  }
  return settlements.map((settlement) => outcomes.get(settlement) ?? { kind: "conflict" });
}

function byDecision(a: Settlement, b: Settlement): number {
  if (a.decision.logId === b.decision.logId) return a.decision.seq - b.decision.seq;
  return a.decision.logId < b.decision.logId ? -1 : 1;
}

/** The first report of a decision stands. A concurrent one waits here, then finds it. */
async function recordOutcome(
  { trx }: TransactionContext,
  { decision, digest, status }: Settlement,
): Promise<SettlementOutcome> {
  const inserted = await trx
    .insertInto("outcomes")
    .values({ log_id: decision.logId, seq: decision.seq, digest, status })
    .onConflict((conflict) => conflict.doNothing())
    .returning("seq")
    .executeTakeFirst();
  if (inserted !== undefined) return { kind: "settled" };
  const first = await trx
    .selectFrom("outcomes")
    .select("digest")
    .where("log_id", "=", decision.logId)
    .where("seq", "=", decision.seq)
    .executeTakeFirstOrThrow();
  return { kind: first.digest === digest ? "repeated" : "conflict" };
}

async function removeOutcome({ trx }: TransactionContext, { decision }: Settlement): Promise<void> {
  await trx
    .deleteFrom("outcomes")
    .where("log_id", "=", decision.logId)
    .where("seq", "=", decision.seq)
    .execute();
}

type Charge = Settlement["charges"][number];

async function adjustUsages(inside: TransactionContext, settled: readonly Settlement[]): Promise<void> {
  const charges = settled.flatMap((settlement) => settlement.charges);
  const bySession = Map.groupBy(charges, ({ key }) => sessionKeyText(key));
  const inOrder = [...bySession].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [, [first, ...others]] of inOrder) {
    if (first !== undefined) await adjustUsage(inside, first.key, [first, ...others]);
  }
}

async function adjustUsage(
  { trx, dialect }: TransactionContext,
  key: SessionKey,
  charges: readonly Charge[],
): Promise<void> {
  const { org, agentId, sessionId } = key;
  await trx
    .insertInto("session_usage")
    .values({ org, agent_id: agentId, session_id: sessionId, steps: 0, cost_micro_usd: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const before = await usageRow(trx, key)
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
  const after = charges.reduce(addUsage, toUsage(before));
  await trx
    .updateTable("session_usage")
    .set({ steps: after.steps, cost_micro_usd: after.costMicroUsd })
    .where("org", "=", org)
    .where("agent_id", "=", agentId)
    .where("session_id", "=", sessionId)
    .execute();
}

function usageRow(db: StoreContext["db"], { org, agentId, sessionId }: SessionKey) {
  return db
    .selectFrom("session_usage")
    .select(["steps", "cost_micro_usd"])
    .where("org", "=", org)
    .where("agent_id", "=", agentId)
    .where("session_id", "=", sessionId);
}

function toUsage(row: { steps: number; cost_micro_usd: number } | undefined): SessionUsage {
  return row === undefined ? NO_USAGE : { steps: row.steps, costMicroUsd: row.cost_micro_usd };
}
