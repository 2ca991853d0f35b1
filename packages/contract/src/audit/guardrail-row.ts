/** A change of a guardrail. The versions of policies that it makes have rows of their own. */
export interface GuardrailRow {
  readonly v: 1;
  readonly kind: "guardrail";
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly org: string;
  readonly principal: string;
  readonly action: "created" | "updated" | "removed";
  readonly guardrail_id: string;
  readonly version: number;
  /** `sha256:` and hex of the stored definition, whose patterns may themselves be secret. */
  readonly definition_digest: string;
  readonly detectors: readonly string[];
  /** Their names. */
  readonly patterns: readonly string[];
  /** How many texts it lets pass. */
  readonly allowed: number;
  /** The versions of policies that the change made, such as `payments@4`. */
  readonly policies: readonly string[];
  /** Why, as the caller said, with secrets masked; null when the caller did not say. */
  readonly why: string | null;
}
