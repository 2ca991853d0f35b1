import type { ApprovalStatus, ApprovalVote } from "@svc/contract/approval";
import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import type { ArgsEdit } from "@svc/contract/args-edit";
import type { JsonObject } from "@svc/contract/json-value";
import type { Page, PageRequest } from "./page.ts";
import type { RowPosition } from "./row-position.ts";

/** What people did with an approval. */
export interface ApprovalState {
  /** As it was when the approval was opened; null: one approval of any approver suffices. */
  readonly workflow: ApprovalWorkflow | null;
  /** Oldest first. A key votes once. */
  readonly votes: readonly ApprovalVote[];
  /** What the first vote proposed that edited the arguments; null: the arguments of the call. */
  readonly proposal: ApprovalProposal | null;
  /** Why it is not open any more; null while it is open. */
  readonly end: ApprovalEnd | null;
}

export interface ApprovalProposal {
  readonly edit: ArgsEdit;
  /** The edited arguments for people, with secrets masked. */
  readonly shown: JsonObject;
  /** Keyed digest of the arguments as the approver sent them. */
  readonly digest: string;
}

export interface ApprovalEnd {
  /** RFC 3339. */
  readonly at: string;
  /** Id of a key, or the part of the server that ended it. */
  readonly by: string;
  readonly reason: string;
}

/** An approval that a row of the ledger has opened. */
export interface StoredApproval {
  readonly org: string;
  readonly id: string;
  readonly binding: string;
  readonly namespace: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly tool: string;
  readonly policyId: string;
  readonly policyVersion: number;
  readonly ruleId: string | null;
  readonly workflowId: string | null;
  readonly requestedBy: string;
  /** The row that opened it. */
  readonly position: RowPosition;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** As stored: one that is open although its time is over has ended, and nothing resolves it. */
  readonly status: ApprovalStatus;
  /** Counts the changes from 1. */
  readonly version: number;
  readonly state: ApprovalState;
}

/** Lets the call of an approval pass once, until it expires. */
export interface NewGrant {
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
  /** Ids of the keys that approved. Their own calls cannot use it. */
  readonly approvers: readonly string[];
  /** What the approver changed; null: nothing. */
  readonly edit: ArgsEdit | null;
}

export interface StoredGrant extends NewGrant {
  readonly approvalId: string;
  readonly binding: string;
  /** The row of the call that used it; null: it is unused. */
  readonly usedBy: RowPosition | null;
}

/** A change of an open approval by compare-and-set. */
export interface ApprovalChange {
  readonly org: string;
  readonly id: string;
  /** The version that the change was made from. */
  readonly version: number;
  readonly status: Exclude<ApprovalStatus, "expired">;
  readonly state: ApprovalState;
  /** Not null exactly with the status `approved`. */
  readonly grant: NewGrant | null;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly auditRow: string;
}

export interface ApprovalFilter {
  /** By what holds at `atMs`: an open approval whose time is over counts as expired. */
  readonly status: ApprovalStatus | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly tool: string | null;
  readonly workflowId: string | null;
  /** Only approvals of these; null: of all. */
  readonly agents: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** The name and version of an approval, for those who wait for a change of it. */
export type ApprovalVersion = Pick<StoredApproval, "org" | "id" | "version">;

/** Approvals, and the grants that they lead to. Entries of the ledger open approvals and use grants. */
export interface ApprovalStore {
  approval(org: string, id: string): Promise<StoredApproval | null>;
  grant(org: string, approvalId: string): Promise<StoredGrant | null>;
  /** Newest first. */
  approvals(
    org: string,
    filter: ApprovalFilter,
    page: PageRequest,
  ): Promise<Page<StoredApproval> | "bad_cursor">;
  /**
   * Writes the new state, the grant and the audit row in one transaction. `moved`: it has another version by
   * now, has ended, or its time was over at `atMs`; nothing was written.
   */
  changeApproval(change: ApprovalChange): Promise<"changed" | "moved" | "not_found">;
  /**
   * Ends an approval whose time was over at `atMs`, with its audit row. `moved`: it had ended before, or its
   * time is not over; nothing was written.
   */
  expireApproval(
    change: Pick<ApprovalChange, "org" | "id" | "state" | "atMs" | "auditRow">,
  ): Promise<"changed" | "moved" | "not_found">;
  /** Approvals of all organizations that `expireApproval` has to end, oldest end first. */
  overdue(atMs: number, limit: number): Promise<readonly StoredApproval[]>;
  /** What of these exists, as it is now. */
  versions(approvals: readonly Pick<StoredApproval, "org" | "id">[]): Promise<readonly ApprovalVersion[]>;
}
