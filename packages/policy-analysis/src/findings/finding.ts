import type { FindingCode } from "@svc/engine/diagnostic-codes";
import type { GovernedCall } from "@svc/engine/evaluation";
import type { PolicyDocument, Rule } from "@svc/engine/policy-document";
import type { Place } from "@svc/engine/reporter";
import type { SourceNode } from "@svc/engine/source-node";
import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredRule } from "./authored-rule.ts";

/** What every check gets. */
export interface FindingContext {
  readonly document: PolicyDocument;
  readonly root: SourceNode;
  /** In walking order. */
  readonly rules: readonly AuthoredRule[];
}

/** A kind of policy that loads and does something else than its author meant. */
export interface FindingCheck {
  readonly code: FindingCode;
  /** What looks like it. Pure. Whether it is, an evaluation says. */
  readonly suspect: (context: FindingContext) => Iterable<Suspicion>;
}

/**
 * Something that its author probably meant in another way: a repair, and calls that the policy as written and
 * the repaired one decide differently. It is reported with the first call that does, and not without one.
 */
export interface Suspicion {
  readonly place: Place;
  readonly related?: Place;
  /** What the policy as written does to the call; the repaired policy does the opposite. */
  readonly shows: "passes" | "stopped";
  /** The most telling first. */
  readonly calls: readonly Draft[];
  /** Calls of which both must let one pass: else the repair takes away what was meant. */
  readonly keeps?: readonly Draft[];
  readonly repair: Repair;
  readonly words: SuspicionWords;
}

export interface SuspicionWords {
  /** What the author wrote and what happens. */
  readonly message: string;
  readonly expected: string;
  readonly found: string;
  readonly fix: string;
}

/** A call that may be changed where it is not pinned, so that other rules do not decide it. */
export interface Draft {
  readonly call: GovernedCall;
  /** Names of the fields that the suspicion is about. */
  readonly pinned: readonly string[];
}

/** The document as its author probably meant it. */
export type Repair =
  | { readonly kind: "rule"; readonly rule: Rule; readonly written: JsonObject }
  | { readonly kind: "fail_closed" }
  | { readonly kind: "denied"; readonly glob: string };
