import type { ApprovalScope } from "@svc/contract/approval-scope";
import type { Decision, ReasonCode } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";

/** What the engine sees of a call. It knows no clock, network or disk: everything is in here. */
export interface GovernedCall {
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly namespace: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** When the gateway received the call: epoch milliseconds of its clock. */
  readonly timeMs: number;
  /** Micro-USD as the request named it; null when it named none. */
  readonly costMicroUsd: number | null;
  /** Whether that cost stands even where it is less than the policy's price. */
  readonly costIsTrusted: boolean;
  readonly context: CallContext;
}

/** What else is known when a call is judged: only what its policy asks for (`PolicyNeeds`) must be there. */
export interface CallContext {
  /** What the session has used; null where nobody has read it. */
  readonly usage: { readonly steps: number; readonly costMicroUsd: number } | null;
}

export const NO_CONTEXT: CallContext = { usage: null };

/**
 * What a policy says of one call, before its governance mode and its ceilings apply.
 * Ceilings are not judged here: they are reserved in the transaction that writes the audit row.
 */
export interface Evaluation {
  readonly decision: Decision;
  /** Null on allow. */
  readonly reasonCode: ReasonCode | null;
  /** A sentence for people; null on allow. Names the rule, never a value of the arguments. */
  readonly reason: string | null;
  /** The rule that produced the decision; null for lists and defaults. */
  readonly ruleId: string | null;
  /**
   * The whole rewritten arguments; null when nothing was rewritten. Always null unless the decision is allow.
   */
  readonly shapedArgs: JsonObject | null;
  /** Only with `pause`: what the call becomes once it is approved. */
  readonly onApproval?: OnApproval;
  /** What this call costs: the request's own figure, else the policy's price, else 0. Micro-USD. */
  readonly costMicroUsd: number;
  /** What the module of the policy said; absent when the policy has none. */
  readonly rego?: ModuleResult;
}

/**
 * What one evaluation of a module said: a failure means deny; it never means that the module said nothing.
 */
export type ModuleResult =
  | {
      readonly kind: "messages";
      /** Sorted and distinct. Not empty: deny. */
      readonly deny: readonly string[];
      /** Sorted and distinct. Not empty: pause, unless something denies. */
      readonly requireApproval: readonly string[];
    }
  /** The code is a word such as `rego_timeout`; the message names no value of an argument. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** How a module came to what it said of one call. */
export interface ModuleTrace {
  /** The trace of Open Policy Agent, cut at a limit; empty when the evaluation failed. */
  readonly trace: string;
  readonly coverage: {
    readonly covered: readonly LineRange[];
    readonly notCovered: readonly LineRange[];
    /** 0 to 100: of the lines that can run. */
    readonly percent: number;
  };
}

/** Lines of a module, both included, 1-based. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** A paused call after its approval. */
export interface OnApproval {
  /** The whole rewritten arguments; null when nothing was rewritten. */
  readonly shapedArgs: JsonObject | null;
  /** The workflow that the rule names; null when it names none. */
  readonly workflow: string | null;
  readonly terms: ApprovalTerms;
}

/** What the approval of a paused call holds for. */
export interface ApprovalTerms {
  /** `session`: the session of the call; `agent`: every session of its agent. */
  readonly scope: ApprovalScope;
  /** Arguments, as the rule names them, whose values a later call must share. Empty: one call. */
  readonly covers: readonly string[];
  /**
   * Canonical JSON of these arguments and their values. Two calls share them exactly when these texts are
   * equal. Null exactly when `covers` is empty.
   */
  readonly values: string | null;
}

/** Decides a call beside the declarative rules; results combine by severity. */
export interface Evaluator {
  /**
   * Rejects only on a fault of the program: whatever a module does ends in an evaluation.
   * @param input of the call, as `evaluatorInput` writes it
   */
  evaluate(input: string): Promise<Evaluation>;
  /** Evaluates once more, slowly, and says how. Null where that cannot be told. Never rejects. */
  explain(input: string): Promise<ModuleTrace | null>;
}
