import type { SessionName } from "../ports/supervision-store.ts";
import type { StoreLimits, TransactionContext } from "./store-context.ts";

type Room = Map<string, number>;

/**
 * How many more sessions each organization may have supervised, and each of its agents. A session that ended
 * in this transaction and begins again takes a new place: no limit is ever passed.
 */
export class SessionQuota {
  readonly #organizations: Room;
  readonly #agents: Room;

  private constructor(organizations: Room, agents: Room) {
    this.#organizations = organizations;
    this.#agents = agents;
  }

  /** @param beginning the sessions that may begin in this transaction */
  static async read(inside: TransactionContext, beginning: readonly SessionName[]): Promise<SessionQuota> {
    const [organizations, agents]: [Room, Room] = [new Map(), new Map()];
    for (const org of new Set(beginning.map((each) => each.org))) {
      const ofOrg = beginning.filter((each) => each.org === org);
      const asked = [...new Set(ofOrg.map(({ agentId }) => agentId))];
      organizations.set(org, inside.limits.supervisedSessions - (await countOf(inside, org)));
      for (const [agentId, left] of await agentsWithRoom(inside, org, asked))
        agents.set(`${org} ${agentId}`, left);
    }
    return new SessionQuota(organizations, agents);
  }

  /** Takes a place. @returns whose limit is reached; null: the place is taken */
  take({ org, agentId }: SessionName): "agent" | "organization" | null {
    // The id of an organization has no space.
    const agent = `${org} ${agentId}`;
    const ofAgent = this.#agents.get(agent) ?? 0;
    const ofOrg = this.#organizations.get(org) ?? 0;
    if (ofAgent <= 0) return "agent";
    if (ofOrg <= 0) return "organization";
    this.#agents.set(agent, ofAgent - 1);
    this.#organizations.set(org, ofOrg - 1);
    return null;
  }
}

async function countOf({ trx }: TransactionContext, org: string): Promise<number> {
  const { total } = await trx
    .selectFrom("supervised_sessions")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("org", "=", org)
    .where("ended_at_ms", "is", null)
    .executeTakeFirstOrThrow();
  return total;
}

async function agentsWithRoom(
  { trx, limits }: { readonly trx: TransactionContext["trx"]; readonly limits: StoreLimits },
  org: string,
  agents: readonly string[],
): Promise<Room> {
  const rows = await trx
    .selectFrom("supervised_sessions")
    .select(["agent_id", (query) => query.fn.countAll<number>().as("total")])
    .where("org", "=", org)
    .where("agent_id", "in", agents)
    .where("ended_at_ms", "is", null)
    .groupBy("agent_id")
    .execute();
  const counts = new Map(rows.map(({ agent_id, total }) => [agent_id, total]));
  return new Map(
    agents.map((agentId) => [agentId, limits.supervisedSessionsOfAgent - (counts.get(agentId) ?? 0)]),
  );
}
