import type { PolicyAssignmentRecord, PolicyMediaType, PolicyRecord } from "@svc/contract/policy-record";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** A policy version with the text it came from. `source` is what gateways compile. */
export interface StoredPolicy {
  readonly record: PolicyRecord;
  readonly source: string;
  readonly mediaType: PolicyMediaType;
}

/** A binding to write, with the audit row of its own. */
export interface NewBinding {
  readonly record: PolicyAssignmentRecord;
  readonly auditRow: string;
}

export interface PolicyStore {
  /** Writes version 1 and, when `binding` is given, that with an audit row of its own, in one transaction. */
  createPolicy(
    change: AuditedChange & { readonly policy: StoredPolicy; readonly binding: NewBinding | null },
  ): Promise<
    | { readonly kind: "created"; readonly revision: number }
    | { readonly kind: "id_taken" }
    | { readonly kind: "already_bound"; readonly existing: PolicyAssignmentRecord }
    | { readonly kind: "too_many" }
  >;
  /**
   * Appends a version; `policy.record.version` must be the latest plus one, else `version_moved`.
   * No binding changes. `boundAgent`: an agent that must be bound to this policy already, else `not_bound`
   * with what that agent is bound to; null: no agent is asked about.
   */
  appendPolicyVersion(
    change: AuditedChange & {
      readonly policy: StoredPolicy;
      readonly boundAgent: string | null;
    },
  ): Promise<
    | { readonly kind: "appended"; readonly revision: number }
    | { readonly kind: "not_found" }
    | { readonly kind: "version_moved"; readonly latest: number }
    | { readonly kind: "not_bound"; readonly existing: PolicyAssignmentRecord | null }
  >;
  latestPolicy(org: string, id: string): Promise<StoredPolicy | null>;
  policyVersion(org: string, id: string, version: number): Promise<StoredPolicy | null>;
  /** Latest version of each policy, by id. */
  policies(org: string, page: PageRequest): Promise<Page<StoredPolicy> | "bad_cursor">;
  /** All versions of one policy, newest first. */
  policyVersions(org: string, id: string, page: PageRequest): Promise<Page<StoredPolicy> | "bad_cursor">;
}
