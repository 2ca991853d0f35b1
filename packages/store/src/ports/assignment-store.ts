import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** Null: whatever it is. */
export interface AssignmentFilter {
  readonly policyId: string | null;
  readonly agentId: string | null;
  readonly namespaceId: string | null;
}

export interface AssignmentStore {
  assignPolicy(change: AuditedChange & { readonly record: PolicyAssignmentRecord }): Promise<
    | { readonly kind: "assigned"; readonly revision: number }
    | { readonly kind: "policy_not_found" }
    | { readonly kind: "policy_archived" }
    /** Same policy, same target: nothing was written. */
    | { readonly kind: "existing"; readonly record: PolicyAssignmentRecord }
    | { readonly kind: "already_bound"; readonly existing: PolicyAssignmentRecord }
  >;
  unassignPolicy(
    change: AuditedChange & { readonly id: string },
  ): Promise<
    | { readonly kind: "unassigned"; readonly record: PolicyAssignmentRecord; readonly revision: number }
    | { readonly kind: "not_found" }
  >;
  assignment(org: string, id: string): Promise<PolicyAssignmentRecord | null>;
  /** By id, those that the filter names. */
  assignments(
    org: string,
    filter: AssignmentFilter,
    page: PageRequest,
  ): Promise<Page<PolicyAssignmentRecord> | "bad_cursor">;
}
