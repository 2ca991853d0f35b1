import { rowMembersWithoutArgs } from "@svc/audit-log/row-members";
import { AUDIT_ROW_VERSION, type DecisionRow } from "@svc/contract/audit-row";
import { mostRestrictive, type ReasonCode } from "@svc/contract/verdict";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import { parseUsd } from "@svc/text/usd";
import type { RecordedCall } from "../append/decision-row.ts";
import { beforeDeadline, type Deadline } from "../before-deadline.ts";
import { type Ruling, ruling } from "../evaluate/ruling.ts";
import type { RowReader } from "./row-reader.ts";

/** A decision row as it was stored, without the arguments. */
export type StoredDecision = Omit<DecisionRow, "args">;

function isOfCall(stored: StoredDecision, { facts, row }: RecordedCall): boolean {
  return (
    stored.org === facts.org &&
    stored.principal === facts.principal &&
    stored.agent_id === row.names.agentId &&
    stored.session_id === row.names.sessionId &&
    stored.tool === row.names.tool &&
    stored.args_digest === row.argsDigest &&
    stored.call_digest === row.callDigest
  );
}

/** Whether the same version of a policy governs both. */
function isOfPolicy(stored: StoredDecision, policy: Ruling["policy"]): boolean {
  return (
    stored.policy_id === (policy?.id ?? null) &&
    stored.policy_version === (policy?.version ?? null) &&
    stored.mode === (policy?.mode ?? null)
  );
}

/**
 * How the decision of an earlier row applies to a repeat of its call. `stands`: the repeat gets it.
 * `stricter`: the new decision is more restrictive and takes precedence. `outdated`: the call must be decided
 * and charged anew. `doubtful`: the row cannot be the row of this call.
 */
export type StoredJudgement =
  | { readonly kind: "stands"; readonly ruled: Ruling }
  | { readonly kind: "stricter" }
  | { readonly kind: "outdated" }
  | { readonly kind: "doubtful" };

/** Null when this is not a decision row that this program can read. @param row its bytes, or its text */
function readStoredDecision(row: Uint8Array | string): StoredDecision | null {
  const members = rowMembersWithoutArgs(row);
  if (members === null || members["kind"] !== "decision" || members["v"] !== AUDIT_ROW_VERSION) return null;
  return members as unknown as StoredDecision;
}

/** The decision of the row that holds the key of a call; null when it cannot be read in time. */
export async function storedDecision(
  audit: RowReader,
  position: RowPosition,
  deadline: Deadline,
): Promise<StoredDecision | null> {
  const found = await beforeDeadline(deadline, () => audit.row(position));
  return found === null ? null : readStoredDecision(found.bytes);
}

/**
 * Compares a stored decision with the new decision on its repeat, which was made under the current
 * control state and without a charge. An allow stands only when the repeat would be allowed too, with
 * the same arguments.
 * @param stored null: it could not be read
 * @param ruled the ruling on the repeat
 */
export function judgeStoredDecision(
  stored: StoredDecision | null,
  repeat: RecordedCall,
  ruled: Ruling,
): StoredJudgement {
  if (stored === null || !isOfCall(stored, repeat)) return { kind: "doubtful" };
  // The agent was moved, so what was decided in its former namespace says nothing.
  if (stored.namespace !== repeat.row.names.namespace) return { kind: "outdated" };
  if (stored.decision === "deny") {
    return endsWithControlState(stored) && stored.reason_code !== ruled.reasonCode
      ? { kind: "outdated" }
      : { kind: "stands", ruled: storedRuling(stored, ruled) };
  }
  if (isStopped(ruled)) return { kind: "stricter" };
  // What became of an approval meanwhile decides about the repeat of a paused call.
  if (stored.decision === "pause") return { kind: ruled.decision === "deny" ? "stricter" : "outdated" };
  if (!isOfPolicy(stored, ruled.policy)) return { kind: "outdated" };
  if (mostRestrictive(stored.decision, ruled.decision) !== stored.decision) return { kind: "stricter" };
  const sameRewrite = stored.shaped_args_digest === repeat.row.shapedArgsDigest;
  if (stored.decision === "allow" && !sameRewrite) return { kind: "doubtful" };
  return { kind: "stands", ruled: storedRuling(stored, ruled) };
}

/** Denies of control checks that end when control state changes, and then no longer apply to a repeat. */
const ENDING: ReadonlySet<ReasonCode | null> = new Set<ReasonCode>([
  "kill_switch",
  "severity_emergency",
  "confusable",
  "namespace_mismatch",
  "agent_quarantined",
  "held_calls_full",
]);

function endsWithControlState({ reason_code }: { readonly reason_code: ReasonCode | null }): boolean {
  return ENDING.has(reason_code);
}

/** Whether a control check stopped the repeat before any policy was evaluated. */
function isStopped({ policy, reasonCode }: Ruling): boolean {
  return policy === null && reasonCode !== "no_policy";
}

/** The ruling that the row records. The row keeps only a digest of the rewritten arguments. */
function storedRuling(stored: StoredDecision, { shapedArgs, wantedArgs }: Ruling): Ruling {
  const { policy_id: id, policy_version: version, mode } = stored;
  const { kill_switch_id: switchId, trigger_source: triggerSource } = stored;
  return ruling({
    decision: stored.decision,
    reason: stored.reason,
    reasonCode: stored.reason_code,
    ruleId: stored.rule_id,
    failClosed: stored.fail_closed,
    killSwitch: switchId === null || triggerSource === null ? null : { id: switchId, triggerSource },
    policy: id === null || version === null || mode === null ? null : { id, version, mode },
    wouldBe: stored.would_be,
    shapedArgs: stored.decision === "allow" ? shapedArgs : null,
    wantedArgs,
    pauseId: stored.approval_id,
  });
}

/** The usage of a session without the charge of one of its calls. */
export function usageWithout({ steps, costMicroUsd }: SessionUsage, charged: StoredDecision): SessionUsage {
  const cost = charged.steps === 0 ? 0 : (parseUsd(charged.cost_usd) ?? 0);
  return { steps: Math.max(0, steps - charged.steps), costMicroUsd: Math.max(0, costMicroUsd - cost) };
}
