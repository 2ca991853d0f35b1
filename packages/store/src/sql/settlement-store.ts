import type { Ledger, SessionKey, SessionUsage, Settlement, SettlementOutcome } from "../ports/ledger.ts";
import { addUsage, NO_USAGE } from "../reserve.ts";
import { appendAuditRow, touchHead } from "./append-audit-row.ts";
import { inTransaction, type StoreContext, type TransactionContext } from "./store-context.ts";

/** The part of the ledger that is no hot path, and the proof of readiness. */
export interface SettlementStore extends Pick<Ledger, "settle" | "usage"> {
  /** Writes the log's head anew. Rejects when this writer cannot write now. */
  check(): Promise<void>;
}

export function createSettlementStore(context: StoreContext): SettlementStore {
  return {
    settle: async (settlement) => inTransaction(context, async (inside) => settle(inside, settlement)),
    usage: async (key) => toUsage(await usageRow(context.db, key).executeTakeFirst()),
    check: async () => inTransaction(context, touchHead),
  };
}

async function settle(inside: TransactionContext, settlement: Settlement): Promise<SettlementOutcome> {
  const { decision, digest, status, charge, row } = settlement;
  // A concurrent report of the same decision waits here, then finds this one.
  const inserted = await inside.trx
    .insertInto("outcomes")
    .values({ log_id: decision.logId, seq: decision.seq, digest, status })
    .onConflict((conflict) => conflict.doNothing())
    .returning("seq")
    .executeTakeFirst();
  if (inserted === undefined)
    return { kind: (await storedDigest(inside, settlement)) === digest ? "repeated" : "conflict" };
  await appendAuditRow(inside, row);
  if (charge !== null) await adjustUsage(inside, charge);
  return { kind: "settled" };
}

async function storedDigest({ trx }: TransactionContext, { decision }: Settlement): Promise<string> {
  const stored = await trx
    .selectFrom("outcomes")
    .select("digest")
    .where("log_id", "=", decision.logId)
    .where("seq", "=", decision.seq)
    .executeTakeFirstOrThrow();
  return stored.digest;
}

async function adjustUsage(
  { trx, dialect }: TransactionContext,
  charge: NonNullable<Settlement["charge"]>,
): Promise<void> {
  const { org, agentId, sessionId } = charge.key;
  const identity = { org, agent_id: agentId, session_id: sessionId };
  await trx
    .insertInto("session_usage")
    .values({ ...identity, steps: 0, cost_micro_usd: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const before = await usageRow(trx, charge.key)
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
  const after = addUsage(toUsage(before), charge);
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
