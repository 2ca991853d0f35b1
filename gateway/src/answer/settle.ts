import type { Verdict } from "@svc/contract/verdict";
import type { RowPosition } from "@svc/store/ports/row-position";
import { heldCallsFullRuling } from "../agents/held-calls.ts";
import { type Appended, append } from "../append/append-row.ts";
import { refuseByControl } from "../check/control-checks.ts";
import { rowPolicy } from "../check/governing-policy.ts";
import { noApprovalRuling } from "../evaluate/approvals.ts";
import { ceilingRuling } from "../evaluate/policy-ruling.ts";
import { faultRuling, type Ruling } from "../evaluate/ruling.ts";
import type { ExecuteParts } from "../execute-parts.ts";
import type { PendingCall } from "../pending-call.ts";
import { answer, deny } from "./answer.ts";
import { recheckControl } from "./recheck-control.ts";
import { judgeStoredDecision, type StoredDecision, storedDecision } from "./stored-decision.ts";

/**
 * The result for one call. `outdated`: the row at `position` holds the key, and its decision is out of date.
 */
export type Concluded =
  | { readonly kind: "answered"; readonly verdict: Verdict }
  | { readonly kind: "key_conflict" }
  | { readonly kind: "outdated"; readonly position: RowPosition };

/** Appends a ruling that does not charge a session, and answers it. */
export async function conclude(parts: ExecuteParts, call: PendingCall, ruled: Ruling): Promise<Concluded> {
  const policy = rowPolicy(parts.control, call);
  return settle(parts, call, ruled, await append(parts, call, ruled, policy));
}

/** As `conclude`, for a decision that must not take the key of the call. */
export async function concludeWithoutKey(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
): Promise<Verdict> {
  return verdictOf(await conclude(parts, { ...call, key: null }, ruled));
}

/**
 * As `conclude`, after a fault of any part. The policy itself may have failed, so it is not evaluated again.
 */
export async function concludeFault(parts: ExecuteParts, call: PendingCall, fault: Ruling): Promise<Verdict> {
  return verdictOf(await settle(parts, call, fault, await append(parts, call, fault, "unknown")));
}

export function answered(verdict: Verdict): Concluded {
  return { kind: "answered", verdict };
}

/** @throws unless the call was answered, which a call without a key always is. */
export function verdictOf(concluded: Concluded): Verdict {
  if (concluded.kind === "answered") return concluded.verdict;
  throw new Error("the ledger reported a key that the call did not claim");
}

/** What follows from the outcome of a row. */
export async function settle(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  appended: Appended,
): Promise<Concluded> {
  const { outcome } = appended;
  switch (outcome.kind) {
    case "committed":
      return answered(await answerCommitted(parts, call, ruled, { ...appended, position: outcome.position }));
    case "refused":
      return conclude(parts, call, ceilingRuling(ruled, outcome));
    case "repeated": {
      const deadline = { clock: parts.clock, deadlineMs: call.deadlineMs };
      const stored = await storedDecision(parts.audit, outcome.position, deadline);
      return answerRepeated(parts, call, ruled, { row: appended.row, position: outcome.position, stored });
    }
    case "key_conflict":
      return { kind: "key_conflict" };
    case "approval_open": {
      // Each pause has a row of its own, which names the approval that is open.
      const named = { ...ruled, approvalId: outcome.approvalId, approval: null };
      return conclude(parts, call, named);
    }
    case "call_held": {
      const named = { ...ruled, approvalId: outcome.heldCallId, approval: null };
      return conclude(parts, call, named);
    }
    case "held_calls_full":
      return conclude(parts, call, heldCallsFullRuling(call));
    case "approvals_full":
    case "workflow_missing":
      return conclude(parts, call, noApprovalRuling(ruled, outcome));
    case "stale":
    case "grant_missing":
    case "grant_expired":
    case "grant_used":
    case "granted":
      throw new Error(`the ledger answered ${outcome.kind} to a row that made no such claim`);
    case "unavailable":
      return answered(deny(faultRuling("audit_unavailable", "the decision could not be recorded")));
  }
}

async function answerCommitted(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  { claims, position }: Pick<Appended, "claims"> & { readonly position: RowPosition },
): Promise<Verdict> {
  const stopped = recheckControl(parts.control, call, ruled);
  if (stopped === null) return answer(ruled, position, parts.publicUrl);
  const { org, principal, requestId } = call;
  parts.withdraw({ org, principal, requestId, position, claims });
  return concludeWithoutKey(parts, call, stopped);
}

/** The row that a repeat would have written, and the one that holds its key. */
interface Repeat extends Pick<Appended, "row"> {
  readonly position: RowPosition;
  readonly stored: StoredDecision | null;
}

/** Answers with the stored decision or with a stricter one, or asks for a new decision. */
export async function answerRepeated(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  { row, position, stored }: Repeat,
): Promise<Concluded> {
  const { control, publicUrl } = parts;
  const judged = judgeStoredDecision(stored, { facts: call, row }, ruled);
  switch (judged.kind) {
    case "doubtful":
      return answered(await concludeWithoutKey(parts, call, DOUBTFUL));
    case "stricter":
      return answered(await concludeWithoutKey(parts, call, ruled));
    case "outdated":
      return { kind: "outdated", position };
    case "stands": {
      const stopped =
        judged.ruled.decision === "deny" ? null : refuseByControl(control, call, judged.ruled.wouldBe);
      if (stopped !== null) return answered(await concludeWithoutKey(parts, call, stopped));
      return answered({ ...answer(judged.ruled, position, publicUrl), repeated: true });
    }
  }
}

const DOUBTFUL = faultRuling("internal_error", "the first decision of this repeated call could not be read");
