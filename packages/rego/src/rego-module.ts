import type { JsonObject } from "@svc/text/json-value";

/** One Rego module as a policy carries it. Its package name is free. */
export interface RegoModule {
  /** The source, in Rego v1 or v0. */
  readonly text: string;
  /** What the module reads as `data`, beside its own package; null: nothing. */
  readonly data: JsonObject | null;
}

/** Which version of which policy of which organization a module belongs to. */
export interface RegoOwner {
  readonly organization: string;
  readonly policyId: string;
  readonly version: number;
}

/** The rules that a policy asks a module for. */
export type RegoRule = "deny" | "require_approval";

export type RegoProblemCode =
  /** The text is not Rego. */
  | "rego/syntax"
  /** A reference or a value has a type that can not be meant, such as `input.tol`. */
  | "rego/type"
  /** Another error of the compiler, in strict mode. */
  | "rego/compile"
  /** A built-in function that modules may not call. */
  | "rego/forbidden-builtin"
  /** The module defines neither `deny` nor `require_approval`. */
  | "rego/no-rule"
  /** `deny` or `require_approval` is not a set of messages. */
  | "rego/rule-shape"
  /** A reference to data that the policy does not give. */
  | "rego/unknown-data"
  /** A negation that is undefined when an argument is missing. A warning. */
  | "rego/not-of-input"
  /** The syntax before Rego v1. A warning. */
  | "rego/old-syntax"
  /** The module or its data is larger than the limit. */
  | "rego/too-large"
  /** The module could not be checked in its time, or OPA could not be started. It counts as not valid. */
  | "rego/unchecked";

/** What is wrong with a module, and what to do. Says nothing about the values of `data`. */
export interface ProblemText {
  readonly code: RegoProblemCode;
  readonly message: string;
  readonly expected: string;
  readonly found: string;
  readonly fix: string;
}

export interface RegoProblem extends ProblemText {
  readonly severity: "error" | "warning";
  /** 1-based, in the text of the module. */
  readonly row: number;
  /** 1-based, in characters of Unicode, as OPA counts. */
  readonly column: number;
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
