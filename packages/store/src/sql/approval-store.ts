import type { Selectable } from "kysely";
import type { ApprovalStore, StoredApproval } from "../ports/approval-store.ts";
import { appendAuditRows } from "./append-audit-rows.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export function createApprovalStore(context: StoreContext): ApprovalStore {
  return {
    approval: async (org, id) => {
      const row = await approvalRow(context.db, org, id).executeTakeFirst();
      return row === undefined ? null : storedApproval(row);
    },
    approve: async (change) => approve(context, change),
  };
}

type Approving = Parameters<ApprovalStore["approve"]>[0];

async function approve(
  context: StoreContext,
  { org, id, grant, atMs, auditRow }: Approving,
): ReturnType<ApprovalStore["approve"]> {
  return inTransaction(context, async (inside) => {
    const ended = await inside.trx
      .updateTable("approvals")
      .set({ status: "approved" })
      .where("org", "=", org)
      .where("id", "=", id)
      .where("status", "=", "pending")
      .where("expires_at_ms", ">", atMs)
      .returning("call_digest")
      .executeTakeFirst();
    if (ended === undefined) {
      const row = await approvalRow(inside.trx, org, id).executeTakeFirst();
      return row === undefined ? "not_found" : "not_pending";
    }
    const { call_digest } = ended;
    const unused = { used_log_id: null, used_seq: null };
    await inside.trx
      .insertInto("grants")
      .values({
        org,
        id: grant.id,
        approval_id: id,
        call_digest,
        expires_at_ms: grant.expiresAtMs,
        ...unused,
      })
      .execute();
    await appendAuditRows(inside, [auditRow]);
    return "approved";
  });
}

function approvalRow(db: StoreContext["db"], org: string, id: string) {
  return db.selectFrom("approvals").selectAll().where("org", "=", org).where("id", "=", id);
}

function storedApproval(row: Selectable<Tables["approvals"]>): StoredApproval {
  return {
    org: row.org,
    id: row.id,
    callDigest: row.call_digest,
    agentId: row.agent_id,
    sessionId: row.session_id,
    tool: row.tool,
    position: { logId: row.log_id, seq: row.seq },
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    status: row.status,
  };
}
