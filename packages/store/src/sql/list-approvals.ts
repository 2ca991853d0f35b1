import type { ApprovalFilter, ApprovalStore } from "../ports/approval-store.ts";
import type { PageRequest } from "../ports/page.ts";
import { storedApproval } from "./approval-rows.ts";
import { cutPage, newestKey, newestStart } from "./page-start.ts";
import type { StoreContext } from "./store-context.ts";

interface ListRequest {
  readonly org: string;
  readonly filter: ApprovalFilter;
  readonly page: PageRequest;
}

/** Newest first. */
export async function listApprovals(
  { db }: StoreContext,
  { org, filter, page }: ListRequest,
): ReturnType<ApprovalStore["approvals"]> {
  const start = newestStart("approval", page);
  if (start === "bad_cursor") return "bad_cursor";
  let query = db
    .selectFrom("approvals")
    .selectAll()
    .where("org", "=", org)
    .where("seq", ">=", 0)
    .orderBy("created_at_ms", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  const { status, agentId, sessionId, tool, workflowId, agents, namespaces, atMs } = filter;
  if (agentId !== null) query = query.where("agent_id", "=", agentId);
  if (sessionId !== null) query = query.where("session_id", "=", sessionId);
  if (tool !== null) query = query.where("tool", "=", tool);
  if (workflowId !== null) query = query.where("workflow_id", "=", workflowId);
  if (agents !== null) query = query.where("agent_id", "in", agents);
  if (namespaces !== null) query = query.where("namespace", "in", namespaces);
  if (status === "pending" || status === "suspended")
    query = query.where("status", "=", status).where("expires_at_ms", ">", atMs);
  else if (status === "expired")
    query = query.where((eb) =>
      eb.or([
        eb("status", "=", "expired"),
        eb.and([eb("status", "in", ["pending", "suspended"]), eb("expires_at_ms", "<=", atMs)]),
      ]),
    );
  else if (status === "usable")
    query = query
      .where("status", "=", "approved")
      .where((is) =>
        is.exists(
          is
            .selectFrom("grants as g")
            .select("g.approval_id")
            .whereRef("g.org", "=", "approvals.org")
            .whereRef("g.approval_id", "=", "approvals.id")
            .where("g.used_seq", "is", null)
            .whereRef("g.uses", "<", "g.max_uses")
            .where("g.expires_at_ms", ">", atMs),
        ),
      );
  else if (status !== null) query = query.where("status", "=", status);
  if (start.kind === "after") {
    const { atMs: after, id } = start.key;
    query = query.where((eb) =>
      eb.or([eb("created_at_ms", "<", after), eb.and([eb("created_at_ms", "=", after), eb("id", "<", id)])]),
    );
  }
  return cutPage(await query.execute(), page.limit, {
    kind: "approval",
    key: ({ created_at_ms: lastMs, id }) => newestKey({ atMs: lastMs, id }),
    item: storedApproval,
  });
}
