import { SEVERITIES, type Severity, worstSeverity } from "@svc/contract/severity";
import type { Kysely } from "kysely";
import type { AgentStore, AgentSupervision } from "../ports/agent-store.ts";
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

type Page = Parameters<AgentStore["raisedAgents"]>[1];

export async function readRaisedAgents(
  db: Kysely<Tables>,
  org: string,
  { severities, after, limit }: Page,
): Promise<readonly string[]> {
  const raised = SEVERITIES.filter((each): each is Severity => each !== "INFO" && severities.includes(each));
  if (raised.length === 0) return [];
  const rows = await db
    .selectFrom("supervised_sessions")
    .select("agent_id")
    .distinct()
    .where("org", "=", org)
    .where("severity", "<>", "INFO")
    .where("severity", "in", raised)
    .$if(after !== null, (query) => query.where("agent_id", ">", after ?? ""))
    .orderBy("agent_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.agent_id);
}
