import type { DecisionRow } from "@svc/contract/audit-row";
import { type DecidedAgain, isApproved, isDeniedWithGrant } from "./decided-again.ts";
import type { RecordedDecision } from "./recorded-decision.ts";

/** The decision in words, for people. It names no value of the arguments. */
export function summaryOf(
  { row, withdrawn, repeated }: RecordedDecision,
  decided: DecidedAgain | null,
): string {
  const sentences = [decisionSentence(row, decided)];
  if (row.would_be !== null) {
    const { decision, reason } = row.would_be;
    sentences.push(`In enforcement the decision would have been ${decision}: ${reason}.`);
  }
  if (withdrawn)
    sentences.push(
      "The decision was withdrawn before its caller got it: the caller got a deny, which has its own row.",
    );
  if (repeated === true)
    sentences.push("A repeat of the call with the same Idempotency-Key got this decision again.");
  return sentences.join(" ");
}

function decisionSentence(row: DecisionRow, decided: DecidedAgain | null): string {
  const reason = row.reason ?? "no reason was given";
  if (row.fail_closed) return `Denied because of a fault, and not by a policy: ${reason}.`;
  if (row.reason_code === "kill_switch")
    return `Denied by kill switch ${row.kill_switch_id ?? "(unnamed)"}: ${reason}.`;
  const { policy_id: id, policy_version: version } = row;
  if (id === null) return `Denied by the gateway before any policy: ${reason}.`;
  const policy = `policy ${id} version ${String(version)}`;
  switch (row.decision) {
    case "deny":
      return isDeniedWithGrant(row)
        ? `Denied by ${policy}, although approval ${row.approval_id ?? ""} had been granted: ${reason}.`
        : `Denied by ${policy}: ${reason}.`;
    case "pause":
      return `Paused by ${policy}, as approval ${row.approval_id ?? "(unnamed)"}: ${reason}.`;
    case "allow":
      return isApproved(row, decided)
        ? `Allowed because approval ${row.approval_id ?? ""} had been granted; ${policy} requires it.`
        : `Allowed by ${policy}, whose mode is ${row.mode ?? "unknown"}.`;
  }
}
