import type { PauseVerdict, ReasonCode } from "@svc/contract/verdict";
import { pauseText } from "@svc/decision-client/refusal-text";

const BRAND = Symbol.for("@svc/client/SvcApprovalRequired");

/** The last part of an approval's address. */
const APPROVAL_ID = /\/approvals\/([^/?#]+)\/?$/;

/**
 * A person must approve the call first; its function was not invoked. After the approval, the same call is
 * allowed once. With the reason_code `agent_suspended` the call is held until its agent has recovered, and
 * nobody can approve it. The fields have the names of the wire.
 */
export class SvcApprovalRequired extends Error {
  override readonly name = "SvcApprovalRequired";
  readonly tool: string;
  readonly reason: string;
  readonly reason_code: ReasonCode;
  readonly rule_id: string | null;
  readonly decision_id: string;
  /** Where a person approves the call. */
  readonly approval_url: string;
  /** Null when the address has another form. */
  readonly approval_id: string | null;
  readonly verdict: PauseVerdict;

  constructor(tool: string, verdict: PauseVerdict) {
    super(pauseText(tool, verdict));
    this.tool = tool;
    this.verdict = verdict;
    this.reason = verdict.reason;
    this.reason_code = verdict.reason_code;
    this.rule_id = verdict.rule_id ?? null;
    this.decision_id = verdict.decision_id;
    this.approval_url = verdict.approval_url;
    this.approval_id = APPROVAL_ID.exec(verdict.approval_url)?.[1] ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Also true for an error of another copy of this package in the same process. */
  static isInstance(value: unknown): value is SvcApprovalRequired {
    return value instanceof Error && BRAND in value;
  }
}
