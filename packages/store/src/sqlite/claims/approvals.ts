import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import { parseJson } from "@svc/text/parse-json";
import {
  type ApprovalRow,
  heldApprovals,
  type LockedApprovals,
  NO_APPROVALS,
  type OpenedApproval,
  type OpenShare,
  type ReadyGrantRow,
  readyGrants,
  sharesOf,
  shareText,
  workflowText,
} from "../../claims/approval.ts";
import type { ApprovalClaim } from "../../ports/claims.ts";
import { NOT_REVOKED } from "./grants.ts";

/** Open approvals, in the transaction of a batch. */
export class SqliteApprovals {
  readonly #select: StatementSync;
  readonly #selectReady: StatementSync;
  readonly #count: Readonly<Record<OpenShare["of"], StatementSync>>;
  readonly #selectWorkflow: StatementSync;
  readonly #expire: StatementSync;
  readonly #insert: StatementSync;

  constructor(connection: DatabaseSync) {
    this.#select = connection.prepare(
      `SELECT org, id, binding, log_id, seq, expires_at_ms FROM approvals
        WHERE org = ? AND binding = ? AND status IN ('pending', 'suspended')`,
    );
    this.#selectReady = connection.prepare(
      `SELECT org, approval_id, binding, approvers FROM grants
        WHERE org = ? AND binding = ? AND used_seq IS NULL AND uses < max_uses AND expires_at_ms > ?
          AND ${NOT_REVOKED}
        ORDER BY expires_at_ms, approval_id`,
    );
    const count = (of: string) =>
      connection.prepare(
        `SELECT count(*) AS count FROM approvals
          WHERE org = ? AND ${of} = ? AND status IN ('pending', 'suspended') AND expires_at_ms > ?`,
      );
    this.#count = { organization: count("''"), agent: count("agent_id"), key: count("requested_by") };
    this.#selectWorkflow = connection.prepare(
      "SELECT record FROM approval_workflows WHERE org = ? AND id = ?",
    );
    // What ended by time here gets its audit row from the expiry, which finds it by `noted`.
    this.#expire = connection.prepare(
      `UPDATE approvals SET status = 'expired', noted = 0
        WHERE org = ? AND binding = ? AND status IN ('pending', 'suspended')`,
    );
    this.#insert = connection.prepare(
      `INSERT INTO approvals (org, id, binding, namespace, agent_id, session_id, tool, policy_id,
          policy_version, rule_id, workflow_id, requested_by, log_id, seq, created_at_ms, expires_at_ms,
          state, anywhere, status, version, noted)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 1, 1)`,
    );
  }

  read(claims: readonly ApprovalClaim[]): LockedApprovals {
    if (claims.length === 0) return NO_APPROVALS;
    const open = claims.flatMap(({ org, binding }) => this.#select.all(org, binding));
    const ready = claims.flatMap(({ org, binding, atMs }) => this.#selectReady.all(org, binding, atMs));
    const shares = new Map(
      claims.flatMap((claim) =>
        sharesOf(claim).map((share) => [shareText(share), { ...share, atMs: claim.atMs }]),
      ),
    );
    return {
      open: heldApprovals(open as unknown as readonly ApprovalRow[]),
      ready: readyGrants(ready as unknown as readonly ReadyGrantRow[]),
      counts: new Map([...shares].map(([text, share]) => [text, this.#openOf(share)])),
      workflows: new Map(claims.flatMap((claim) => this.#workflowOf(claim))),
    };
  }

  #openOf({ of, org, name, atMs }: OpenShare & { readonly atMs: number }): number {
    return Number(this.#count[of].get(org, name, atMs)?.["count"]);
  }

  #workflowOf({ org, workflowId }: ApprovalClaim): readonly (readonly [string, ApprovalWorkflow])[] {
    if (workflowId === null) return [];
    const record = this.#selectWorkflow.get(org, workflowId)?.["record"];
    if (typeof record !== "string") return [];
    return [[workflowText(org, workflowId), parseJson(record) as ApprovalWorkflow]];
  }

  /** An open approval of the same binding has expired, or the judgement had refused the claim. */
  write(opened: Iterable<OpenedApproval>): void {
    for (const { claim, position, expiresAtMs, state } of opened) {
      const { org, approvalId, binding, namespace, agentId, sessionId, tool } = claim;
      const { policyId, policyVersion, ruleId, workflowId, requestedBy, atMs } = claim;
      this.#expire.run(org, binding);
      const call = [org, approvalId, binding, namespace, agentId, sessionId, tool] as const;
      const policy = [policyId, policyVersion, ruleId, workflowId, requestedBy] as const;
      const row = [position.logId, position.seq, atMs, expiresAtMs, JSON.stringify(state)] as const;
      this.#insert.run(...call, ...policy, ...row, claim.anywhere);
    }
  }
}
