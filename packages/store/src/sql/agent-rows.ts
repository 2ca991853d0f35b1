import { parseJson } from "@svc/text/parse-json";
import type { Kysely } from "kysely";
import type { StoredAgent } from "../ports/agent-store.ts";
import type { ControlChange } from "../ports/control-change.ts";
import type { GovernedAgent } from "../ports/governed-agent.ts";
import type { TransactionContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export function parseAgent(record: string): StoredAgent {
  return parseJson(record) as StoredAgent;
}

export async function findAgent(db: Kysely<Tables>, org: string, id: string): Promise<StoredAgent | null> {
  const row = await db
    .selectFrom("agents")
    .select("record")
    .where("org", "=", org)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : parseAgent(row.record);
}

/** Writes a registration, over the one with its id if there is one. */
export async function writeAgent(
  { trx }: TransactionContext,
  org: string,
  agent: StoredAgent,
): Promise<void> {
  const { id, namespace, parent_agent_id, tags, name, provider, version } = agent;
  const columns = {
    namespace,
    parent_agent_id,
    tags: tags.map((tag) => `,${tag},`).join(""),
    folded: [id, name, provider ?? ""].join("\n").toLowerCase(),
    version,
    record: JSON.stringify(agent),
  };
  await trx
    .insertInto("agents")
    .values({ org, id, ...columns })
    .onConflict((conflict) => conflict.columns(["org", "id"]).doUpdateSet(columns))
    .execute();
}

export function agentChange(agent: StoredAgent, removed: boolean): ControlChange {
  return { kind: "agent", record: governedAgent(agent), removed };
}

/** What gateways act by. */
export function governedAgent({ id, namespace, quarantine }: StoredAgent): GovernedAgent {
  if (quarantine === null) return { id, namespace, quarantine: null };
  const { quarantined_at, expires_at } = quarantine;
  return { id, namespace, quarantine: { since: quarantined_at, until: expires_at } };
}
