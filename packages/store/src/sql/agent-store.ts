import { MAX_AGENT_DEPTH } from "@svc/contract/agent-limits";
import { sql } from "kysely";
import type { AgentState, AgentStore, ParentRefusal, StoredAgent } from "../ports/agent-store.ts";
import { agentChange, findAgent, governedAgent, parseAgent, writeAgent } from "./agent-rows.ts";
import { readSupervisedAgents, readSupervision } from "./agent-supervision.ts";
import { type ControlTransaction, changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import type { StoreContext } from "./store-context.ts";

/** Children that a refused removal names, as count. */
const NAMED_CHILDREN = 10;

/** Changes hold the lock on control state, so that chains of parents cannot grow together into a cycle. */
export function createAgentStore(context: StoreContext): AgentStore {
  const { db } = context;
  return {
    registerAgent: async (change) => register(context, change),
    replaceAgent: async (change) => replace(context, change),
    removeAgent: async (change) => remove(context, change),
    agent: async (org, id) => findAgent(db, org, id),
    controlRevision: async () =>
      (await db.selectFrom("control_head").select("revision").executeTakeFirstOrThrow()).revision,
    agentsNamed: async (org, ids) => {
      if (ids.length === 0) return [];
      const query = db.selectFrom("agents").select("record").where("org", "=", org).where("id", "in", ids);
      return (await query.orderBy("id").execute()).map(({ record }) => parseAgent(record));
    },
    supervision: async (org, ids) => readSupervision(db, org, ids),
    supervisedAgents: async (org, page) => readSupervisedAgents(context, org, page),
    agents: async (org, page) => list(context, org, page),
  };
}

type Registration = Parameters<AgentStore["registerAgent"]>[0];
type Replacement = Parameters<AgentStore["replaceAgent"]>[0];
type Removal = Parameters<AgentStore["removeAgent"]>[0];
type Listing = Parameters<AgentStore["agents"]>[1];

async function register(
  context: StoreContext,
  { org, auditRow, agent }: Registration,
): ReturnType<AgentStore["registerAgent"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const existing = await findAgent(control.trx, org, agent.id);
    if (existing !== null) return { kind: "existing", agent: existing };
    if ((await count(control, org)) >= control.limits.agents) return { kind: "too_many" };
    const refusal = await refuseParent(control, org, agent);
    if (refusal !== null) return refusal;
    await writeAgent(control, org, agent);
    const changes = [agentChange(agent, false)];
    return { kind: "registered", revision: await control.announce({ org, auditRows: [auditRow], changes }) };
  });
}

async function replace(
  context: StoreContext,
  { org, auditRow, agent }: Replacement,
): ReturnType<AgentStore["replaceAgent"]> {
  // A quarantine contains an agent, so it does not wait for other changes.
  const lane = queueKey(org, agent.quarantine === null ? "ordinary" : "urgent");
  return changeControl(context, lane, async (control) => {
    const before = await findAgent(control.trx, org, agent.id);
    if (!isState(before, { ...agent, version: agent.version - 1 })) return { kind: "moved" };
    const refusal =
      before.parent_agent_id === agent.parent_agent_id ? null : await refuseParent(control, org, agent);
    if (refusal !== null) return refusal;
    await writeAgent(control, org, agent);
    const isSame = JSON.stringify(governedAgent(before)) === JSON.stringify(governedAgent(agent));
    const changes = isSame ? [] : [agentChange(agent, false)];
    return { kind: "replaced", revision: await control.announce({ org, auditRows: [auditRow], changes }) };
  });
}

async function remove(
  context: StoreContext,
  { org, auditRow, agent: expected }: Removal,
): ReturnType<AgentStore["removeAgent"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const { id } = expected;
    const agent = await findAgent(control.trx, org, id);
    if (!isState(agent, expected)) return { kind: "moved" };
    if (agent.quarantine !== null) return { kind: "quarantined" };
    const children = await control.trx
      .selectFrom("agents")
      .select("id")
      .where("org", "=", org)
      .where("parent_agent_id", "=", id)
      .orderBy("id")
      .limit(NAMED_CHILDREN)
      .execute();
    if (children.length > 0) return { kind: "has_children", children: children.map((child) => child.id) };
    await control.trx.deleteFrom("agents").where("org", "=", org).where("id", "=", id).execute();
    const changes = [agentChange(agent, true)];
    return { kind: "removed", revision: await control.announce({ org, auditRows: [auditRow], changes }) };
  });
}

function isState(stored: StoredAgent | null, { registered_at, version }: AgentState): stored is StoredAgent {
  return stored?.version === version && stored.registered_at === registered_at;
}

/** Walks from the parent upwards. @returns null when the chain ends in time and without the agent itself */
async function refuseParent(
  { trx }: ControlTransaction,
  org: string,
  { id, parent_agent_id }: StoredAgent,
): Promise<ParentRefusal | null> {
  const chain: string[] = [];
  for (let next = parent_agent_id; next !== null; ) {
    if (next === id) return { kind: "parent_cycle", chain };
    if (chain.length + 1 >= MAX_AGENT_DEPTH) return { kind: "parent_too_deep" };
    chain.push(next);
    const row = await trx
      .selectFrom("agents")
      .select("parent_agent_id")
      .where("org", "=", org)
      .where("id", "=", next)
      .executeTakeFirst();
    if (row === undefined) return { kind: "parent_missing" };
    next = row.parent_agent_id;
  }
  return null;
}

async function count({ trx }: ControlTransaction, org: string): Promise<number> {
  const { total } = await trx
    .selectFrom("agents")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("org", "=", org)
    .executeTakeFirstOrThrow();
  return Number(total);
}

async function list(
  { db, dialect }: StoreContext,
  org: string,
  { filter, after, limit }: Listing,
): Promise<readonly StoredAgent[]> {
  const { namespaces, ids, tag, text } = filter;
  if (namespaces?.length === 0 || ids?.length === 0) return [];
  const position = sql.raw(dialect === "sqlite" ? "instr" : "strpos");
  const rows = await db
    .selectFrom("agents")
    .select("record")
    .where("org", "=", org)
    .$if(after !== null, (query) => query.where("id", ">", after ?? ""))
    .$if(namespaces !== null, (query) => query.where("namespace", "in", namespaces ?? []))
    .$if(ids !== null, (query) => query.where("id", "in", ids ?? []))
    .$if(tag !== null, (query) => query.where(sql<boolean>`${position}(tags, ${`,${tag ?? ""},`}) > 0`))
    .$if(text !== null, (query) =>
      query.where(sql<boolean>`${position}(folded, ${text?.toLowerCase() ?? ""}) > 0`),
    )
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ record }) => parseAgent(record));
}
