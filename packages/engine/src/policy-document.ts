import type { ApprovalScope } from "@svc/contract/approval-scope";
import type { GovernanceMode } from "@svc/contract/verdict";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { Condition } from "./condition.ts";
import type { NamedDetector, OwnDetector } from "./detectors/named-detector.ts";
import type { FieldPath, FieldPattern } from "./evaluate/field-path.ts";
import type { Guardrail } from "./guardrails/guardrail.ts";
import type { Place } from "./read/reporter.ts";

/** Everything in a valid document that is neither a list of tools nor a rule. Plain data. */
export interface PolicyHead {
  readonly id: string;
  readonly name: string | null;
  readonly agentId: string | null;
  readonly mode: GovernanceMode;
  readonly failClosed: boolean;
  readonly maxSteps: number | null;
  readonly maxCostMicroUsd: number | null;
  readonly toolPrices: readonly { readonly glob: string; readonly microUsd: number }[];
  /** The versions of the guardrails that it names, such as `pci@3`. */
  readonly guardrails: readonly string[];
}

/** A valid policy document, typed and defaulted, with the places that conflicts are shown at. */
export interface PolicyDocument extends PolicyHead {
  readonly allowed: readonly PlacedGlob[];
  readonly denied: readonly PlacedGlob[];
  /** Tools that an agent in quarantine may still call. They allow nothing by themselves. */
  readonly readOnly: readonly PlacedGlob[];
  /** What the policy defines. A condition or rule that names one holds it. */
  readonly detectors: readonly OwnDetector[];
  /** Guardrails that a condition or rule names, which holds them as well. */
  readonly namedGuardrails: readonly Guardrail[];
  /** In the order in which they are walked: by priority, then as they stand in the file. */
  readonly rules: readonly Rule[];
  readonly rego: PlacedModule | null;
}

/** A module in Rego, which is evaluated beside the rules. Plain data. */
export interface PolicyModule {
  readonly text: string;
  /** What the module reads as `data`; null: nothing. */
  readonly data: JsonObject | null;
  /** The workflow of the approvals that it asks for; null: one approval of any approver. */
  readonly workflow: string | null;
}

export interface PlacedModule extends PolicyModule {
  /** Of its text. */
  readonly place: Place;
}

export interface PlacedGlob {
  readonly glob: string;
  readonly place: Place;
}

export interface Rule extends RuleBody {
  readonly place: Place;
}

/** Where a rule stands that names no priority: after those that name a small one. */
export const DEFAULT_PRIORITY = 100;

/** The glob of a rule that names no tool. */
export const ANY_TOOL = "*";

/** What of a rule decides calls. Plain data. */
export interface RuleBody {
  readonly id: string;
  readonly priority: number;
  /** Globs, of which one is enough. `*` alone when the rule names no tool. */
  readonly tools: readonly string[];
  /** Null: the tool alone decides. */
  readonly match: Condition | null;
  readonly action: Action;
  /** What the reason of a deny or a pause tells people and models beside the rule; null: nothing. */
  readonly message: string | null;
}

/** `deny`, `require_approval` and `allow` answer the call; the others rewrite it, and the walk goes on. */
export type Action = { readonly kind: "deny" | "allow" } | ApprovalRequest | Redaction | Constraint;

export const ACTIONS = ["deny", "require_approval", "allow", "redact", "constrain"] as const;

export interface ApprovalRequest {
  readonly kind: "require_approval";
  /** The id of the workflow that says who must approve; null: one approval of any approver. */
  readonly workflow: string | null;
  /** Null: its approval is for one call in its session. */
  readonly reach: ApprovalReach | null;
}

/** What the approvals of a rule may hold for. */
export interface ApprovalReach {
  readonly scope: ApprovalScope;
  /** Arguments whose values a later call must share. Empty: an approval is for one call. */
  readonly covers: readonly FieldPath[];
}

export interface Redaction {
  readonly kind: "redact";
  readonly target:
    | { readonly kind: "fields"; readonly paths: readonly FieldPattern[] }
    | { readonly kind: "detectors"; readonly names: readonly NamedDetector[] };
  readonly mask: Mask;
  /** Whether the audit row masks what the rule rewrites, or keeps it. */
  readonly audit: RedactionAudit;
}

export const REDACTION_AUDITS = ["mask", "keep"] as const;
export type RedactionAudit = (typeof REDACTION_AUDITS)[number];

/** How a redacted text is written. */
export type Mask =
  /** `[redacted]`, with the name of an own detector that found the text. */
  | { readonly kind: "marker" }
  | { readonly kind: "last4" | "hash" | "remove" }
  | { readonly kind: "with"; readonly text: string };

export const MASKS = ["last4", "hash", "remove"] as const;

/**
 * Applied in this order: remove, set, min, max. No path lies within another of the same rule, save
 * one's own bounds.
 */
export interface Constraint {
  readonly kind: "constrain";
  readonly remove: readonly FieldPattern[];
  readonly set: readonly { readonly path: FieldPath; readonly value: JsonValue }[];
  readonly min: readonly { readonly path: FieldPath; readonly bound: number }[];
  readonly max: readonly { readonly path: FieldPath; readonly bound: number }[];
}
