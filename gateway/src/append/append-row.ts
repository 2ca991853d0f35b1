import type { AppendOutcome } from "@svc/log-writer/ledger-queue";
import type { StoredGrant } from "@svc/store/ports/approval-store";
import { type Claims, type GrantClaim, NO_CLAIMS } from "@svc/store/ports/claims";
import { heldCallClaim } from "../agents/held-calls.ts";
import { approvalClaim } from "../evaluate/approvals.ts";
import type { RowPolicy, RowRest } from "../evaluate/call-content.ts";
import type { Ruling } from "../evaluate/ruling.ts";
import type { ExecuteParts } from "../execute-parts.ts";
import type { PendingCall } from "../pending-call.ts";
import { IDEMPOTENCY_WINDOW_MS } from "./claimed-key.ts";
import type { RowText } from "./decision-row.ts";

/** A row that was handed to the ledger, with its claims and the outcome. */
export interface Appended {
  readonly row: RowText;
  readonly claims: Claims;
  readonly outcome: AppendOutcome;
}

/** @param policy the row masks what this policy redacts, whatever the decision is. */
export async function append(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  policy: RowPolicy,
): Promise<Appended> {
  const { queue, digest, onLateRow } = parts;
  const rest = rowRest(parts, call, ruled);
  const atMs = rest.moment.time.getTime();
  const row = await call.content.rowText(call, policy, rest);
  const asked =
    ruled.approval === null
      ? NOTHING_ASKED
      : {
          opensApproval: approvalClaim(digest, ruled, { facts: call, row }, atMs),
          holdsCall: heldCallClaim(ruled, { facts: call, row }, atMs),
        };
  const claims = claimsOf(call, ruled, atMs, asked);
  return { row, claims, outcome: await queue.append({ row: row.text, claims }, call.deadlineMs, onLateRow) };
}

/** The row that a ruling would have now. */
export async function rowOf(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  policy: RowPolicy,
): Promise<RowText> {
  return call.content.rowText(call, policy, rowRest(parts, call, ruled));
}

/** What a row that is written now says apart from its call. */
export function rowRest(
  { clock, digest }: Pick<ExecuteParts, "clock" | "digest">,
  { receivedAtMs }: PendingCall,
  ruled: Ruling,
): RowRest {
  const latencyUs = Math.round((clock.nowMs() - receivedAtMs) * 1_000);
  return { ruled, moment: { time: clock.now(), latencyUs }, digest };
}

/** What a row claims from people or for the time after a suspension. */
type Asked = Pick<Claims, "opensApproval" | "holdsCall">;

const NOTHING_ASKED: Asked = { opensApproval: null, holdsCall: null };

/** A deny that a fault caused does not take the key, so a repeat of the call can be decided. */
export function claimsOf(
  { org, key }: PendingCall,
  { counters, failClosed, approval }: Ruling,
  atMs: number,
  { opensApproval, holdsCall }: Asked = NOTHING_ASKED,
): Claims {
  const idempotency =
    key === null || failClosed ? null : { ...key, atMs, expiresAtMs: atMs + IDEMPOTENCY_WINDOW_MS };
  if (counters.length === 0 && idempotency === null && approval === null) return NO_CLAIMS;
  const usesGrant = approval?.kind === "uses" ? { org, ...usedGrant(approval.grant), atMs } : null;
  return { counters, idempotency, usesGrant, opensApproval, holdsCall };
}

function usedGrant({ approvalId, binding }: StoredGrant): Pick<GrantClaim, "approvalId" | "binding"> {
  return { approvalId, binding };
}
