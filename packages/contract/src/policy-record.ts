import type { JsonObject } from "./json-value.ts";

/** Media types in which a policy document can come in and go out. */
export type PolicyMediaType = "application/yaml" | "application/json";

/** One immutable version of a policy, in its wire form. */
export interface PolicyRecord {
  readonly id: string;
  readonly version: number;
  readonly enabled: boolean;
  readonly name: string | null;
  /** The document as JSON of the same fields as the YAML form. */
  readonly document: JsonObject;
  /** RFC 3339 UTC with milliseconds: when this version was written. */
  readonly created_at: string;
  readonly created_by: string;
  /** The version whose content a rollback restored; null for an ordinary change. */
  readonly rolled_back_to: number | null;
}

/** Binds a policy to one agent or to one namespace; exactly one of the two is set. */
export interface PolicyAssignmentRecord {
  readonly id: string;
  readonly policy_id: string;
  readonly agent_id: string | null;
  readonly namespace_id: string | null;
  readonly created_at: string;
  readonly created_by: string;
}
