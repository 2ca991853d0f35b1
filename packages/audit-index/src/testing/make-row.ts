import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type DecisionRow, type OutcomeRow } from "@svc/contract/audit-row";

const TIME = "2026-01-02T03:04:05.678Z";

/** A decision's row as text; a case names only what it is about. */
export function decisionText(changes: Partial<DecisionRow> = {}): string {
  const row: DecisionRow = {
    v: AUDIT_ROW_VERSION,
    kind: "decision",
    time: TIME,
    org: "org-1",
    principal: "key-1",
    namespace: "default",
    agent_id: "agent-1",
    session_id: "session-1",
    tool: "payments.refund",
    args: { amount: 10 },
    args_digest: "hmac-sha256:00",
    call_digest: "hmac-sha256:00",
    shaped_args_digest: null,
    decision: "allow",
    would_be: null,
    mode: "enforcement",
    reason: null,
    reason_code: null,
    rule_id: null,
    policy_id: "refunds",
    policy_version: 1,
    approval_id: null,
    kill_switch_id: null,
    trigger_source: null,
    cost_usd: "0",
    steps: 0,
    fail_closed: false,
    latency_us: 100,
    ...changes,
  };
  return rowText(row);
}

/** A report's row as text. */
export function outcomeText(changes: Partial<OutcomeRow>): string {
  const row: OutcomeRow = {
    v: AUDIT_ROW_VERSION,
    kind: "outcome",
    time: TIME,
    org: "org-1",
    principal: "key-1",
    decision_id: "gateway-1.0",
    status: "succeeded",
    cost_usd: null,
    overage_usd: null,
    duration_ms: null,
    ...changes,
  };
  return rowText(row);
}
