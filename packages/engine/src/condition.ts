import type { FieldPath, FieldPattern } from "./evaluate/field-path.ts";

/** What of a call decides whether a rule is about it, beside the tool. Plain data. */
export type Condition =
  | Question
  /** At least one condition. */
  | { readonly kind: "all" | "any"; readonly conditions: readonly Condition[] }
  | { readonly kind: "not"; readonly condition: Condition };

/** One thing that is asked of a call. */
export interface Question {
  readonly kind: "question";
  readonly subject: Subject;
  readonly test: Test;
  /** What a missing field means for the rule. Null: what `fail_closed` of the policy says. */
  readonly whenMissing: WhenMissing | null;
  /** Whether a null counts as a missing field, and not as a value of the wrong type. */
  readonly nullIsMissing: boolean;
}

export const WHEN_MISSING = ["match", "skip"] as const;
export type WhenMissing = (typeof WHEN_MISSING)[number];

/** Where a condition looks. */
export type Subject = Field | Elements;

/** One value of a call. */
export type Field =
  | { readonly kind: "args"; readonly path: FieldPath }
  /** Every text in the arguments, names of members included. */
  | { readonly kind: "anywhere" }
  | { readonly kind: "call"; readonly name: CallField }
  | { readonly kind: "usage"; readonly name: UsageField }
  /** When the gateway received the call. */
  | { readonly kind: "time" };

/** Every value that the paths lead to. */
export interface Elements {
  readonly kind: "elements";
  readonly quantifier: Quantifier;
  readonly places: readonly ElementPlace[];
}

export interface ElementPlace {
  /** As written. */
  readonly name: string;
  /** Ends in `*` where the list itself was named. */
  readonly pattern: FieldPattern;
  /** Whether the path named a list: an object in its place is then not read. */
  readonly isList: boolean;
}

export const QUANTIFIERS = ["every", "any", "count"] as const;
export type Quantifier = (typeof QUANTIFIERS)[number];

export const CALL_FIELDS = ["agent_id", "session_id", "namespace", "tool"] as const;
export type CallField = (typeof CALL_FIELDS)[number];

export const USAGE_FIELDS = ["session.steps", "session.cost_usd"] as const;
export type UsageField = (typeof USAGE_FIELDS)[number];

/** What a condition asks of its field. */
export interface Test {
  /** A name of the operator table. */
  readonly operator: string;
  /** What the operator made of the document. Its own plain data; money is micro-USD. */
  readonly operand: unknown;
  /** The field to compare with; the operand is then null, unless the operator judges with both. */
  readonly against: Field | null;
  readonly ignoreCase: boolean;
  /** The lists of the policy that the document names in the condition. For explanations and reasons. */
  readonly lists: readonly string[];
}

/** Every question of a condition, in the order of the document. */
export function questionsOf(condition: Condition | null): readonly Question[] {
  if (condition === null) return [];
  switch (condition.kind) {
    case "question":
      return [condition];
    case "not":
      return questionsOf(condition.condition);
    case "all":
    case "any":
      return condition.conditions.flatMap(questionsOf);
  }
}
