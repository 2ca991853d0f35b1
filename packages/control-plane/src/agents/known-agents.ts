import type { Behind } from "@svc/audit-index/audit-answers";
import type { SeenAgent } from "@svc/audit-index/read-agents";
import type { StoredAgent } from "@svc/store/ports/agent-store";
import type { AgentPorts } from "./agent-ports.ts";
import type { KnownAgent } from "./agent-view.ts";

/** What a caller has read already of the agents that it asks about. */
interface Read {
  readonly stored?: readonly StoredAgent[];
  readonly seen?: readonly SeenAgent[];
}

/**
 * Everything that is known of these agents, by id, without those that nobody knows. Rejects when one of the
 * places cannot be read.
 */
export async function knownAgents(
  ports: Pick<AgentPorts, "agents" | "auditIndex">,
  org: string,
  ids: readonly string[],
  read: Read = {},
): Promise<{ readonly agents: readonly KnownAgent[]; readonly behind: Behind }> {
  const stored = byId(read.stored ?? []);
  const seen = byId(read.seen ?? []);
  const unread = (known: ReadonlyMap<string, unknown>) => ids.filter((id) => !known.has(id));
  const [moreStored, found, supervised] = await Promise.all([
    ports.agents.agentsNamed(org, unread(stored)),
    ports.auditIndex.agents({
      org,
      ids: unread(seen),
      namespaces: null,
      text: null,
      after: null,
      limit: ids.length,
    }),
    ports.agents.supervision(org, ids),
  ]);
  for (const agent of moreStored) stored.set(agent.id, agent);
  for (const agent of found.agents) seen.set(agent.id, agent);
  const supervision = byId(supervised);
  const agents = ids.toSorted(byText).map((id) => ({
    id,
    stored: stored.get(id) ?? null,
    seen: seen.get(id) ?? null,
    supervision: supervision.get(id) ?? null,
  }));
  const isKnown = (agent: KnownAgent) =>
    agent.stored !== null || agent.seen !== null || agent.supervision !== null;
  return { agents: agents.filter(isKnown), behind: found.behind };
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

/** The order of bytes in UTF-8, which the databases use. */
export function byText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
