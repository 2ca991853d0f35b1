import type { AuditRow, DecisionRow } from "@svc/contract/audit-row";
import { canonicalJson } from "@svc/contract/canonical-json";
import type { JsonObject } from "@svc/contract/json-value";

/** The text of a row as it is stored and hashed: canonical JSON (RFC 8785). Its numbers must be finite. */
export function rowText(row: AuditRow): string {
  // A row type has no index signature, but every member of every kind is a JSON value.
  return canonicalJson(row as unknown as JsonObject);
}

/**
 * The same text as `rowText(row)`, made faster: one of these is written for every governed call.
 * `canonicalArgs` must be the canonical JSON of `row.args`; that is not checked again.
 */
export function decisionRowText(row: DecisionRow, canonicalArgs: string): string {
  const head = JSON.stringify({ agent_id: row.agent_id, approval_id: row.approval_id });
  const tail = JSON.stringify(membersAfterArgs(row));
  return `${head.slice(0, -1)},"args":${canonicalArgs},${tail.slice(1)}`;
}

/**
 * JSON.stringify keeps the order of insertion, which is here the order that RFC 8785 asks for, and leaves
 * out what is undefined.
 */
function membersAfterArgs(row: DecisionRow) {
  return {
    args_digest: row.args_digest,
    call_digest: row.call_digest,
    cost_usd: row.cost_usd,
    decision: row.decision,
    evaluated_at: row.evaluated_at,
    fail_closed: row.fail_closed,
    kill_switch_id: row.kill_switch_id,
    kind: row.kind,
    latency_us: row.latency_us,
    mode: row.mode,
    namespace: row.namespace,
    org: row.org,
    policy_id: row.policy_id,
    policy_version: row.policy_version,
    principal: row.principal,
    reason: row.reason,
    reason_code: row.reason_code,
    rego: row.rego,
    requested_cost: row.requested_cost,
    rule_id: row.rule_id,
    session_id: row.session_id,
    session_usage: row.session_usage,
    shaped_args_digest: row.shaped_args_digest,
    steps: row.steps,
    time: row.time,
    tool: row.tool,
    trigger_source: row.trigger_source,
    v: row.v,
    would_be: row.would_be === null ? null : sortedWouldBe(row.would_be),
  } satisfies Omit<DecisionRow, "agent_id" | "approval_id" | "args">;
}

function sortedWouldBe({ decision, reason, reason_code, rule_id }: NonNullable<DecisionRow["would_be"]>) {
  return { decision, reason, reason_code, rule_id };
}
