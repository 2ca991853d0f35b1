import type { Verdict } from "@svc/contract/verdict";
import type { AppendOutcome } from "@svc/log-writer/ledger-queue";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import { heldCallsFullRuling } from "./agents/held-calls.ts";
import { answer, deny } from "./answer.ts";
import { type Appended, append, rowOf } from "./append-row.ts";
import { type HeldGrant, noApprovalRuling } from "./approvals.ts";
import { beforeDeadline } from "./before-deadline.ts";
import { refuseByControl } from "./control-checks.ts";
import { denyWithoutRow } from "./deny-without-row.ts";
import type { ExecuteParts } from "./execute-parts.ts";
import { governingPolicy, type ReadyPolicy, rowPolicy } from "./governing-policy.ts";
import { lastLook } from "./last-look.ts";
import { noteOtherSession } from "./other-session.ts";
import type { PendingCall } from "./pending-call.ts";
import { ceilingRuling } from "./policy-ruling.ts";
import { grantOf, ruleOn } from "./rule-on-call.ts";
import { faultRuling, type Ruling } from "./ruling.ts";
import { sessionKeyOf } from "./session-key.ts";
import { judgeStoredDecision, type StoredDecision, storedDecision, usageWithout } from "./stored-decision.ts";

/** Most evaluations of one call whose session usage keeps changing; after them the call is denied. */
const MAX_EVALUATIONS = 8;

/** Most decisions of one call whose key other processes keep taking; after them the call is denied. */
const MAX_TAKEOVERS = 4;

/**
 * The result for one call. `outdated`: the row at `position` holds the key, and its decision is out of date.
 */
type Concluded =
  | { readonly kind: "answered"; readonly verdict: Verdict }
  | { readonly kind: "key_conflict" }
  | { readonly kind: "outdated"; readonly position: RowPosition };

const KEY_CONTENDED = faultRuling(
  "session_contended",
  "other calls with this Idempotency-Key kept being decided",
);

/**
 * Decides a call in steps that may each wait: for what its session has used, for another thread, for a grant,
 * or for the row that holds its key.
 * @returns null when another request has the key
 */
export async function decideInSteps(parts: ExecuteParts, call: PendingCall): Promise<Verdict | null> {
  let current = call;
  for (let attempts = 1; attempts <= MAX_TAKEOVERS; attempts += 1) {
    const concluded = await decide(parts, current);
    if (concluded.kind === "answered") return concluded.verdict;
    if (concluded.kind === "key_conflict" || current.key === null) return null;
    current = { ...current, key: { ...current.key, replaces: concluded.position } };
  }
  return concludeWithoutKey(parts, call, KEY_CONTENDED);
}

async function decide(parts: ExecuteParts, call: PendingCall): Promise<Concluded> {
  const refusal = refuseByControl(parts.control, call);
  if (refusal?.reasonCode === "control_state_unverified" && parts.queue.isStalled)
    return answered(denyWithoutRow(parts, call, refusal));
  if (refusal !== null) return conclude(parts, call, refusal);
  const governing = governingPolicy(parts.control, call);
  if (governing.kind === "ruled") return conclude(parts, call, governing.ruling);

  const key = governing.policy.readsUsage ? sessionKeyOf(call) : null;
  if (key === null) return decideByPolicy(parts, call, governing, NOTHING_KNOWN);
  return parts.sessionMutex.run(JSON.stringify([key.org, key.agentId, key.sessionId]), async () => {
    const usage = await beforeDeadline({ clock: parts.clock, deadlineMs: call.deadlineMs }, () =>
      parts.usage(key),
    );
    return usage === null
      ? answered(deny(NOT_IN_TIME))
      : decideByPolicy(parts, call, governing, { usage, ruled: null });
  });
}

const NOT_IN_TIME = faultRuling("session_contended", "what the session has used could not be read in time");

/** As `decideInSteps`, for a call without a key that the policy has just ruled on. */
export async function decideRuled(
  parts: ExecuteParts,
  call: PendingCall,
  governing: ReadyPolicy,
  ruled: Ruling,
): Promise<Verdict> {
  return verdictOf(await decideByPolicy(parts, call, governing, { usage: null, ruled }));
}

/** What is known before the first evaluation: the usage of the session, and the ruling if there is one. */
interface Known {
  readonly usage: SessionUsage | null;
  readonly ruled: Ruling | null;
}

