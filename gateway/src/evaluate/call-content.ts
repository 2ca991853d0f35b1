import type { Evaluation } from "@svc/engine/evaluation";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import {
  decisionRow,
  type KnownArguments,
  type RowContext,
  type RowText,
  type Unknown,
} from "../append/decision-row.ts";
import type { CallFacts } from "../call-facts.ts";
import type { ReadyPolicy } from "../check/governing-policy.ts";
import { evaluateOwn, type JudgedContent, withEvaluators } from "./policy-ruling.ts";

/**
 * The arguments of one call. They are in this thread or, for a large call, in another one. Neither
 * method changes them.
 */
export interface CallContent {
  /** The arguments, where they are in this thread; null where another thread holds them. */
  readonly local: LocalArguments | null;
  /** Evaluates the policy on the call, with the changes of an approver. Rejects on a fault. */
  evaluate(policy: ReadyPolicy, facts: CallFacts, rest: EvaluationRest): Promise<Evaluation>;
  /**
   * The audit row of the call, which masks what `policy` redacts; null when no policy governs the call.
   */
  rowText(facts: CallFacts, policy: RowPolicy, rest: RowRest): RowText | Promise<RowText>;
}

/** The policy whose redactions a row masks. */
export type RowPolicy = ReadyPolicy | null | Unknown;

/** The ruling on a call, and when its row is written. */
export type RowRest = Pick<RowContext, "ruled" | "moment" | "digest">;

/** What an evaluation needs, apart from the policy and the call. */
export type EvaluationRest = Omit<JudgedContent, "args">;

/** Arguments in this thread. */
export class LocalArguments implements CallContent, KnownArguments {
  readonly args: JsonObject;
  readonly canonicalArgs: string;

  constructor(args: JsonObject) {
    this.args = args;
    this.canonicalArgs = canonicalJson(args);
  }

  get local(): LocalArguments {
    return this;
  }

  async evaluate({ policy }: ReadyPolicy, facts: CallFacts, rest: EvaluationRest): Promise<Evaluation> {
    return withEvaluators(policy, evaluateOwn(policy, facts, { args: this.args, ...rest }));
  }

  rowText(facts: CallFacts, policy: RowPolicy, { ruled, moment, digest }: RowRest): RowText {
    const compiled = policy === null || policy === "unknown" ? policy : policy.policy;
    return decisionRow(facts, this, { ruled, moment, digest, policy: compiled });
  }
}
