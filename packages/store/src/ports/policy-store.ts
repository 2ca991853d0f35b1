import type {
  PolicyAssignmentRecord,
  PolicyItem,
  PolicyMediaType,
  PolicyRecord,
  PolicyState,
  PolicyVersionItem,
  PolicyVersionRecord,
} from "@svc/contract/policy";
import type { LabelChanges } from "@svc/contract/policy-labels";
import type { PolicyFilter } from "@svc/contract/policy-list";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** A policy version with the text it came from, which gateways compile unless it is sealed. */
export interface StoredVersion {
  readonly record: PolicyVersionRecord;
  readonly source: string;
  readonly mediaType: PolicyMediaType;
  /**
   * The document with the guardrails that it names in it, as JSON: what gateways compile. Absent when it
   * names none. The record names their versions.
   */
  readonly sealed?: string;
}

/** A policy in its latest version. */
export interface StoredPolicy extends StoredVersion {
  readonly record: PolicyRecord;
}

/** A binding to write, with the audit row of its own. */
export interface NewBinding {
  readonly record: PolicyAssignmentRecord;
  readonly auditRow: string;
}

/**
 * `guardrail_moved`: a version of a policy names a guardrail in a version that is not its latest one.
 * `guardrail_crowded`: as many policies use it as can.
 */
export interface GuardrailRefusal {
  readonly kind: "guardrail_moved" | "guardrail_crowded";
  readonly guardrailId: string;
}

/** Where an operator can move a policy. An archived policy is disabled, too. */
export type PolicyStanding = "enabled" | "disabled" | "archived";

export interface PolicyStore {
  /**
   * Writes version 1 of an enabled policy and, when `binding` is given, that with an audit row of its own,
   * in one transaction.
   */
  createPolicy(
    change: AuditedChange & { readonly policy: StoredVersion; readonly binding: NewBinding | null },
  ): Promise<
    | { readonly kind: "created"; readonly state: PolicyState; readonly revision: number }
    | { readonly kind: "id_taken"; readonly archived: boolean }
    | { readonly kind: "already_bound"; readonly existing: PolicyAssignmentRecord }
    | { readonly kind: "too_many" }
    | GuardrailRefusal
  >;
  /**
   * Appends a version; `policy.record.version` must be the latest plus one, else `version_moved`.
   * No binding and no state changes. `boundAgent`: an agent that must be bound to this policy already, else
   * `not_bound` with what that agent is bound to; null: no agent is asked about.
   */
  appendPolicyVersion(
    change: AuditedChange & {
      readonly policy: StoredVersion;
      readonly boundAgent: string | null;
    },
  ): Promise<
    | { readonly kind: "appended"; readonly state: PolicyState; readonly revision: number }
    | { readonly kind: "not_found" }
    | { readonly kind: "archived" }
    | { readonly kind: "version_moved"; readonly latest: number }
    | { readonly kind: "not_bound"; readonly existing: PolicyAssignmentRecord | null }
    | GuardrailRefusal
  >;
  /** Enables, disables or archives a policy. One that is assigned cannot be archived. */
  movePolicy(change: AuditedChange & { readonly id: string; readonly to: PolicyStanding }): Promise<
    | { readonly kind: "moved"; readonly policy: StoredPolicy; readonly revision: number }
    /** It was there already, and nothing was written. `revision`: as of which that is true. */
    | { readonly kind: "unchanged"; readonly policy: StoredPolicy; readonly revision: number }
    | { readonly kind: "not_found" }
    /** `assignments`: the first of them, by id. */
    | { readonly kind: "assigned"; readonly count: number; readonly assignments: readonly string[] }
    | GuardrailRefusal
  >;
  /** Sets and removes labels. Nothing is announced, because no gateway needs them. */
  labelPolicy(
    change: AuditedChange & { readonly id: string; readonly labels: LabelChanges },
  ): Promise<
    | { readonly kind: "labelled"; readonly policy: StoredPolicy }
    | { readonly kind: "not_found" }
    | { readonly kind: "too_many"; readonly count: number }
  >;
  latestPolicy(org: string, id: string): Promise<StoredPolicy | null>;
  policyVersion(org: string, id: string, version: number): Promise<StoredVersion | null>;
  /** Policies by id, each in its latest version, without documents. */
  policies(org: string, filter: PolicyFilter, page: PageRequest): Promise<Page<PolicyItem> | "bad_cursor">;
  /** All versions of one policy, newest first, without documents. */
  policyVersions(org: string, id: string, page: PageRequest): Promise<Page<PolicyVersionItem> | "bad_cursor">;
}
