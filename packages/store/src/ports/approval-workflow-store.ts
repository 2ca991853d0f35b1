import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** What keeps a workflow from being removed: ids of policies, and of open approvals, a few of each. */
export interface WorkflowUse {
  readonly policies: readonly string[];
  readonly approvals: readonly string[];
}

export interface ApprovalWorkflowStore {
  createWorkflow(
    change: AuditedChange & { readonly workflow: ApprovalWorkflow },
  ): Promise<"created" | "existing" | "too_many">;
  /** Replaces the workflow of this id if it has the version before this one. */
  updateWorkflow(
    change: AuditedChange & { readonly workflow: ApprovalWorkflow },
  ): Promise<"updated" | "moved" | "not_found">;
  /** Removes a workflow that neither a policy nor an open approval names. */
  removeWorkflow(
    change: AuditedChange & { readonly id: string; readonly version: number; readonly atMs: number },
  ): Promise<
    | { readonly kind: "removed" | "moved" | "not_found" }
    | { readonly kind: "in_use"; readonly use: WorkflowUse }
  >;
  workflow(org: string, id: string): Promise<ApprovalWorkflow | null>;
  /** By id. */
  workflows(org: string, page: PageRequest): Promise<Page<ApprovalWorkflow> | "bad_cursor">;
  /** Those of every organization. */
  everyWorkflow(): Promise<readonly { readonly org: string; readonly workflow: ApprovalWorkflow }[]>;
}
