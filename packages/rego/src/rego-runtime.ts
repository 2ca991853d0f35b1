import { type RegoCheck, type RegoModule, type RegoOwner, RegoUnusable } from "./rego-module.ts";
import type { RegoExplanation, RegoFailure, RegoResult } from "./rego-result.ts";

export type {
  RegoCheck,
  RegoModule,
  RegoOwner,
  RegoProblem,
  RegoProblemCode,
  RegoRule,
} from "./rego-module.ts";
export { RegoUnusable } from "./rego-module.ts";
export type {
  LineRange,
  RegoExplanation,
  RegoFailureCode,
  RegoResult,
} from "./rego-result.ts";

/** A module that is compiled and warm. */
export interface PreparedRego {
  /**
   * Never rejects: whatever goes wrong is a failed result, which means deny.
   * @param inputText canonical JSON of the input object, which OPA reads as it is
   */
  evaluate(inputText: string): Promise<RegoResult>;
  /** Forgets the module. Evaluations that wait are answered `rego_unavailable`. */
  close(): void;
}

export interface RegoRuntime {
  /** Never rejects: a module that could not be checked has a problem. */
  check(module: RegoModule): Promise<RegoCheck>;
  /** Compiled and warm when it resolves. Rejects with `RegoUnusable` when the module does not compile. */
  prepare(module: RegoModule, owner: RegoOwner): Promise<PreparedRego>;
  /** Never rejects. */
  explain(module: RegoModule, inputText: string): Promise<RegoExplanation>;
  /** OPA's version. */
  version(): string;
  /** Ends the threads. What waits is answered as unavailable. */
  close(): Promise<void>;
}

/** The release of OPA that runs inside. */
const OPA_VERSION = "1.22.2";

/** Loads nothing before it is first asked. */
export function openRego(): RegoRuntime {
  const message = "Rego modules can not be evaluated by this build";
  const failed: RegoFailure = { kind: "failed", code: "rego_unavailable", message };
  const check: RegoCheck = { problems: [unchecked(message)], rules: [] };
  const coverage = { covered: [], notCovered: [], percent: 0 };
  return {
    check: () => Promise.resolve(check),
    prepare: () => Promise.reject(new RegoUnusable(message, check.problems)),
    explain: () => Promise.resolve({ result: failed, trace: "", coverage }),
    version: () => OPA_VERSION,
    close: () => Promise.resolve(),
  };
}

function unchecked(message: string): RegoCheck["problems"][number] {
  return {
    severity: "error",
    row: 1,
    column: 1,
    code: "rego/unchecked",
    message,
    expected: "a build with OPA inside",
    found: "one without",
    fix: "Remove `rego` from the policy, or use another build.",
  };
}
