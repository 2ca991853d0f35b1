import type { Client } from "pg";
import { claimsNothing } from "../claims/claims-nothing.ts";
import { countersOf } from "../claims/counters.ts";
import type { ClaimState } from "../claims/judge-claims.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import { lockClaims } from "./claims/claim-locks.ts";
import { lockUsages } from "./claims/usages.ts";
import { LOCK_HEAD } from "./ledger-statements.ts";

/** The end of a log as the database has it, locked. */
export interface LockedHead {
  readonly size: number;
  readonly head_hash: Uint8Array;
  readonly epoch: number;
}

export interface LockedBatch {
  readonly head: LockedHead;
  readonly state: ClaimState;
}

/**
 * Begins the transaction of a batch, and locks the log's head and what the claims name. Where they name
 * nothing but sessions, that is one round trip.
 */
export async function lockBatch(
  client: Client,
  logId: string,
  entries: readonly LedgerEntry[],
): Promise<LockedBatch> {
  const begun = client.query("BEGIN");
  // Locks of other claims insert rows, which must not happen outside of the transaction.
  if (needsMoreThanUsages(entries)) await begun;
  const locked = await lockClaims(client, entries);
  const [, { rows }, usages] = await Promise.all([
    begun,
    client.query<LockedHead>({ ...LOCK_HEAD, values: [logId] }),
    lockUsages(client, countersOf(entries)),
  ]);
  const [head] = rows;
  if (head === undefined) throw new Error(`audit log ${logId}: its head is missing`);
  return { head, state: { ...locked, usages } };
}

/** Whether claims of a batch have statements of their own. Usages are written with the rows. */
export function needsMoreThanUsages(entries: readonly Pick<LedgerEntry, "claims">[]): boolean {
  return entries.some(({ claims }) => !claimsNothing({ ...claims, counters: [] }));
}
