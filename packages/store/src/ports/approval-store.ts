import type { ApprovalStatus, ApprovalVote } from "@svc/contract/approval";
import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import type { ArgsEdit } from "@svc/contract/args-edit";
import type { JsonObject } from "@svc/text/json-value";
import type { HoldsFor } from "./claims.ts";
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
  readonly holdsFor: HoldsFor;
  /** Who took back what the grant had left, and why; null: nobody. */
  readonly revoked: ApprovalEnd | null;
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

/** Lets the calls of an approval pass, until it expires. */
export interface NewGrant {
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
  /** Ids of the keys that approved. Their own calls cannot use it. */
  readonly approvers: readonly string[];
  /** What the approver changed; null: nothing. */
  readonly edit: ArgsEdit | null;
  /** Calls that it lets pass. */
  readonly maxUses: number;
}

export interface StoredGrant extends NewGrant {
  readonly approvalId: string;
  readonly binding: string;
  /** Calls that it has let pass. */
  readonly uses: number;
  /** The row of the call that used it up; null: calls can still use it. */
  readonly usedBy: RowPosition | null;
  /** Unix milliseconds of the last use; null: it is unused, or an earlier program let the call pass. */
  readonly usedAtMs: number | null;
}

/** What is asked about the grants of other sessions. */
export interface ElsewhereQuestion {
  readonly anywhere: string;
  readonly sessionId: string | null;
  /** Only what this key asked for. */
  readonly requestedBy: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** Takes back what is left of a grant, and what calls under way would give back to it. */
export interface GrantRevocation {
  readonly org: string;
  readonly id: string;
  /** The version of the approval that the change was made from. */
  readonly version: number;
  readonly state: ApprovalState;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly auditRow: string;
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
  /**
   * By what holds at `atMs`: an open approval whose time is over counts as expired. `usable`: approved, and a
   * call can still use the grant.
   */
  readonly status: ApprovalStatus | "usable" | null;
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
  /** The grants of these approvals, in no order. */
  grants(org: string, approvalIds: readonly string[]): Promise<readonly StoredGrant[]>;
  /** Whether a call of another session could use a grant. */
  usableElsewhere(org: string, question: ElsewhereQuestion): Promise<boolean>;
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
   * Writes the new state, the end of the grant and the audit row in one transaction. `moved`: the approval
   * has another version by now, or its grant was over at `atMs`; nothing was written. A grant that is used up
   * ends too, because a call that did not run would give its use back.
   */
  revokeGrant(revocation: GrantRevocation): Promise<"changed" | "moved" | "not_found">;
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
