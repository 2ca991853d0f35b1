import type { ModuleResult, ModuleTrace } from "@svc/engine/evaluation";

export type RegoFailureCode =
  /** The evaluation did not end within its budget. */
  | "rego_timeout"
  /** The module timed out, or ended its instance of OPA, too often and is not run for a while. */
  | "rego_suspended"
  /** Too many evaluations wait. */
  | "rego_busy"
  /** OPA ended with an error, or its instance ended. */
  | "rego_error"
  /** The result is not what a policy can use. */
  | "rego_shape"
  /** OPA could not be started, or the runtime is closed. */
  | "rego_unavailable";

/**
 * What one evaluation of a module said. A failure means deny; it never means that the module said nothing.
 */
export type RegoResult = Extract<ModuleResult, { readonly kind: "messages" }> | RegoFailure;

export interface RegoFailure {
  readonly kind: "failed";
  readonly code: RegoFailureCode;
  /** For people. Carries no value of an argument. */
  readonly message: string;
}

export function failed(code: RegoFailureCode, message: string): RegoFailure {
  return { kind: "failed", code, message };
}

export interface RegoExplanation extends ModuleTrace {
  readonly result: RegoResult;
}
