import type { ApprovalChange, ApprovalStore } from "../ports/approval-store.ts";
import { appendAuditRows } from "./append-audit-rows.ts";
import { storedApproval, storedGrant } from "./approval-rows.ts";
import { queueKey } from "./control-queue.ts";
import { grantsOf, revokeGrant, usableElsewhere } from "./grant-store.ts";
import { listApprovals } from "./list-approvals.ts";
import { inTurn, type StoreContext, type TransactionContext } from "./store-context.ts";

/** An approval in one of these states can still be resolved. */
const OPEN = ["pending", "suspended"] as const;

export function createApprovalStore(context: StoreContext): ApprovalStore {
  const { db } = context;
  return {
    approval: async (org, id) => {
      const row = await approvalsOf(db, org, id).executeTakeFirst();
      return row === undefined ? null : storedApproval(row);
    },
    grant: async (org, approvalId) => {
      const query = db.selectFrom("grants").selectAll().where("org", "=", org);
      const row = await query.where("approval_id", "=", approvalId).executeTakeFirst();
      return row === undefined ? null : storedGrant(row);
    },
    grants: async (org, ids) => grantsOf(db, org, ids),
    usableElsewhere: async (org, question) => usableElsewhere(db, org, question),
    revokeGrant: async (revocation) => revokeGrant(context, revocation),
    approvals: async (org, filter, page) => listApprovals(context, { org, filter, page }),
    changeApproval: async (change) => changeApproval(context, change),
    expireApproval: async (change) => expireApproval(context, change),
    overdue: async (atMs, limit) => overdue(context, atMs, limit),
    versions: async (approvals) => {
      if (approvals.length === 0) return [];
      const names = approvals.map(({ org, id }) => [org, id] as const);
      return db
        .selectFrom("approvals")
        .select(["org", "id", "version"])
        .where((eb) =>
          eb(
            eb.refTuple("org", "id"),
            "in",
            names.map(([org, id]) => eb.tuple(org, id)),
          ),
        )
        .execute();
    },
  };
}

function approvalsOf(db: StoreContext["db"], org: string, id: string) {
  // A placeholder of a batch in another process is not an approval yet.
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("org", "=", org)
    .where("id", "=", id)
    .where("seq", ">=", 0);
}

async function changeApproval(
  context: StoreContext,
  { org, id, version, status, state, grant, atMs, auditRow }: ApprovalChange,
): ReturnType<ApprovalStore["changeApproval"]> {
  return inTurn(context, queueKey(org, "ordinary"), async (inside) => {
    const changed = await inside.trx
      .updateTable("approvals")
      .set({ status, state: JSON.stringify(state), version: version + 1 })
      .where("org", "=", org)
      .where("id", "=", id)
      .where("version", "=", version)
      .where("status", "in", OPEN)
      .where("expires_at_ms", ">", atMs)
      .returning("binding")
      .executeTakeFirst();
    if (changed === undefined) return missed(inside, org, id);
    if (grant !== null) {
      const { expiresAtMs, approvers, edit, maxUses } = grant;
      await inside.trx
        .insertInto("grants")
        .values({
          org,
          approval_id: id,
          binding: changed.binding,
          expires_at_ms: expiresAtMs,
          approvers: JSON.stringify(approvers),
          edit: edit === null ? null : JSON.stringify(edit),
          used_log_id: null,
          used_seq: null,
          max_uses: maxUses,
          uses: 0,
          used_at_ms: null,
        })
        .execute();
    }
    await appendAuditRows(inside, [auditRow]);
    return "changed";
  });
}

type Expiring = Parameters<ApprovalStore["expireApproval"]>[0];

async function expireApproval(
  context: StoreContext,
  { org, id, state, atMs, auditRow }: Expiring,
): ReturnType<ApprovalStore["expireApproval"]> {
  return inTurn(context, queueKey(org, "ordinary"), async (inside) => {
    const { numUpdatedRows } = await inside.trx
      .updateTable("approvals")
      .set((eb) => ({
        status: "expired",
        noted: 1,
        state: JSON.stringify(state),
        version: eb("version", "+", 1),
      }))
      .where("org", "=", org)
      .where("id", "=", id)
      .where("seq", ">=", 0)
      .where("expires_at_ms", "<=", atMs)
      .where((eb) => eb.or([eb("status", "in", OPEN), eb("noted", "=", 0)]))
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 0) return missed(inside, org, id);
    await appendAuditRows(inside, [auditRow]);
    return "changed";
  });
}

async function missed({ trx }: TransactionContext, org: string, id: string): Promise<"moved" | "not_found"> {
  return (await approvalsOf(trx, org, id).executeTakeFirst()) === undefined ? "not_found" : "moved";
}

/** Two queries, so that each reads its own small index. */
async function overdue(
  { db }: StoreContext,
  atMs: number,
  limit: number,
): ReturnType<ApprovalStore["overdue"]> {
  const ended = db.selectFrom("approvals").selectAll().where("expires_at_ms", "<=", atMs);
  const open = ended.where("status", "in", OPEN).where("seq", ">=", 0);
  const found = [];
  for (const query of [ended.where("noted", "=", 0), open]) {
    found.push(...(await query.orderBy("expires_at_ms").limit(limit).execute()));
  }
  return found.slice(0, limit).map(storedApproval);
}
