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
export type RegoResult =
  | {
      readonly kind: "messages";
      /** Sorted and distinct. Not empty: deny. */
      readonly deny: readonly string[];
      /** Sorted and distinct. Not empty: pause, unless something denies. */
      readonly requireApproval: readonly string[];
    }
  | RegoFailure;

export interface RegoFailure {
  readonly kind: "failed";
  readonly code: RegoFailureCode;
  /** For people. Carries no value of an argument. */
  readonly message: string;
}

export function failed(code: RegoFailureCode, message: string): RegoFailure {
  return { kind: "failed", code, message };
}

/** Lines of a module, both included, 1-based. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface RegoExplanation {
  readonly result: RegoResult;
  /** OPA's trace of the evaluation, cut at a limit; empty when the evaluation failed. */
  readonly trace: string;
  readonly coverage: {
    readonly covered: readonly LineRange[];
    readonly notCovered: readonly LineRange[];
    /** 0 to 100, as OPA counts: of the lines that can run. */
    readonly percent: number;
  };
}
