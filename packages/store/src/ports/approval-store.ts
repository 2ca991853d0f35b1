import type { RowPosition } from "./row-position.ts";

/** Where an approval stands. The first two are open; the others are final. */
export type ApprovalStatus = "pending" | "suspended" | "approved" | "denied" | "expired" | "cancelled";

/** An approval that a row of the ledger has opened. */
export interface StoredApproval {
  readonly org: string;
  readonly id: string;
  readonly callDigest: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly tool: string;
  /** The row that opened it. */
  readonly position: RowPosition;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly status: ApprovalStatus;
}

/** Lets the call of an approval pass once, until it expires. */
export interface NewGrant {
  readonly id: string;
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
}

/** Approvals, and the grants that they lead to. Entries of the ledger open approvals and use grants. */
export interface ApprovalStore {
  approval(org: string, id: string): Promise<StoredApproval | null>;
  /**
   * Ends a pending approval as approved and writes its grant and the audit row, in one transaction.
   * `not_pending`: it has ended or is suspended, or its time was over at `atMs`; nothing was written.
   */
  approve(change: {
    readonly org: string;
    readonly id: string;
    readonly grant: NewGrant;
    /** Unix milliseconds. */
    readonly atMs: number;
    readonly auditRow: string;
  }): Promise<"approved" | "not_pending" | "not_found">;
}
