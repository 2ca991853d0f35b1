import { rowMembersWithoutArgs } from "@svc/audit-log/row-members";
import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type OutcomeRow } from "@svc/contract/audit-row";
import { parseDecisionId } from "@svc/contract/decision-id";
import type { OutcomeReport } from "@svc/contract/outcome";
import type { OutcomeStatus } from "@svc/contract/outcome-status";
import type { Principal } from "@svc/contract/principal";
import type { WallClock } from "@svc/process/clock";
import type { Ledger, Settlement } from "@svc/store/ports/ledger";
import type { RowPosition } from "@svc/store/ports/row-position";
import { canonicalJson } from "@svc/text/canonical-json";
import { digestOfText } from "@svc/text/digest-of";
import type { JsonObject } from "@svc/text/json-value";
import { formatUsd, parseUsd } from "@svc/text/usd";
import type { RowReader } from "./answer/row-reader.ts";

export interface OutcomeParts {
  readonly ledger: Ledger;
  readonly audit: RowReader;
  readonly clock: WallClock;
}

/**
 * `conflict`: another outcome was reported before. `not_allowed`: the decision was not an allow, so there is
 * no outcome to report. `ran_unallowed`: it was not an allow, and the report says that the call ran all the
 * same. Its row is in the log.
 */
export type OutcomeResult =
  | { readonly kind: "recorded" }
  | { readonly kind: "repeated" }
  | { readonly kind: "conflict" }
  | { readonly kind: "not_found" }
  | { readonly kind: "not_allowed" }
  | { readonly kind: "ran_unallowed" };

/** The members of a decision row that its settlement needs. */
interface DecidedCall {
  /** Id of the key that asked. */
  readonly principal: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly decision: string;
  readonly steps: number;
  readonly costMicroUsd: number;
}

/**
 * Records how an allowed call ended, and settles what its session was charged. Repeating a report changes
 * nothing. A report that a call ran which was not allowed is recorded, too: it shows that somebody does not
 * follow verdicts. It charges nothing.
 */
export async function reportOutcome(
  parts: OutcomeParts,
  principal: Principal,
  report: OutcomeReport,
): Promise<OutcomeResult> {
  const position = parseDecisionId(report.decision_id);
  const decided = position === null ? null : await decidedCall(parts.audit, principal.org, position);
  if (position === null || decided === null || !mayReport(principal, decided)) return { kind: "not_found" };
  const isAllowed = decided.decision === "allow";
  if (!isAllowed && !saysItRan(report.status)) return { kind: "not_allowed" };
  const settled = await parts.ledger.settle(settlement({ parts, principal, report, position, decided }));
  switch (settled.kind) {
    case "settled":
      return { kind: isAllowed ? "recorded" : "ran_unallowed" };
    case "repeated":
      return isAllowed ? settled : { kind: "ran_unallowed" };
    case "conflict":
      return settled;
    case "in_use":
      throw new Error("the store kept a decision whose key it had to release in every case");
  }
}

/** A key reports its own calls. Those of other keys do not exist for it, so it learns nothing of them. */
function mayReport({ id, scopes }: Principal, decided: DecidedCall): boolean {
  return decided.principal === id || scopes.has("outcome:any");
}

/** Whether the decision's charge no longer covers a run after this outcome is recorded. */
function endsCharge(status: OutcomeStatus): boolean {
  switch (status) {
    case "not_executed":
    case "revoked":
      return true;
    case "succeeded":
    case "failed":
      return false;
  }
}

/** Whether the reporter saw the call run. */
function saysItRan(status: OutcomeStatus): boolean {
  switch (status) {
    case "succeeded":
    case "failed":
      return true;
    case "not_executed":
    case "revoked":
      return false;
  }
}

interface SettlementInput {
  readonly parts: OutcomeParts;
  readonly principal: Principal;
  readonly report: OutcomeReport;
  readonly position: RowPosition;
  readonly decided: DecidedCall;
}

function settlement({ parts, principal, report, position, decided }: SettlementInput): Settlement {
  const { decision_id, status, cost_micro_usd, duration_ms } = report;
  const givesBack = principal.scopes.has("outcome:refund");
  const actual = finalCost(report, decided, givesBack);
  const overage = actual - decided.costMicroUsd;
  const row: OutcomeRow = {
    v: AUDIT_ROW_VERSION,
    kind: "outcome",
    time: parts.clock.now().toISOString(),
    org: principal.org,
    principal: principal.id,
    decision_id,
    status,
    cost_usd: cost_micro_usd === null ? null : formatUsd(cost_micro_usd),
    overage_usd: overage > 0 ? formatUsd(overage) : null,
    duration_ms,
  };
  const { agentId, sessionId, steps } = decided;
  const charges =
    sessionId === null || steps === 0
      ? []
      : [
          {
            key: { org: principal.org, agentId, sessionId },
            steps: givesBack ? stepsBack(status, steps) : 0,
            costMicroUsd: overage,
          },
        ];
  const digest = digestOfText(canonicalJson({ status, cost_micro_usd, duration_ms }));
  const idempotencyKey = endsCharge(status) ? "released" : "kept";
  const { org } = principal;
  // Who may give steps back also says that the granted call did not run, so that it can be repeated.
  const grant = givesBack && status === "not_executed" ? "released" : "kept";
  return { org, decision: position, digest, status, charges, row: rowText(row), idempotencyKey, grant };
}

/**
 * The final cost: 0 for a call that did not run, otherwise the cost that the caller reports, else
 * the reserved cost. For a key that gets nothing back, at least the reserved cost.
 */
function finalCost(
  { status, cost_micro_usd }: OutcomeReport,
  { costMicroUsd }: DecidedCall,
  givesBack: boolean,
): number {
  const reported = status === "not_executed" ? 0 : (cost_micro_usd ?? costMicroUsd);
  return givesBack ? reported : Math.max(reported, costMicroUsd);
}

function stepsBack(status: OutcomeStatus, steps: number): number {
  return status === "not_executed" ? -steps : 0;
}

async function decidedCall(
  audit: RowReader,
  org: string,
  position: RowPosition,
): Promise<DecidedCall | null> {
  const stored = await audit.row(position);
  const row = stored === null ? null : rowMembersWithoutArgs(stored.bytes);
  return row === null ? null : readDecision(row, org);
}

/** A decision of another organization counts as not found. */
function readDecision(row: JsonObject, org: string): DecidedCall | null {
  const { kind, principal, agent_id, session_id, decision, steps, cost_usd } = row;
  if (kind !== "decision" || row["org"] !== org || typeof agent_id !== "string") return null;
  if (typeof principal !== "string") return null;
  const costMicroUsd = parseUsd(cost_usd);
  if (typeof decision !== "string" || typeof steps !== "number" || costMicroUsd === null) return null;
  const sessionId = typeof session_id === "string" ? session_id : null;
  return { principal, agentId: agent_id, sessionId, decision, steps, costMicroUsd };
}
