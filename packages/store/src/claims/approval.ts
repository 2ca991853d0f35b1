import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import { ANONYMOUS } from "@svc/contract/principal";
import { parseJson } from "@svc/text/parse-json";
import type { ApprovalState } from "../ports/approval-store.ts";
import type { ApprovalClaim, OpenLimits } from "../ports/claims.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { NotCommitted } from "./not-committed.ts";

/** The open approval of a binding, as stored. */
export interface HeldApproval {
  readonly approvalId: string;
  readonly position: RowPosition;
  readonly expiresAtMs: number;
}

/** A grant of a binding that is unused and has not expired. */
export interface ReadyGrant {
  readonly approvalId: string;
  /** Keys that approved it. */
  readonly approvers: readonly string[];
}

/** What the approvals of a batch are judged by. */
export interface LockedApprovals {
  /** Open approvals by binding text. */
  readonly open: ReadonlyMap<string, HeldApproval>;
  /** Unused grants by binding text. */
  readonly ready: ReadonlyMap<string, readonly ReadyGrant[]>;
  /** How many approvals are open, by share text. */
  readonly counts: ReadonlyMap<string, number>;
  /** By workflow text. */
  readonly workflows: ReadonlyMap<string, ApprovalWorkflow>;
}

export const NO_APPROVALS: LockedApprovals = {
  open: new Map(),
  ready: new Map(),
  counts: new Map(),
  workflows: new Map(),
};

/** An approval that the batch opens, and the row that does. */
export interface OpenedApproval {
  readonly claim: ApprovalClaim;
  readonly position: RowPosition;
  readonly expiresAtMs: number;
  readonly state: ApprovalState;
}

/** One text per binding of an organization, unambiguous whatever its parts hold. */
export function bindingText({ org, binding }: Pick<ApprovalClaim, "org" | "binding">): string {
  return `${String(org.length)}.${org}${binding}`;
}

/** Open approvals that count together: of an organization, of one of its agents or of one of its keys. */
export interface OpenShare {
  readonly of: keyof OpenLimits;
  readonly org: string;
  /** Of the agent or the key; empty for the organization. */
  readonly name: string;
}

/** The shares that an approval counts in. */
export function sharesOf({ org, agentId, requestedBy }: ApprovalClaim): readonly OpenShare[] {
  return [
    { of: "organization", org, name: "" },
    { of: "agent", org, name: agentId },
    { of: "key", org, name: requestedBy },
  ];
}

/** One text per share. */
export function shareText({ of, org, name }: OpenShare): string {
  return `${of}.${String(org.length)}.${org}${name}`;
}

/** One text per workflow of an organization. */
export function workflowText(org: string, id: string): string {
  return `${String(org.length)}.${org}${id}`;
}

/** The row types of both databases. */
export interface ApprovalRow {
  readonly org: string;
  readonly id: string;
  readonly binding: string;
  readonly log_id: string;
  readonly seq: number;
  readonly expires_at_ms: number;
}

export interface ReadyGrantRow {
  readonly org: string;
  readonly approval_id: string;
  readonly binding: string;
  /** A JSON list. */
  readonly approvers: string;
}

/** Approvals by binding text. */
export function heldApprovals(rows: readonly ApprovalRow[]): LockedApprovals["open"] {
  return new Map(
    rows.map(({ org, id, binding, log_id, seq, expires_at_ms }) => [
      bindingText({ org, binding }),
      { approvalId: id, position: { logId: log_id, seq }, expiresAtMs: expires_at_ms },
    ]),
  );
}

/** Grants by binding text. */
export function readyGrants(rows: readonly ReadyGrantRow[]): LockedApprovals["ready"] {
  const byText = Map.groupBy(rows, bindingText);
  return new Map(
    [...byText].map(([text, found]) => [
      text,
      found.map(({ approval_id, approvers }) => ({
        approvalId: approval_id,
        approvers: parseJson(approvers) as string[],
      })),
    ]),
  );
}

/** Judges the approvals that one batch opens, each against the ones before it. */
export class ApprovalJudge {
  readonly #held: LockedApprovals;
  readonly #openedOf = new Map<string, number>();
  readonly opened = new Map<string, OpenedApproval>();

  constructor(held: LockedApprovals) {
    this.#held = held;
  }

  refusal(claim: ApprovalClaim): NotCommitted | null {
    const text = bindingText(claim);
    const opened = this.opened.get(text);
    if (opened !== undefined) {
      return { kind: "approval_open", approvalId: opened.claim.approvalId, position: opened.position };
    }
    const grant = this.#held.ready.get(text)?.find((ready) => covers(ready, claim));
    if (grant !== undefined) return { kind: "granted", approvalId: grant.approvalId };
    const open = this.#held.open.get(text);
    if (open !== undefined && claim.atMs < open.expiresAtMs) {
      return { kind: "approval_open", approvalId: open.approvalId, position: open.position };
    }
    if (claim.workflowId !== null && this.#workflow(claim) === null) return { kind: "workflow_missing" };
    const full = sharesOf(claim).find((share) => !(this.#openOf(share) < claim.maxOpen[share.of]));
    return full === undefined ? null : { kind: "approvals_full", of: full.of };
  }

  take(claim: ApprovalClaim, position: RowPosition): void {
    const workflow = this.#workflow(claim);
    const expiresAtMs =
      workflow === null ? claim.expiresAtMs : claim.atMs + workflow.expires_in_seconds * 1_000;
    const { holdsFor } = claim;
    const state = { workflow, votes: [], proposal: null, end: null, holdsFor, revoked: null };
    this.opened.set(bindingText(claim), { claim, position, expiresAtMs, state });
    for (const text of sharesOf(claim).map(shareText))
      this.#openedOf.set(text, (this.#openedOf.get(text) ?? 0) + 1);
  }

  #openOf(share: OpenShare): number {
    const text = shareText(share);
    return (this.#held.counts.get(text) ?? 0) + (this.#openedOf.get(text) ?? 0);
  }

  #workflow({ org, workflowId }: ApprovalClaim): ApprovalWorkflow | null {
    if (workflowId === null) return null;
    return this.#held.workflows.get(workflowText(org, workflowId)) ?? null;
  }
}

/** Who approved a call cannot make it, except while everybody is anonymous. */
function covers({ approvers }: ReadyGrant, { requestedBy }: ApprovalClaim): boolean {
  return requestedBy === ANONYMOUS || !approvers.includes(requestedBy);
}
