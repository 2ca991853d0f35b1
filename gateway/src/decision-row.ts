import { decisionRowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type DecisionRow } from "@svc/contract/audit-row";
import { canonicalJson } from "@svc/contract/canonical-json";
import { digestOfText } from "@svc/contract/digest-of";
import type { JsonObject } from "@svc/contract/json-value";
import { formatUsd } from "@svc/contract/money";
import { maskSecrets } from "@svc/engine/mask-secrets";
import type { CallFacts } from "./call-facts.ts";
import type { Ruling } from "./ruling.ts";

/** When the row is written: wall-clock for people, elapsed microseconds from the monotonic clock. */
export interface RowMoment {
  readonly time: Date;
  readonly latencyUs: number;
}

/** Arguments as they came, with what is worked out of them once. */
export interface KnownArguments {
  readonly args: JsonObject;
  /** RFC 8785 text of `args`. */
  readonly canonicalArgs: string;
  /** `sha256:` and hex of `canonicalArgs`. */
  readonly argsDigest: string;
}

/** The text of a ruling's audit row, as it is stored and hashed. */
export function decisionRow(
  call: CallFacts,
  known: KnownArguments,
  { ruled, moment }: { readonly ruled: Ruling; readonly moment: RowMoment },
): string {
  const args = maskSecrets(known.args, known.canonicalArgs);
  const canonicalArgs = args === known.args ? known.canonicalArgs : canonicalJson(args);
  const row: DecisionRow = {
    v: AUDIT_ROW_VERSION,
    kind: "decision",
    time: moment.time.toISOString(),
    org: call.org,
    principal: call.principal,
    namespace: call.namespace,
    agent_id: call.agentId,
    session_id: call.sessionId,
    tool: call.tool,
    args,
    args_digest: known.argsDigest,
    shaped_args_digest: ruled.wantedArgs === null ? null : digestOfText(canonicalJson(ruled.wantedArgs)),
    decision: ruled.decision,
    would_be: ruled.wouldBe,
    mode: ruled.policy?.mode ?? null,
    reason: ruled.reason,
    reason_code: ruled.reasonCode,
    rule_id: ruled.ruleId,
    policy_id: ruled.policy?.id ?? null,
    policy_version: ruled.policy?.version ?? null,
    approval_id: ruled.approvalId,
    kill_switch_id: ruled.killSwitch?.id ?? null,
    trigger_source: ruled.killSwitch?.triggerSource ?? null,
    cost_usd: formatUsd(ruled.costMicroUsd),
    steps: ruled.reservation?.steps ?? 0,
    fail_closed: ruled.failClosed,
    latency_us: moment.latencyUs,
  };
  return decisionRowText(row, canonicalArgs);
}
