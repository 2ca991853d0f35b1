import type { StoredRow } from "@svc/store/ports/audit-store";
import type { RowPosition } from "@svc/store/ports/row-position";
import type {
  Callers,
  Coverage,
  CoverageExample,
  CoveredPart,
  OpenCallers,
  OpenTools,
} from "../audit-answers.ts";
import { readFacts } from "../read-facts.ts";
import { type CallersQuery, readCallers } from "./read-callers.ts";
import { type CoverageQuery, type ReportedPart, readCoverage } from "./read-coverage.ts";
import {
  type OpenCallersQuery,
  type OpenToolsQuery,
  readOpenCallers,
  readOpenTools,
} from "./read-open-calls.ts";
import type { RowSources } from "./row-sources.ts";

/** Parts of a coverage of which an example is read, as count: those with the most calls in question. */
const MAX_EXAMPLES = 100;

/** Rows read at once, as count. */
const ROWS_PER_READ = 50;

/** Compares decisions with the reports about them. Names a call for each part that has one in question. */
export async function answerCoverage(
  sources: RowSources,
  query: CoverageQuery,
): Promise<Omit<Coverage, "behind">> {
  const { parts, complete } = await readCoverage(sources.database, query);
  const ordered = parts.toSorted((one, other) => inQuestion(other) - inQuestion(one));
  const places = ordered
    .slice(0, MAX_EXAMPLES)
    .flatMap(({ missingPlace, unallowedPlace }) => [missingPlace ?? [], unallowedPlace ?? []].flat());
  const calls = await readCalls(sources, query.org, places);
  const callAt = (place: number | null) => (place === null ? null : (calls.get(place) ?? null));
  const shown = ordered.map(({ missingPlace, unallowedPlace, ...counts }): CoveredPart => {
    return { ...counts, missingExample: callAt(missingPlace), unallowedExample: callAt(unallowedPlace) };
  });
  return { parts: shown, complete };
}

function inQuestion({ allows, reported, unallowed }: ReportedPart): number {
  return allows - reported + unallowed;
}

/** The tools of allowed calls without an outcome. */
export async function answerOpenTools(sources: RowSources, query: OpenToolsQuery): Promise<OpenTools> {
  const { places, complete } = await readOpenTools(sources.database, query);
  const calls = await readCalls(sources, query.org, places);
  return { tools: [...new Set([...calls.values()].map(({ tool }) => tool))], complete };
}

/** The agents with such a call of one of the tools. */
export async function answerOpenCallers(sources: RowSources, query: OpenCallersQuery): Promise<OpenCallers> {
  const { places, complete } = await readOpenCallers(sources.database, query);
  const calls = await readCalls(sources, query.org, places);
  const callers = [...calls.values()].filter(({ tool }) => query.tools.includes(tool));
  return { callers: callers.map(({ agentId, tool }) => ({ agentId, tool })), complete };
}

/** Who called a target, each agent once for each of its sessions. */
export async function answerCallers(
  sources: RowSources,
  query: CallersQuery,
): Promise<Omit<Callers, "behind">> {
  const { places, complete } = await readCallers(sources.database, query);
  const calls = await readCalls(sources, query.org, places);
  const callers = [...calls.values()].map(({ agentId, sessionId }) => ({ agentId, sessionId }));
  return { callers, complete };
}

/** The calls in some rows, by place, without rows that are not calls of this organization. */
async function readCalls(
  { audit, positionAt }: RowSources,
  org: string,
  places: readonly number[],
): Promise<ReadonlyMap<number, CoverageExample>> {
  const found = new Map<number, CoverageExample>();
  for (let from = 0; from < places.length; from += ROWS_PER_READ) {
    const chunk = places.slice(from, from + ROWS_PER_READ);
    const rows = await audit.rowsAt(chunk.map(positionAt));
    const byPosition = new Map(rows.map((row) => [positionText(row), row]));
    for (const place of chunk) {
      const row = byPosition.get(positionText(positionAt(place)));
      const call = row === undefined ? null : callIn(row, org);
      if (call !== null) found.set(place, call);
    }
  }
  return found;
}

function callIn({ logId, seq, bytes }: StoredRow, org: string): CoverageExample | null {
  const facts = readFacts(bytes);
  if (facts?.org !== org || facts.agent === null || facts.tool === null) return null;
  const { agent: agentId, session: sessionId, tool, namespace } = facts;
  return namespace === null ? null : { position: { logId, seq }, namespace, agentId, sessionId, tool };
}

function positionText({ logId, seq }: RowPosition): string {
  return `${logId} ${String(seq)}`;
}
