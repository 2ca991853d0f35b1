import { isName } from "@svc/contract/name";
import { getOrAdd } from "@svc/process/get-or-add";
import type { Value } from "../database/index-database.ts";
import { AGENTS } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import type { RowFacts } from "../read-facts.ts";

/** For agents that are there: the earliest call, the latest one, and its namespace. */
export const MERGE_AGENTS = `ON CONFLICT (org, id) DO UPDATE SET
  namespace = CASE WHEN excluded.last_at >= ${AGENTS.name}.last_at
    THEN excluded.namespace ELSE ${AGENTS.name}.namespace END,
  first_at = CASE WHEN excluded.first_at < ${AGENTS.name}.first_at
    THEN excluded.first_at ELSE ${AGENTS.name}.first_at END,
  last_at = CASE WHEN excluded.last_at > ${AGENTS.name}.last_at
    THEN excluded.last_at ELSE ${AGENTS.name}.last_at END`;

interface Seen {
  readonly org: string;
  readonly id: string;
  namespace: string;
  firstAt: number;
  lastAt: number;
}

/** The agents that called in a batch of rows. */
export class AgentTally {
  /** By organization, then by agent. */
  readonly #seen = new Map<string, Map<string, Seen>>();

  /** No request has a masked name, so nobody can ask for such an agent. */
  add({ org, agent: id, namespace }: RowFacts, at: number): void {
    if (id === null || namespace === null) return;
    const ofOrg = getOrAdd(this.#seen, org, () => new Map<string, Seen>());
    const seen = ofOrg.get(id);
    if (seen === undefined) {
      if (isName(id)) ofOrg.set(id, { org, id, namespace, firstAt: at, lastAt: at });
      return;
    }
    if (at >= seen.lastAt) seen.namespace = namespace;
    seen.firstAt = Math.min(seen.firstAt, at);
    seen.lastAt = Math.max(seen.lastAt, at);
  }

  rows(): readonly (readonly Value[])[] {
    const seen = [...this.#seen.values()].flatMap((ofOrg) => [...ofOrg.values()]);
    return seen.map(({ org, id, namespace, firstAt, lastAt }) => [
      org,
      id,
      nameDigest("agent", org, id),
      namespace,
      firstAt,
      lastAt,
    ]);
  }
}
