import type { Kysely } from "kysely";
import type { NamespaceUse } from "../ports/namespace-store.ts";
import { parseStoredKey } from "./key-rows.ts";
import { namespaceTarget } from "./kill-switch-store.ts";
import type { Tables } from "./tables.ts";

/** Most uses of each kind that a refused removal names, as count: enough to begin with. */
const NAMED_USES = 5;

/** What names this namespace now. */
export async function namespaceUse(db: Kysely<Tables>, org: string, id: string): Promise<NamespaceUse> {
  const assignments = await db
    .selectFrom("policy_assignments")
    .select("id")
    .where("org", "=", org)
    .where("namespace_id", "=", id)
    .limit(NAMED_USES)
    .execute();
  const killSwitches = await db
    .selectFrom("kill_switches")
    .select("id")
    .where("org", "=", org)
    .where("target", "=", namespaceTarget(id))
    .where("status", "=", "active")
    .limit(NAMED_USES)
    .execute();
  const agents = await db
    .selectFrom("agents")
    .select("id")
    .where("org", "=", org)
    .where("namespace", "=", id)
    .orderBy("id")
    .limit(NAMED_USES)
    .execute();
  return {
    assignments: assignments.map((row) => row.id),
    killSwitches: killSwitches.map((row) => row.id),
    agents: agents.map((row) => row.id),
    keys: await boundKeys(db, org, id),
  };
}

/** The pattern finds every record that names the namespace, and perhaps others: records are JSON text. */
async function boundKeys(db: Kysely<Tables>, org: string, id: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("keys")
    .select("record")
    .where("org", "=", org)
    .where("status", "=", "active")
    .where("record", "like", `%${JSON.stringify(id)}%`)
    .orderBy("id")
    .execute();
  const bound = rows
    .map(({ record }) => parseStoredKey(record))
    .filter(({ namespaces }) => namespaces?.includes(id) === true);
  return bound.slice(0, NAMED_USES).map((key) => key.id);
}
