import type { AuditRow, DecisionRow } from "@svc/contract/audit-row";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject, JsonValue } from "@svc/text/json-value";

/** The text of a row as it is stored and hashed: canonical JSON (RFC 8785). Its numbers must be finite. */
export function rowText(row: AuditRow): string {
  // A row type has no index signature, but every member of every kind is a JSON value.
  return canonicalJson(row as unknown as JsonObject);
}

/**
 * The same text as `rowText(row)`, made faster: one of these is written for every governed call.
 * `canonicalArgs` must be the canonical JSON of `row.args`, and the digests of the call must be digests: the
 * writer has just made them, so neither is checked again.
 */
export function decisionRowText(row: DecisionRow, canonicalArgs: string): string {
  return (
    `{"agent_id":${text(row.agent_id)},"approval_id":${text(row.approval_id)},"args":${canonicalArgs}` +
    `,"args_digest":"${row.args_digest}","call_digest":"${row.call_digest}","cost_usd":${text(row.cost_usd)}` +
    `,"decision":"${row.decision}"${member("evaluated_at", row.evaluated_at)}` +
    `,"fail_closed":${String(row.fail_closed)}${member("guardrails", row.guardrails)}` +
    `,"kill_switch_id":${text(row.kill_switch_id)}` +
    `,"kind":"decision","latency_us":${String(row.latency_us)},"mode":${text(row.mode)}` +
    `,"namespace":${text(row.namespace)},"org":${text(row.org)},"policy_id":${text(row.policy_id)}` +
    `,"policy_version":${String(row.policy_version)},"principal":${text(row.principal)}` +
    `,"reason":${text(row.reason)},"reason_code":${text(row.reason_code)}${member("rego", row.rego)}` +
    `${member("requested_cost", row.requested_cost)},"rule_id":${text(row.rule_id)}` +
    `,"session_id":${text(row.session_id)}${member("session_usage", row.session_usage)}` +
    `,"shaped_args_digest":${text(row.shaped_args_digest)},"steps":${String(row.steps)}` +
    `,"time":${text(row.time)},"tool":${text(row.tool)}${member("trace_id", row.trace_id)}` +
    `,"trigger_source":${text(row.trigger_source)}` +
    `,"v":${String(row.v)},"would_be":${row.would_be === null ? "null" : canonicalJson({ ...row.would_be })}}`
  );
}

function text(value: string | null): string {
  return value === null ? "null" : canonicalJson(value);
}

/** A member that a row has only when it says something. */
function member(name: string, value: JsonValue | undefined): string {
  return value === undefined ? "" : `,"${name}":${canonicalJson(value)}`;
}
