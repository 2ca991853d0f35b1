import type { Role } from "../keys/role.ts";

/** Which tokens get keys: a rule that was made or removed. */
export interface TrustRuleRow {
  readonly v: 1;
  readonly kind: "trust_rule";
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly org: string;
  readonly principal: string;
  readonly action: "created" | "removed";
  readonly trust_rule_id: string;
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  /** Null: no further claim counts. */
  readonly claims: Readonly<Record<string, string>> | null;
  readonly role: Role;
  readonly agents: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
  readonly environments: readonly string[] | null;
  readonly lifetime_seconds: number;
}
