import type { Behind } from "@svc/audit-index/audit-answers";
import type { AgentFilters, AgentPageAnswer, AgentRecord } from "@svc/contract/agent";
import type { Principal } from "@svc/contract/principal";
import type { PageRequest } from "@svc/store/ports/page";
import { NOT_ANSWERED } from "../audit/audit-query-ports.ts";
import { viewIndexed } from "../audit/audit-view.ts";
import { callStore } from "../call-store.ts";
import { type Outcome, refuseCursor } from "../refusal.ts";
import { agentCursor, parseAgentCursor } from "./agent-cursor.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { type KnownAgent, viewAgent } from "./agent-view.ts";
import { byText, knownAgents } from "./known-agents.ts";

type ListPorts = Pick<AgentPorts, "log" | "agents" | "auditIndex">;

/** Reads of one page, as count. A page that needs more ends early, and its cursor goes on from there. */
const MAX_ROUNDS = 20;

export interface AgentQuery {
  readonly filters: AgentFilters;
  readonly page: PageRequest;
}

/**
 * Registered agents, and others that called or sent heartbeats, by id: those that fit every filter and that
 * the key may act for.
 */
export async function listAgents(
  ports: ListPorts,
  principal: Principal,
  { filters, page }: AgentQuery,
): Promise<Outcome<AgentPageAnswer>> {
  const after = page.after === null ? null : parseAgentCursor(page.after);
  if (page.after !== null && after === null) return refuseCursor(page.after);
  const bound = boundBy(principal, filters);
  const found = await callStore(ports, NOT_ANSWERED, () =>
    collect(ports, bound, { after, limit: page.limit }),
  );
  if (found.kind === "problem") return found;
  const { agents, next, behind } = found.value;
  const next_cursor = next === null ? null : agentCursor(next);
  return { kind: "ok", value: { agents, next_cursor, indexed: viewIndexed(behind) } };
}

interface BoundFilters extends AgentFilters {
  readonly org: string;
}

/** The filters, narrowed to what the key may act for. */
function boundBy({ org, agents, namespaces }: Principal, filters: AgentFilters): BoundFilters {
  return {
    ...filters,
    org,
    ids: both(agents, filters.ids),
    namespaces: both(namespaces, filters.namespaces),
  };
}

/** What is in both. Null lets every name pass. */
function both(names: ReadonlySet<string> | null, wanted: readonly string[] | null): readonly string[] | null {
  return names === null ? wanted : [...names].filter((name) => wanted?.includes(name) ?? true);
}

interface Range {
  readonly after: string | null;
  readonly limit: number;
}

interface Collected {
  readonly agents: readonly AgentRecord[];
  readonly next: string | null;
  readonly behind: Behind;
}

async function collect(ports: ListPorts, filters: BoundFilters, { after, limit }: Range): Promise<Collected> {
  const agents: AgentRecord[] = [];
  let from = after;
  let behind: Behind = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const read = await readRound(ports, filters, { after: from, limit: limit + 1 });
    behind = read.behind;
    for (const known of read.agents) {
      const record = viewAgent(known);
      if (!fits(record, filters)) continue;
      if (agents.length === limit) return { agents, next: agents.at(-1)?.id ?? null, behind };
      agents.push(record);
    }
    if (read.end === null) return { agents, next: null, behind };
    from = read.end;
  }
  return { agents, next: from, behind };
}

interface Round {
  readonly agents: readonly KnownAgent[];
  /** Every agent up to this id was looked at; null: every agent was. */
  readonly end: string | null;
  readonly behind: Behind;
}

/** Reads the next agents of each place that may hold one that fits. */
async function readRound(ports: ListPorts, filters: BoundFilters, range: Range): Promise<Round> {
  const { org, ids, namespaces, tag, text } = filters;
  const raised = raisedOnly(filters);
  if (raised !== null) {
    // A text may stand in the name of a registered agent, so it is compared later.
    const found = await ports.agents.supervisedAgents(org, { severities: raised, ids, text: null, ...range });
    const known = await knownAgents(ports, org, found);
    return { ...known, end: found.length < range.limit ? null : (found.at(-1) ?? null) };
  }
  const asked = { ids, namespaces, text };
  const stored = isShown(filters, "registered")
    ? await ports.agents.agents(org, { filter: { ...asked, tag }, ...range })
    : [];
  const isUnregisteredShown = isShown(filters, "discovered") && tag === null;
  const seen = isUnregisteredShown ? await ports.auditIndex.agents({ org, ...asked, ...range }) : NONE;
  const supervised = isUnregisteredShown
    ? await ports.agents.supervisedAgents(org, { severities: null, ids, text, ...range })
    : [];
  const places = [stored.map(idOf), seen.agents.map(idOf), supervised];
  const ends = places.flatMap((found) => (found.length < range.limit ? [] : (found.at(-1) ?? [])));
  const end = ends.toSorted(byText)[0] ?? null;
  const names = new Set(places.flat());
  const within = [...names].filter((id) => end === null || byText(id, end) <= 0);
  const known = await knownAgents(ports, org, within, { stored, seen: seen.agents });
  return { agents: known.agents, end, behind: seen.behind.length > 0 ? seen.behind : known.behind };
}

/** Whether agents that are (not) registered can fit, by the statuses that are asked for. */
function isShown({ statuses }: BoundFilters, status: "registered" | "discovered"): boolean {
  return (
    statuses === null ||
    statuses.some((each) => each === status || each === "suspended" || each === "terminated")
  );
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

const NONE = { agents: [], behind: [] } as const;

/** The severities that alone can fit, when an agent at INFO cannot; else null. */
function raisedOnly({ severities, statuses }: BoundFilters) {
  if (severities !== null && !severities.includes("INFO")) return severities;
  const contained = statuses?.every((status) => status === "suspended" || status === "terminated") ?? false;
  return contained ? (["CRITICAL", "EMERGENCY"] as const) : null;
}

/** The whole filter again: an agent that one place lets pass may be another in the place that counts. */
function fits(record: AgentRecord, filters: BoundFilters): boolean {
  const { ids, namespaces, severities, statuses, tag, text } = filters;
  const folded = [record.id, record.name, record.provider ?? ""].join("\n").toLowerCase();
  return (
    (ids?.includes(record.id) ?? true) &&
    (namespaces?.includes(record.namespace) ?? true) &&
    (severities?.includes(record.severity) ?? true) &&
    (statuses?.includes(record.status) ?? true) &&
    (tag === null || record.tags.includes(tag)) &&
    (text === null || folded.includes(text.toLowerCase()))
  );
}
