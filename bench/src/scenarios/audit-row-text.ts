import { rowText } from "@svc/audit-log/row-text";
import { benchmarkArgs } from "../benchmark-calls.ts";
import { BENCH_AGENT, BENCH_TOOL } from "../benchmark-policy.ts";

/** One decision's row, as execute would write it for a benchmark call. */
export function auditRowText(at: number): string {
  return rowText({
    v: 1,
    kind: "decision",
    time: new Date(Date.UTC(2026, 10, 1) + at).toISOString(),
    org: "default",
    principal: "anonymous",
    namespace: "default",
    agent_id: BENCH_AGENT,
    session_id: `session-${at % 1_000}`,
    tool: BENCH_TOOL,
    args: benchmarkArgs(at),
    args_digest: `hmac-sha256:${String(at).padStart(64, "0")}`,
    call_digest: `hmac-sha256:${String(at).padStart(64, "1")}`,
    shaped_args_digest: null,
    decision: "allow",
    would_be: null,
    mode: "enforcement",
    reason: null,
    reason_code: null,
    rule_id: null,
    policy_id: "bench",
    policy_version: 1,
    approval_id: null,
    kill_switch_id: null,
    trigger_source: null,
    cost_usd: "0",
    steps: 0,
    fail_closed: false,
    latency_us: 250,
  });
}
