import { parseJson } from "@svc/text/parse-json";
import type {
  ApprovalStore,
  ElsewhereQuestion,
  GrantRevocation,
  StoredGrant,
} from "../ports/approval-store.ts";
import { appendAuditRows } from "./append-audit-rows.ts";
import { storedGrant } from "./approval-rows.ts";
import { queueKey } from "./control-queue.ts";
import { inTurn, type StoreContext } from "./store-context.ts";

type Database = StoreContext["db"];

export async function grantsOf(
  db: Database,
  org: string,
  approvalIds: readonly string[],
): Promise<readonly StoredGrant[]> {
  if (approvalIds.length === 0) return [];
  const query = db.selectFrom("grants").selectAll().where("org", "=", org);
  const rows = await query.where("approval_id", "in", approvalIds).execute();
  return rows.map(storedGrant);
}

export async function usableElsewhere(
  db: Database,
  org: string,
  { anywhere, sessionId, requestedBy, atMs }: ElsewhereQuestion,
): ReturnType<ApprovalStore["usableElsewhere"]> {
  let query = db
    .selectFrom("approvals as a")
    .innerJoin("grants as g", (join) => join.onRef("g.org", "=", "a.org").onRef("g.approval_id", "=", "a.id"))
    .select("g.approvers")
    .where("a.org", "=", org)
    .where("a.anywhere", "=", anywhere)
    .where("a.status", "=", "approved")
    .where("a.requested_by", "=", requestedBy)
    .where("g.used_seq", "is", null)
    .whereRef("g.uses", "<", "g.max_uses")
    .where("g.expires_at_ms", ">", atMs);
  query =
    sessionId === null
      ? query.where("a.session_id", "is not", null)
      : query.where((is) => is.or([is("a.session_id", "is", null), is("a.session_id", "!=", sessionId)]));
  const found = await query.orderBy("g.expires_at_ms", "desc").limit(1).executeTakeFirst();
  if (found === undefined) return false;
  const approvers = parseJson(found.approvers) as string[];
  const keys = db.selectFrom("keys").select("id").where("id", "in", approvers);
  const revoked = await keys.where("status", "=", "revoked").executeTakeFirst();
  return revoked === undefined;
}

export async function revokeGrant(
  context: StoreContext,
  { org, id, version, state, atMs, auditRow }: GrantRevocation,
): ReturnType<ApprovalStore["revokeGrant"]> {
  return inTurn(context, queueKey(org, "ordinary"), async (inside) => {
    const { trx } = inside;
    const grant = await trx
      .updateTable("grants")
      // No use is left, whatever the clock of a gateway says, and a release gives none back: so also of a
      // grant that is used up. An earlier program reads the time alone.
      .set({ max_uses: 0, expires_at_ms: atMs })
      .where("org", "=", org)
      .where("approval_id", "=", id)
      .where("expires_at_ms", ">", atMs)
      .where((is) =>
        is.exists(
          is
            .selectFrom("approvals as a")
            .select("a.id")
            .where("a.org", "=", org)
            .where("a.id", "=", id)
            .where("a.version", "=", version),
        ),
      )
      .returning("approval_id")
      .executeTakeFirst();
    if (grant === undefined) {
      const found = trx.selectFrom("approvals").select("id").where("org", "=", org).where("id", "=", id);
      return (await found.executeTakeFirst()) === undefined ? "not_found" : "moved";
    }
    await trx
      .updateTable("approvals")
      .set({ state: JSON.stringify(state), version: version + 1 })
      .where("org", "=", org)
      .where("id", "=", id)
      .execute();
    await appendAuditRows(inside, [auditRow]);
    return "changed";
  });
}
