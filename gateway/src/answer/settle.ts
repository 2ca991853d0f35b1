import type { Verdict } from "@svc/contract/verdict";
import type { RowPosition } from "@svc/store/ports/row-position";
import { heldCallsFullRuling } from "../agents/held-calls.ts";
import { type Appended, append } from "../append/append-row.ts";
import { rowPolicy } from "../check/governing-policy.ts";
import { noApprovalRuling } from "../evaluate/approvals.ts";
import type { RowPolicy } from "../evaluate/call-content.ts";
import { ceilingRuling } from "../evaluate/policy-ruling.ts";
import { faultRuling, type Ruling } from "../evaluate/ruling.ts";
import type { ExecuteParts } from "../execute-parts.ts";
import type { PendingCall } from "../pending-call.ts";
import { answer, deny } from "./answer.ts";
import { recheckControl } from "./recheck-control.ts";
import { judgeStoredDecision, type StoredDecision, storedDecision } from "./stored-decision.ts";

/**
 * The result for one call. `answered`: the verdict is null when another request has the key. `outdated`: the
 * row at `position` holds the key, and its decision is out of date. `superseded`: another policy, or another
 * version of it, governs the call since the ruling, whose row is withdrawn.
 */
export type Concluded =
  | { readonly kind: "answered"; readonly verdict: Verdict | null }
  | { readonly kind: "outdated"; readonly position: RowPosition }
  | { readonly kind: "superseded" };

/**
 * Appends a ruling that does not charge a session, and answers it.
 * @param policy the row masks what it redacts: that of the call, unless the policy itself may have failed
 */
export async function conclude(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  policy: RowPolicy = rowPolicy(parts.control, call),
): Promise<Concluded> {
  return settle(parts, call, ruled, await append(parts, call, ruled, policy));
}

/** The call, for a decision that must not take its key. */
export function withoutKey(call: PendingCall): PendingCall {
  return { ...call, key: null };
}

/** What follows from the outcome of a row. */
export async function settle(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  appended: Appended,
): Promise<Concluded> {
  const { outcome } = appended;
  if (call.key === null && (outcome.kind === "repeated" || outcome.kind === "key_conflict"))
    throw new Error("the ledger reported a key that the call did not claim");
  switch (outcome.kind) {
    case "committed": {
      const { position } = outcome;
      const recheck = recheckControl(parts.control, call, ruled);
      if (recheck.kind === "stands")
        return { kind: "answered", verdict: answer(ruled, position, parts.publicUrl) };
      const { org, principal, requestId } = call;
      parts.withdraw({ org, principal, requestId, position, claims: appended.claims });
      return recheck.kind === "superseded" ? recheck : conclude(parts, withoutKey(call), recheck.ruled);
    }
    case "refused":
      return conclude(parts, call, ceilingRuling(ruled, outcome));
    case "repeated": {
      const deadline = { clock: parts.clock, deadlineMs: call.deadlineMs };
      const stored = await storedDecision(parts.audit, outcome.position, deadline);
      return answerRepeated(parts, call, ruled, { row: appended.row, position: outcome.position, stored });
    }
    case "key_conflict":
      return { kind: "answered", verdict: null };
    case "approval_open":
    case "call_held": {
      // Each pause has a row of its own, which names what is open.
      const pauseId = outcome.kind === "approval_open" ? outcome.approvalId : outcome.heldCallId;
      return conclude(parts, call, { ...ruled, pauseId, approval: null });
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
      return { kind: "answered", verdict: deny(UNRECORDED) };
  }
}

const UNRECORDED = faultRuling("audit_unavailable", "the decision could not be recorded");

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
      return conclude(parts, withoutKey(call), DOUBTFUL);
    case "stricter":
      return conclude(parts, withoutKey(call), ruled);
    case "outdated":
      return { kind: "outdated", position };
    case "stands": {
      const recheck = recheckControl(control, call, judged.ruled);
      if (recheck.kind === "superseded") return recheck;
      if (recheck.kind === "stopped") return conclude(parts, withoutKey(call), recheck.ruled);
      return { kind: "answered", verdict: { ...answer(judged.ruled, position, publicUrl), repeated: true } };
    }
  }
}

const DOUBTFUL = faultRuling("internal_error", "the first decision of this repeated call could not be read");
