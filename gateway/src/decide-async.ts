import type { Verdict } from "@svc/contract/verdict";
import type { AppendOutcome } from "@svc/log-writer/ledger-queue";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import { deny } from "./answer/answer.ts";
import { denyWithoutRow } from "./answer/deny-without-row.ts";
import { answerRepeated, type Concluded, conclude, settle, withoutKey } from "./answer/settle.ts";
import { storedDecision, usageWithout } from "./answer/stored-decision.ts";
import { type Appended, append, rowOf } from "./append/append-row.ts";
import type { RowText } from "./append/decision-row.ts";
import { sessionKeyOf } from "./append/session-key.ts";
import { beforeDeadline } from "./before-deadline.ts";
import { refuseByControl } from "./check/control-checks.ts";
import type { ReadyPolicy } from "./check/governing-policy.ts";
import type { FoundGrant } from "./evaluate/approvals.ts";
import { noteOtherSession } from "./evaluate/other-session.ts";
import { grantOf, ruleOn } from "./evaluate/rule-on-call.ts";
import { faultRuling, type Ruling } from "./evaluate/ruling.ts";
import type { ExecuteParts } from "./execute-parts.ts";
import { type Judged, judge } from "./judge.ts";
import type { PendingCall } from "./pending-call.ts";

/** Most evaluations of one call whose session usage keeps changing; after them the call is denied. */
const MAX_EVALUATIONS = 8;

/** Most decisions of one call whose key or policy others keep changing; after them the call is denied. */
const MAX_DECISIONS = 4;

const KEY_CONTENDED = faultRuling(
  "session_contended",
  "other calls with this Idempotency-Key kept being decided",
);

const POLICY_CHANGING = faultRuling(
  "policy_loading",
  "the policy of this call kept changing while it was decided: repeat the call in a moment",
);

/**
 * Decides a call where a stage may wait: for what its session has used, for another thread, for a grant, or
 * for the row that holds its key. It continues from what `judge` found at the same moment. The control check
 * after the commit catches what happens while it waits.
 * @returns null when another request has the key
 */
export async function decideAsync(
  parts: ExecuteParts,
  call: PendingCall,
  judged: Judged,
): Promise<Verdict | null> {
  return untilCurrent(parts, call, await decideJudged(parts, call, judged));
}

/** Decides again while the row with the key of the call, or the policy of the ruling, is out of date. */
export async function untilCurrent(
  parts: ExecuteParts,
  call: PendingCall,
  first: Concluded,
): Promise<Verdict | null> {
  let concluded = first;
  for (let decisions = 1; concluded.kind !== "answered"; decisions += 1) {
    if (decisions >= MAX_DECISIONS) {
      const contended = concluded.kind === "outdated" ? KEY_CONTENDED : POLICY_CHANGING;
      concluded = await conclude(parts, withoutKey(call), contended);
    } else {
      const current = concluded.kind === "outdated" ? replacing(call, concluded.position) : call;
      concluded = await decideJudged(parts, current, judge(parts.control, current));
    }
  }
  return concluded.verdict;
}

/** The call, for a decision that takes its key from the row at the position. */
function replacing(call: PendingCall, position: RowPosition): PendingCall {
  const { key } = call;
  if (key === null) throw new Error("a call without a key met a row that holds its key");
  return { ...call, key: { ...key, replaces: position } };
}

async function decideJudged(parts: ExecuteParts, call: PendingCall, judged: Judged): Promise<Concluded> {
  if (judged.kind === "stopped") {
    const isUnverified = judged.ruled.reasonCode === "control_state_unverified";
    if (isUnverified && parts.queue.isStalled)
      return { kind: "answered", verdict: denyWithoutRow(parts, call, judged.ruled) };
    return conclude(parts, call, judged.ruled);
  }
  const { governing, ruled } = judged;
  const key = governing.policy.needs.usage ? sessionKeyOf(call) : null;
  if (key === null) return decideByPolicy(parts, call, governing, { usage: null, ruled });
  return parts.sessionMutex.run(JSON.stringify([key.org, key.agentId, key.sessionId]), async () => {
    const usage = await beforeDeadline({ clock: parts.clock, deadlineMs: call.deadlineMs }, () =>
      parts.usage(key),
    );
    return usage === null
      ? { kind: "answered", verdict: deny(NOT_IN_TIME) }
      : decideByPolicy(parts, call, governing, { usage, ruled: null });
  });
}

const NOT_IN_TIME = faultRuling("session_contended", "what the session has used could not be read in time");

/** What is known before the first evaluation: the usage of the session, and the ruling if there is one. */
interface Known {
  readonly usage: SessionUsage | null;
  readonly ruled: Ruling | null;
}

async function decideByPolicy(
  parts: ExecuteParts,
  call: PendingCall,
  governing: ReadyPolicy,
  known: Known,
): Promise<Concluded> {
  let { usage, ruled: given } = known;
  let found: FoundGrant | null = null;
  for (let evaluations = 1; evaluations <= MAX_EVALUATIONS; evaluations += 1) {
    const judged: Ruling = given ?? (await ruleOn(parts, call, governing, { usage, found }));
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
        found = await grantOf(parts, call, { approvalId: outcome.approvalId, row: appended.row });
        break;
      case "grant_missing":
      case "grant_expired":
      case "grant_used":
        found = null;
        break;
      case "repeated":
        return answerRepeatedByPolicy(parts, call, { ruled, governing, usage, row: appended.row, outcome });
      default:
        return settle(parts, call, ruled, appended);
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
  readonly row: RowText;
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
  const found = approvalId === null ? null : await grantOf(parts, call, { approvalId, row });
  const before = usage === null ? null : usageWithout(usage, stored);
  const again = await ruleOn(parts, call, governing, { usage: before, found });
  const repeat = { row: await rowOf(parts, call, again, governing), position, stored };
  return answerRepeated(parts, call, again, repeat);
}
