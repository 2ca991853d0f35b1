import type { Client } from "pg";
import { bindingText } from "../../claims/approval.ts";
import { claimsOf } from "../../claims/claims-of.ts";
import { grantText } from "../../claims/grant.ts";
import { heldCallText } from "../../claims/held-call.ts";
import { keyText } from "../../claims/idempotency.ts";
import type { ClaimState, TakenClaims } from "../../claims/judge-claims.ts";
import type { LedgerEntry } from "../../ports/ledger.ts";
import { lockApprovals, openApprovals } from "./approvals.ts";
import { lockGrants, useGrants } from "./grants.ts";
import { insertHeldCalls, lockHeldCalls } from "./held-calls.ts";
import { lockKeys, setKeys } from "./keys.ts";

type Entries = readonly Pick<LedgerEntry, "claims">[];

/** Everything that claims are judged by except session usages, which are locked after the log's head. */
export type LockedClaims = Omit<ClaimState, "usages">;

/**
 * Locks what the claims of a batch name. Everybody locks in the same order, so that two processes cannot wait
 * for each other: outcomes, idempotency keys, grants, limits of approvals, approvals,
 * held calls of agents, the log's head, usages.
 * A claim that no entry makes costs no statement.
 */
export async function lockClaims(client: Client, entries: Entries): Promise<LockedClaims> {
  const keys = await lockKeys(client, claimsOf(entries, "idempotency", keyText));
  const grants = await lockGrants(client, claimsOf(entries, "usesGrant", grantText));
  const approvals = await lockApprovals(client, claimsOf(entries, "opensApproval", bindingText));
  const heldCalls = await lockHeldCalls(client, claimsOf(entries, "holdsCall", heldCallText));
  return { keys, grants, approvals, heldCalls };
}

/** Writes the claims that were taken, and removes placeholders that were not needed. */
export async function writeClaims(client: Client, entries: Entries, taken: TakenClaims): Promise<void> {
  await setKeys(client, claimsOf(entries, "idempotency", keyText), taken.keys.changed);
  await useGrants(client, [...taken.grants.used.values()]);
  const opened = [...taken.approvals.opened.values()];
  await openApprovals(client, claimsOf(entries, "opensApproval", bindingText), opened);
  await insertHeldCalls(client, [...taken.heldCalls.held.values()]);
}