const NOTHING_KNOWN: Known = { usage: null, ruled: null };

async function decideByPolicy(
  parts: ExecuteParts,
  call: PendingCall,
  governing: ReadyPolicy,
  known: Known,
): Promise<Concluded> {
  let { usage, ruled: given } = known;
  let held: HeldGrant | null = null;
  for (let evaluations = 1; evaluations <= MAX_EVALUATIONS; evaluations += 1) {
    const judged: Ruling = given ?? (await ruleOn(parts, call, governing, { usage, held }));
    given = null;
    const ruled = await noteOtherSession(parts, call, judged, governing);
    const stopped = ruled.wouldBe === null ? null : refuseByControl(parts.control, call, ruled.wouldBe);
    if (stopped !== null) return conclude(parts, call, stopped);
    const appended: Appended = await append(parts, call, ruled, governing);
    const { outcome } = appended;
    switch (outcome.kind) {
      case "stale":
        usage = outcome.usage;
        break;
      case "granted":
        held = await grantOf(parts, call, { approvalId: outcome.approvalId, row: appended.row });
        break;
      case "grant_missing":
      case "grant_expired":
      case "grant_used":
        held = null;
        break;
      case "repeated":
        return answerRepeatedByPolicy(parts, call, { ruled, governing, usage, row: appended.row, outcome });
      default:
        return settleOutcome(parts, call, ruled, appended);
    }
  }
  const contended = faultRuling(
    "session_contended",
    "other calls of this session kept changing what it has used",
  );
  return conclude(parts, call, contended);
}

interface RepeatedByPolicy {
  readonly ruled: Ruling;
  readonly governing: ReadyPolicy;
  readonly usage: SessionUsage | null;
  /** The row that the repeat would have written. */
  readonly row: string;
  readonly outcome: AppendOutcome & { readonly kind: "repeated" };
}

/**
 * Answers the repeat of a call that the policy ruled on. An allowed call can be why its repeat is ruled on in
 * another way, so that one is compared with the grant of the call and without its charge.
 */
async function answerRepeatedByPolicy(
  parts: ExecuteParts,
  call: PendingCall,
  { ruled, governing, usage, row, outcome: { position } }: RepeatedByPolicy,
): Promise<Concluded> {
  const deadline = { clock: parts.clock, deadlineMs: call.deadlineMs };
  const stored = await storedDecision(parts.audit, position, deadline);
  const isUnaffected = ruled.decision === "allow" && usage === null;
  if (stored?.decision !== "allow" || isUnaffected)
    return answerRepeated(parts, call, ruled, { row, position, stored });
  const approvalId = stored.approval_id;
  const held = approvalId === null ? null : await grantOf(parts, call, { approvalId, row });
  const before = usage === null ? null : usageWithout(usage, stored);
  const again = await ruleOn(parts, call, governing, { usage: before, held });
  const repeat = { row: await rowOf(parts, call, again, governing), position, stored };
  return answerRepeated(parts, call, again, repeat);
}

/** Appends a ruling that does not charge a session, and answers it. */
async function conclude(parts: ExecuteParts, call: PendingCall, ruled: Ruling): Promise<Concluded> {
  const policy = rowPolicy(parts.control, call);
  return settleOutcome(parts, call, ruled, await append(parts, call, ruled, policy));
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
  return settleKeyless(parts, call, fault, await append(parts, call, fault, "unknown"));
}

function answered(verdict: Verdict): Concluded {
  return { kind: "answered", verdict };
}

/** @throws unless the call was answered, which a call without a key always is. */
function verdictOf(concluded: Concluded): Verdict {
  if (concluded.kind === "answered") return concluded.verdict;
  throw new Error("the ledger reported a key that the call did not claim");
}

/** As `settleOutcome`, for a call without a key. */
export async function settleKeyless(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  appended: Appended,
): Promise<Verdict> {
  return verdictOf(await settleOutcome(parts, call, ruled, appended));
}

async function settleOutcome(
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
  const stopped = lastLook(parts.control, call, ruled);
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
async function answerRepeated(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  { row, position, stored }: Repeat,
): Promise<Concluded> {
  const { control, publicUrl } = parts;
  const judged = judgeStoredDecision(stored, row, ruled);
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
