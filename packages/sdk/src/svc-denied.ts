import type { ReasonCode } from "@svc/contract/verdict";
import { denialText, mayRepeat } from "@svc/decision-client/refusal-text";
import type { ClientDeny } from "./client-deny.ts";

const BRAND = Symbol.for("@svc/client/SvcDenied");

/**
 * The call was denied, and its function was not invoked. The message is written for the model that asked for
 * the call: what was denied, why, and whether repeating it can help. The fields have the names of the wire.
 */
export class SvcDenied extends Error {
  override readonly name = "SvcDenied";
  readonly tool: string;
  readonly reason: string;
  readonly reason_code: ReasonCode;
  readonly rule_id: string | null;
  readonly decision_id: string | null;
  readonly kill_switch_id: string | null;
  /** True when a fault, not a policy, denied the call. */
  readonly fail_closed: boolean;
  /** False: repeating the same call cannot help. */
  readonly retryable: boolean;
  /** What the operator of the program can do, with its addresses and settings. Do not hand it to a model. */
  readonly hint: string | null;
  readonly verdict: ClientDeny;

  constructor(tool: string, verdict: ClientDeny) {
    super(denialText(tool, verdict));
    this.tool = tool;
    this.verdict = verdict;
    this.reason = verdict.reason;
    this.reason_code = verdict.reason_code;
    this.rule_id = verdict.rule_id ?? null;
    this.decision_id = verdict.decision_id ?? null;
    this.kill_switch_id = verdict.kill_switch_id ?? null;
    this.fail_closed = verdict.fail_closed;
    this.retryable = mayRepeat(verdict);
    this.hint = verdict.hint ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Also true for an error of another copy of this package in the same process. */
  static isInstance(value: unknown): value is SvcDenied {
    return value instanceof Error && BRAND in value;
  }
}
