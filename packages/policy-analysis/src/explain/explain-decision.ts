import type { DecisionRow } from "@svc/contract/audit-row";
import type { DecisionExplanation } from "@svc/contract/decision-explanation";
import type { Evaluation } from "@svc/engine/evaluation";
import { judgeAgreement } from "./agreement.ts";
import type { ExplainingPolicy } from "./compile-explaining.ts";
import { findCounterfactual } from "./counterfactual.ts";
import { type DecidedAgain, isApproved, isDeniedWithGrant, isNotOpened } from "./decided-again.ts";
import { maskedReads } from "./masked-reads.ts";
import { type MaskedRow, maskedRow } from "./masked-row.ts";
import { isUsageKnown, recordedCall } from "./recorded-call.ts";
import type { RecordedDecision } from "./recorded-decision.ts";
import { simulateCall } from "./simulate-call.ts";
import { summaryOf } from "./summary.ts";
import { checkSwitches } from "./switches-then.ts";

/**
 * Decides a recorded call again, by the policy version, the kill switches and the session usage of its time,
 * and says how it came about. Pure.
 * @param explaining the version that the row names; null when it names none, or the store lacks it
 * @param said what `askModules` answered to the recorded call
 */
export function explainDecision(
  recorded: RecordedDecision,
  explaining: ExplainingPolicy | null,
  said: Evaluation | null = null,
): DecisionExplanation {
  const { row, decisionId, withdrawn, repeated } = recorded;
  const masks = maskedRow(recorded);
  const switches = checkSwitches(recorded);
  const decided = explaining === null ? null : decideAgain(row, { explaining, said }, masks);
  const { agrees, doubts } = judgeAgreement({ recorded, masks, switches, decided });
  const search = counterfactualOf({ row, decided, explaining, masks, agrees });
  return {
    decision_id: decisionId,
    decided_by: sourceOf(row, decided),
    summary: summaryOf(recorded, decided),
    recorded: shownRow(row, masks),
    withdrawn,
    repeated,
    agrees,
    doubts,
    evaluated: decided?.simulation.verdict ?? null,
    kill_switches: { checked: switches.checked, active: switches.active },
    explanation: decided?.simulation.explanation ?? null,
    counterfactual: search.kind === "found" ? search.change : null,
    no_counterfactual: search.kind === "none" ? search.because : null,
  };
}

/** Null when the policy reads what the session had used, and the row of an earlier build does not say it. */
function decideAgain(
  row: DecisionRow,
  { explaining, said }: { readonly explaining: ExplainingPolicy; readonly said: Evaluation | null },
  masks: MaskedRow,
): DecidedAgain | null {
  const call = recordedCall(row);
  if (explaining.policy.needs.usage && !isUsageKnown(call)) return null;
  const killSwitches = { checked: [], matched: null };
  const simulation = simulateCall(explaining, { call, killSwitches, isMasked: masks.isMasked, said });
  const reads = maskedReads(simulation.explanation.rules, explaining.document.rules, masks);
  return { call, simulation, maskedReads: [...reads, ...moduleDoubts(row, simulation.evaluation, masks)] };
}

/** Why it is not known what the module of the policy said then. */
function moduleDoubts(row: DecisionRow, { rego }: Evaluation, masks: MaskedRow): readonly string[] {
  if (rego === undefined) return [];
  const doubts: string[] = [];
  const failedThen = row.rego?.failed ?? null;
  if (failedThen !== null) doubts.push(`The Rego module could not be evaluated then: ${failedThen}.`);
  if (rego.kind === "failed") doubts.push(`The Rego module could not be evaluated now: ${rego.code}.`);
  if (masks.args) doubts.push("The Rego module may read an argument that the row masks.");
  return doubts;
}

function sourceOf(row: DecisionRow, decided: DecidedAgain | null): DecisionExplanation["decided_by"] {
  if (row.fail_closed) return "fault";
  if (row.reason_code === "kill_switch") return "kill_switch";
  if (row.policy_id === null) return "gateway";
  return isApproved(row, decided) ? "approval" : "policy";
}

function shownRow(row: DecisionRow, { masked }: MaskedRow): DecisionExplanation["recorded"] {
  return {
    time: row.time,
    agent_id: row.agent_id,
    session_id: row.session_id,
    namespace: row.namespace,
    tool: row.tool,
    decision: row.decision,
    reason: row.reason,
    reason_code: row.reason_code,
    rule_id: row.rule_id,
    would_be: row.would_be,
    mode: row.mode,
    policy_id: row.policy_id,
    policy_version: row.policy_version,
    kill_switch_id: row.kill_switch_id,
    approval_id: row.approval_id,
    cost_usd: row.cost_usd,
    session_usage: row.session_usage ?? null,
    fail_closed: row.fail_closed,
    masked,
  };
}

interface Question {
  readonly row: DecisionRow;
  readonly decided: DecidedAgain | null;
  readonly explaining: ExplainingPolicy | null;
  readonly masks: MaskedRow;
  readonly agrees: boolean | null;
}

function counterfactualOf({
  row,
  decided,
  explaining,
  masks,
  agrees,
}: Question): ReturnType<typeof findCounterfactual> {
  const none = (because: string) => ({ kind: "none", because }) as const;
  if (row.reason_code === "kill_switch")
    return none("A kill switch decides before every argument and every list.");
  if (row.fail_closed) return none("A fault denied the call, whatever its arguments.");
  if (decided === null || explaining === null) return none("No policy decided this call.");
  if (agrees !== true)
    return none("The decision was not reached again, so nothing is said about a change of it.");
  const { call, simulation } = decided;
  const { evaluation, explanation } = simulation;
  const wasApproved = isDeniedWithGrant(row) && evaluation.decision === "pause";
  if (explanation.decided_by === "ceiling" || wasApproved)
    return none("The session had reached its ceiling. Neither an argument nor a list changes that.");
  if (masks.names) return none("The row masks names of the call.");
  const { decision, ruleId } = evaluation;
  const search = findCounterfactual({
    explaining,
    call,
    decision,
    explanation,
    ruleId,
    masks,
  });
  const isSame = search.kind === "found" && isNotOpened(row) && search.change.decision === row.decision;
  return isSame
    ? none("No approval could be opened, and the change that was tried denies the call.")
    : search;
}
