import { worstSeverity } from "@svc/contract/severity";
import { type Kysely, sql } from "kysely";
import type { AgentSupervision, SupervisedPage } from "../ports/agent-store.ts";
import type { StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

/**
 * The supervised sessions of each of these agents together. Ended sessions count while their severity
 * is above INFO.
 */
export async function readSupervision(
  db: Kysely<Tables>,
  org: string,
  ids: readonly string[],
): Promise<readonly AgentSupervision[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("supervised_sessions")
    .select(["agent_id", "namespace", "severity", "last_heartbeat_ms"])
    .where("org", "=", org)
    .where("agent_id", "in", ids)
    .where((where) => where.or([where("ended_at_ms", "is", null), where("severity", "<>", "INFO")]))
    .orderBy("agent_id")
    .orderBy("last_heartbeat_ms", "desc")
    .execute();
  const found = new Map<string, AgentSupervision>();
  for (const { agent_id: id, namespace, severity, last_heartbeat_ms: lastHeartbeatMs } of rows) {
    const known = found.get(id);
    if (known === undefined) found.set(id, { id, namespace, severity, lastHeartbeatMs });
    else found.set(id, { ...known, severity: worstSeverity([known.severity, severity]) });
  }
  return [...found.values()];
}

export async function readSupervisedAgents(
  { db, dialect }: Pick<StoreContext, "db" | "dialect">,
  org: string,
  { severities, ids, text, after, limit }: SupervisedPage,
): Promise<readonly string[]> {
  const raised = severities?.filter((each) => each !== "INFO") ?? null;
  if (raised?.length === 0 || ids?.length === 0) return [];
  const position = sql.raw(dialect === "sqlite" ? "instr" : "strpos");
  const rows = await db
    .selectFrom("supervised_sessions")
    .select("agent_id")
    .distinct()
    .where("org", "=", org)
    .$if(raised === null, (query) =>
      query.where((where) => where.or([where("ended_at_ms", "is", null), where("severity", "<>", "INFO")])),
    )
    // The index of raised sessions serves what demands this by these words.
    .$if(raised !== null, (query) =>
      query.where("severity", "<>", "INFO").where("severity", "in", raised ?? []),
    )
    .$if(ids !== null, (query) => query.where("agent_id", "in", ids ?? []))
    .$if(text !== null, (query) =>
      query.where(sql<boolean>`${position}(lower(agent_id), ${text?.toLowerCase() ?? ""}) > 0`),
    )
    .$if(after !== null, (query) => query.where("agent_id", ">", after ?? ""))
    .orderBy("agent_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.agent_id);
}
