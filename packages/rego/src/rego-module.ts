import type { ModuleProblem } from "@svc/engine/evaluator-factory";
import type { PolicyModule } from "@svc/engine/policy-document";

/** One Rego module in v1 or v0. Its package name is free. */
export type RegoModule = Pick<PolicyModule, "text" | "data">;

/** The rules that a policy asks a module for. */
export type RegoRule = "deny" | "require_approval";

/** What is wrong with a module, and what to do. Says nothing about the values of `data`. */
export type ProblemText = Omit<ModuleProblem, "row" | "column">;

export interface RegoProblem extends ModuleProblem {
  readonly severity: "error" | "warning";
}

export interface RegoCheck {
  /** In the order of the text. A module with an error is not usable. */
  readonly problems: readonly RegoProblem[];
  /** The rules that the module defines; empty when it does not parse. */
  readonly rules: readonly RegoRule[];
}

/** A module that can not be prepared. The policy that carries it must deny its calls. */
export class RegoUnusable extends Error {
  readonly problems: readonly RegoProblem[];

  constructor(message: string, problems: readonly RegoProblem[]) {
    super(message);
    this.name = "RegoUnusable";
    this.problems = problems;
  }
}
