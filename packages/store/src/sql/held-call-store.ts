import { parseJson } from "@svc/text/parse-json";
import type { Selectable } from "kysely";
import type {
  HeldCallEnd,
  HeldCallFilter,
  HeldCallStore,
  StoredHeldCall,
  UnresolvedQuestion,
} from "../ports/held-call-store.ts";
import type { PageRequest } from "../ports/page.ts";
import { appendAuditRows } from "./append-audit-rows.ts";
import { cutPage, newestKey, newestStart } from "./page-start.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export function createHeldCallStore(context: StoreContext): HeldCallStore {
  return {
    heldCall: async (org, id) => {
      const query = context.db.selectFrom("held_calls").selectAll().where("org", "=", org);
      const row = await query.where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : storedHeldCall(row);
    },
    heldCalls: async (org, filter, page) => listHeldCalls(context, { org, filter, page }),
    unresolved: async (question) => unresolved(context, question),
    endHeldCall: async ({ org, id, status, end, auditRow }) =>
      inTransaction(context, async (inside) => {
        const { numUpdatedRows } = await inside.trx
          .updateTable("held_calls")
          .set({ status, is_open: 0, end_state: JSON.stringify(end) })
          .where("org", "=", org)
          .where("id", "=", id)
          .where("status", "=", "held")
          .executeTakeFirst();
        if (Number(numUpdatedRows) === 0) return "moved";
        await appendAuditRows(inside, [auditRow]);
        return "ended";
      }),
  };
}

function storedHeldCall(row: Selectable<Tables["held_calls"]>): StoredHeldCall {
  return {
    org: row.org,
    id: row.id,
    callDigest: row.call_digest,
    namespace: row.namespace,
    agentId: row.agent_id,
    sessionId: row.session_id,
    tool: row.tool,
    requestedBy: row.requested_by,
    revision: row.revision,
    position: { logId: row.log_id, seq: row.seq },
    heldAtMs: row.held_at_ms,
    expiresAtMs: row.expires_at_ms,
    status: row.status,
    end: row.end_state === null ? null : (parseJson(row.end_state) as HeldCallEnd),
  };
}

async function unresolved(
  { db }: StoreContext,
  { agent, after, limit }: UnresolvedQuestion,
): Promise<readonly StoredHeldCall[]> {
  let query = db
    .selectFrom("held_calls")
    .selectAll()
    .where("status", "=", "held")
    .orderBy("held_at_ms")
    .orderBy("org")
    .orderBy("id")
    .limit(limit);
  if (agent !== null) query = query.where("org", "=", agent.org).where("agent_id", "=", agent.agentId);
  if (after !== null) {
    const { heldAtMs, org, id } = after;
    query = query.where((eb) => eb(eb.refTuple("held_at_ms", "org", "id"), ">", eb.tuple(heldAtMs, org, id)));
  }
  return (await query.execute()).map(storedHeldCall);
}

interface ListRequest {
  readonly org: string;
  readonly filter: HeldCallFilter;
  readonly page: PageRequest;
}

/** Newest first. */
async function listHeldCalls(
  { db }: StoreContext,
  { org, filter, page }: ListRequest,
): ReturnType<HeldCallStore["heldCalls"]> {
  const start = newestStart("held-call", page);
  if (start === "bad_cursor") return "bad_cursor";
  let query = db
    .selectFrom("held_calls")
    .selectAll()
    .where("org", "=", org)
    .orderBy("held_at_ms", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  const { status, agentId, sessionId, tool, agents, namespaces, atMs } = filter;
  if (agentId !== null) query = query.where("agent_id", "=", agentId);
  if (sessionId !== null) query = query.where("session_id", "=", sessionId);
  if (tool !== null) query = query.where("tool", "=", tool);
  if (agents !== null) query = query.where("agent_id", "in", agents);
  if (namespaces !== null) query = query.where("namespace", "in", namespaces);
  if (status === "held") query = query.where("status", "=", "held").where("expires_at_ms", ">", atMs);
  else if (status === "expired")
    query = query.where((eb) =>
      eb.or([
        eb("status", "=", "expired"),
        eb.and([eb("status", "=", "held"), eb("expires_at_ms", "<=", atMs)]),
      ]),
    );
  else if (status !== null) query = query.where("status", "=", status);
  if (start.kind === "after") {
    const { atMs: after, id } = start.key;
    query = query.where((eb) =>
      eb.or([eb("held_at_ms", "<", after), eb.and([eb("held_at_ms", "=", after), eb("id", "<", id)])]),
    );
  }
  return cutPage(await query.execute(), page.limit, {
    kind: "held-call",
    key: ({ held_at_ms: lastMs, id }) => newestKey({ atMs: lastMs, id }),
    item: storedHeldCall,
  });
}
