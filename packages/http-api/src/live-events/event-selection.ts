import type { EventFilter } from "@svc/contract/event-stream";
import type { Principal } from "@svc/contract/principal";
import type { EventRow } from "@svc/store/ports/event-rows";

/** Which events one reader gets. */
export interface EventSelection {
  /** Readers with the same key get the same events. */
  readonly key: string;
  readonly matches: (row: EventRow) => boolean;
}

type Reader = Pick<Principal, "org" | "agents" | "namespaces">;

/** A filter and a binding take only rows that name what they compare. */
export function eventSelection({ org, agents, namespaces }: Reader, filter: EventFilter): EventSelection {
  const kinds = setOf(filter.kind);
  const decisions = setOf(filter.decision);
  const wantedAgents = setOf(filter.agent_id);
  const wantedNamespaces = setOf(filter.namespace);
  const sets = [agents, namespaces, kinds, decisions, wantedAgents, wantedNamespaces];
  return {
    key: JSON.stringify([org, ...sets.map((set) => (set === null ? null : [...set].toSorted()))]),
    matches: (row) =>
      row.org === org &&
      isIn(kinds, row.kind) &&
      isIn(decisions, row.decision) &&
      isIn(wantedAgents, row.agentId) &&
      isIn(wantedNamespaces, row.namespace) &&
      isIn(agents, row.agentId) &&
      isIn(namespaces, row.namespace),
  };
}

function setOf(values: readonly string[] | undefined): ReadonlySet<string> | null {
  return values === undefined ? null : new Set(values);
}

function isIn(wanted: ReadonlySet<string> | null, value: string | null): boolean {
  return wanted === null || (value !== null && wanted.has(value));
}
