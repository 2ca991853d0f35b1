import type { DenyVerdict, ReasonCode } from "@svc/contract/verdict";
import { sentence } from "./sentence.ts";

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
  /** False: repeating the same call cannot help. Null: the gateway does not say. */
  readonly retryable: boolean | null;
  readonly verdict: DenyVerdict;

  constructor(tool: string, verdict: DenyVerdict) {
    super(textOf(tool, verdict));
    this.tool = tool;
    this.verdict = verdict;
    this.reason = verdict.reason;
    this.reason_code = verdict.reason_code;
    this.rule_id = verdict.rule_id ?? null;
    this.decision_id = verdict.decision_id ?? null;
    this.kill_switch_id = verdict.kill_switch_id ?? null;
    this.fail_closed = verdict.fail_closed;
    this.retryable = verdict.retryable ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Also true for an error of another copy of this package in the same process. */
  static isInstance(value: unknown): value is SvcDenied {
    return value instanceof Error && BRAND in value;
  }
}

function textOf(tool: string, { reason, rule_id, fail_closed, retryable }: DenyVerdict): string {
  const rule = rule_id === undefined ? "" : ` (rule ${rule_id})`;
  return `${tool} was denied${rule}: ${sentence(reason)} ${advice(fail_closed, retryable)}`;
}

function advice(failClosed: boolean, retryable: boolean | undefined): string {
  if (failClosed) return "No decision could be obtained, so it was not run.";
  return retryable === true
    ? "It was not run. The same call may be allowed later."
    : "It was not run. The same call with the same arguments will be denied again.";
}
