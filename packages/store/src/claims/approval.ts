import type { ApprovalClaim } from "../ports/claims.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { NotCommitted } from "./not-committed.ts";

/** The open approval of a call, as stored. */
export interface HeldApproval {
  readonly approvalId: string;
  readonly position: RowPosition;
  readonly expiresAtMs: number;
}

/** An approval that the batch opens, and the row that does. */
export interface OpenedApproval {
  readonly claim: ApprovalClaim;
  readonly position: RowPosition;
}

/** One text per call of an organization, unambiguous whatever its parts hold. */
export function callText({ org, callDigest }: Pick<ApprovalClaim, "org" | "callDigest">): string {
  return `${String(org.length)}.${org}${callDigest}`;
}

/** The row type of both databases. */
export interface ApprovalRow {
  readonly org: string;
  readonly id: string;
  readonly call_digest: string;
  readonly log_id: string;
  readonly seq: number;
  readonly expires_at_ms: number;
}

/** Approvals by call text. */
export function heldApprovals(rows: readonly ApprovalRow[]): ReadonlyMap<string, HeldApproval> {
  return new Map(
    rows.map(({ org, id, call_digest, log_id, seq, expires_at_ms }) => [
      callText({ org, callDigest: call_digest }),
      { approvalId: id, position: { logId: log_id, seq }, expiresAtMs: expires_at_ms },
    ]),
  );
}

/** Judges the approvals that one batch opens, each against the ones before it. */
export class ApprovalJudge {
  readonly #open: ReadonlyMap<string, HeldApproval>;
  readonly opened = new Map<string, OpenedApproval>();

  /** @param open approvals as committed, by call text */
  constructor(open: ReadonlyMap<string, HeldApproval>) {
    this.#open = open;
  }

  refusal(claim: ApprovalClaim): NotCommitted | null {
    const text = callText(claim);
    const opened = this.opened.get(text);
    if (opened !== undefined) {
      return { kind: "approval_open", approvalId: opened.claim.approvalId, position: opened.position };
    }
    const held = this.#open.get(text);
    if (held === undefined || held.expiresAtMs <= claim.atMs) return null;
    return { kind: "approval_open", approvalId: held.approvalId, position: held.position };
  }

  take(claim: ApprovalClaim, position: RowPosition): void {
    this.opened.set(callText(claim), { claim, position });
  }
}
