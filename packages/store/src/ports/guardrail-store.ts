import type { GuardrailRecord } from "@svc/contract/guardrail";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";
import type { StoredPolicy, StoredVersion } from "./policy-store.ts";

/** The version of a policy that a change of its guardrail makes, with the audit row of its own. */
export interface GuardedVersion {
  readonly policy: StoredVersion;
  readonly auditRow: string;
}

/**
 * Guardrails in versions. A policy is in the store with the versions that it was written with, so a change of
 * a guardrail is a version of every policy that uses it, written in the same transaction.
 */
export interface GuardrailStore {
  /** A removed id counts on: no version has the number of an earlier one. `version` is that of the record. */
  createGuardrail(change: AuditedChange & { readonly guardrail: GuardrailRecord }): Promise<
    | { readonly kind: "created" }
    | { readonly kind: "existing" | "too_many" }
    /** The first version that is free. */
    | { readonly kind: "version_taken"; readonly next: number }
  >;
  /**
   * Writes the version after the latest one, and `policies`: one version of each policy that is not archived
   * and uses the guardrail. `users_moved`: the policies are not those, or one of them has changed.
   */
  updateGuardrail(
    change: AuditedChange & {
      readonly guardrail: GuardrailRecord;
      readonly policies: readonly GuardedVersion[];
    },
  ): Promise<
    | { readonly kind: "updated"; readonly revision: number }
    | { readonly kind: "moved" | "not_found" | "users_moved" }
  >;
  /** Removes a guardrail that no policy uses that is not archived. */
  removeGuardrail(change: AuditedChange & { readonly id: string; readonly version: number }): Promise<
    | { readonly kind: "removed" | "moved" | "not_found" }
    /** By id; a few of them. */
    | { readonly kind: "in_use"; readonly count: number; readonly policies: readonly string[] }
  >;
  guardrail(org: string, id: string): Promise<GuardrailRecord | null>;
  /** Of a guardrail that may have been removed since. */
  guardrailVersion(org: string, id: string, version: number): Promise<GuardrailRecord | null>;
  /** By id. */
  guardrails(org: string, page: PageRequest): Promise<Page<GuardrailRecord> | "bad_cursor">;
  /** All of an organization, by id. */
  everyGuardrail(org: string): Promise<readonly GuardrailRecord[]>;
  /** Policies that are not archived and use it, by id. */
  guardedPolicies(org: string, id: string): Promise<readonly StoredPolicy[]>;
}
