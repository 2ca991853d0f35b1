import { formatDecisionId } from "@svc/contract/decision-id";
import { MAX_AUDIT_PAGE_BYTES } from "@svc/contract/limits";
import { OUTCOME_STATUSES, type OutcomeStatus } from "@svc/contract/outcome-status";
import type { AuditReader, StoredRow } from "@svc/store/ports/audit-store";
import type { RowPosition } from "@svc/store/ports/row-position";
import type {
  ActivityFound,
  AgentsFound,
  AllowedCalls,
  AuditSearch,
  Behind,
  BusyAgentsFound,
  Callers,
  Coverage,
  EntryOrder,
  FoundOutcome,
  FoundRow,
  OpenCallers,
  OpenTools,
  PolicyReport,
  PolicyReportQuery,
  RowFound,
  RowLookup,
  SearchResult,
  SessionPart,
  SessionQuery,
  SessionSummary,
  SessionsFound,
} from "../audit-answers.ts";
import { DamagedIndexError, type IndexDatabase, integer } from "../database/index-database.ts";
import { OUTCOMES } from "../database/index-tables.ts";
import { type LogProgress, readProgress } from "../database/log-progress.ts";
import { placeOf, positionAt } from "../database/place.ts";
import { type RowFacts, readFacts, withDecision } from "../read-facts.ts";
import { type AgentSessionsQuery, answerAgentSessions } from "./agent-sessions.ts";
import { answerActivity } from "./answer-activity.ts";
import { answerCallers, answerCoverage, answerOpenCallers, answerOpenTools } from "./answer-coverage.ts";
import { type AllowedCallsQuery, countAllowed } from "./count-allowed.ts";
import { findEntries } from "./find-entries.ts";
import type { ActivityQuery } from "./read-activity.ts";
import { type AgentsQuery, readAgents } from "./read-agents.ts";
import { type BusyAgentsQuery, readBusyAgents } from "./read-busy-agents.ts";
import type { CallersQuery } from "./read-callers.ts";
import { type CoverageQuery, readActiveOrgs } from "./read-coverage.ts";
import type { OpenCallersQuery, OpenToolsQuery } from "./read-open-calls.ts";
import { readReport } from "./read-report.ts";
import { type NamedByPlace, readSession } from "./read-session.ts";
import type { RowSources } from "./row-sources.ts";
import { matchesFilter } from "./search-columns.ts";

/**
 * Milliseconds that a question waits for the index to have every row that was committed before it. A running
 * projector needs a few.
 */
const CATCH_UP_LIMIT_MS = 1_000;

/** Rows read at once, as count: of the longest rows they are 15 MiB. */
const ROWS_PER_READ = 50;

/** Milliseconds between two looks at how far the index is. */
const LOOK_MS = 4;

export interface QueryParts {
  readonly database: IndexDatabase;
  readonly audit: Pick<AuditReader["audit"], "heads" | "row" | "rowsAt">;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly nowMs: () => number;
}

/**
 * Answers questions from the index and the log.
 *
 * Each call first waits until the index has every row that was committed before the call, but at most
 * `CATCH_UP_LIMIT_MS`. What it then still lacks is named in `behind`. Rows are read from the log itself, and
 * a row of another organization is never returned. Rejects when the store or the index cannot be read.
 */
export class AuditQueries {
  readonly #parts: QueryParts;

  constructor(parts: QueryParts) {
    this.#parts = parts;
  }

  async search(search: AuditSearch): Promise<SearchResult> {
    const { behind, logs } = await this.#caughtUp();
    const { entries, stop } = await findEntries(this.#parts.database, search);
    const rows: FoundRow[] = [];
    let bytes = 0;
    let last: EntryOrder | null = null;
    const shown = entries.slice(0, search.limit);
    for (let from = 0; from < shown.length; from += ROWS_PER_READ) {
      const chunk = shown.slice(from, from + ROWS_PER_READ);
      const found = await this.#read(chunk, logs, search);
      for (const entry of chunk) {
        const row = found.get(entry.place);
        bytes += row === undefined ? 0 : row.text.length;
        if (rows.length > 0 && bytes > MAX_AUDIT_PAGE_BYTES)
          return { rows, next: last, searchedBackTo: null, behind };
        if (row !== undefined) rows.push(row);
        last = entry;
      }
    }
    const isFull = entries.length > search.limit;
    return { rows, next: isFull ? last : stop, searchedBackTo: isFull ? null : (stop?.at ?? null), behind };
  }

  /** Null for a position of another organization, and for one that no row has. */
  async row({ org, position }: RowLookup): Promise<RowFound> {
    const { behind, logs } = await this.#caughtUp();
    const stored = await this.#parts.audit.row(position);
    const facts = stored === null ? null : readFacts(stored.bytes);
    if (stored === null || facts?.org !== org) return { row: null, behind };
    const [row = null] = await this.#found([{ row: stored, own: facts }], logs);
    return { row, behind };
  }

  async report(query: PolicyReportQuery): Promise<PolicyReport> {
    const { behind, logs } = await this.#caughtUp();
    const { patterns, ...counts } = await readReport(this.#parts.database, query);
    const shown = patterns.map(({ places, ...pattern }) => ({
      ...pattern,
      examples: places.map((place) => positionIn(logs, place)),
    }));
    return { patterns: shown, ...counts, behind };
  }

  async session(query: SessionQuery): Promise<SessionSummary> {
    const { behind, logs } = await this.#caughtUp();
    const { policies, killSwitches, ...counts } = await readSession(this.#parts.database, query);
    const part = async ({ place, ...counted }: NamedByPlace): Promise<SessionPart | null> => {
      const stored = await this.#parts.audit.row(positionIn(logs, place));
      const facts = stored === null ? null : readFacts(stored.bytes);
      if (stored === null || facts?.org !== query.org) return null;
      return { ...counted, text: textOf(stored) };
    };
    const parts = async (named: readonly NamedByPlace[]): Promise<readonly SessionPart[]> =>
      (await Promise.all(named.map(part))).filter((one) => one !== null);
    return { ...counts, policies: await parts(policies), killSwitches: await parts(killSwitches), behind };
  }

  /** Compares the decisions of a time with the reports about them. */
  async coverage(query: CoverageQuery): Promise<Coverage> {
    const { behind, logs } = await this.#caughtUp();
    return { ...(await answerCoverage(this.#sources(logs), query)), behind };
  }

  /** The organizations whose agents called since a time, in Unix milliseconds. */
  async activeOrgs(sinceMs: number): Promise<readonly string[]> {
    await this.#caughtUp();
    return readActiveOrgs(this.#parts.database, sinceMs);
  }

  /** The tools of allowed calls of a namespace of which no outcome came. */
  async openTools(query: OpenToolsQuery): Promise<OpenTools> {
    return answerOpenTools(this.#sources((await this.#caughtUp()).logs), query);
  }

  /** The agents with such a call of one of these tools. */
  async openCallers(query: OpenCallersQuery): Promise<OpenCallers> {
    return answerOpenCallers(this.#sources((await this.#caughtUp()).logs), query);
  }

  #sources(logs: Logs): RowSources {
    const { database, audit } = this.#parts;
    return { database, audit, positionAt: (place) => positionIn(logs, place) };
  }

  /** Calls that were allowed since a time. */
  async allowedCalls(query: AllowedCallsQuery): Promise<AllowedCalls> {
    const { behind } = await this.#caughtUp();
    return { ...(await countAllowed(this.#parts.database, query)), behind };
  }

  /** Who called a target since a time, whatever was decided. */
  async callers(query: CallersQuery): Promise<Callers> {
    const { behind, logs } = await this.#caughtUp();
    return { ...(await answerCallers(this.#sources(logs), query)), behind };
  }

  async agents(query: AgentsQuery): Promise<AgentsFound> {
    const { behind } = await this.#caughtUp();
    return { agents: await readAgents(this.#parts.database, query), behind };
  }

  async agentSessions(query: AgentSessionsQuery): Promise<SessionsFound> {
    const { behind, logs } = await this.#caughtUp();
    return { ...(await answerAgentSessions(this.#sources(logs), query)), behind };
  }

  /** Which agents called most in a time, and what they did before it. */
  async busyAgents(query: BusyAgentsQuery): Promise<BusyAgentsFound> {
    const { behind } = await this.#caughtUp();
    return { ...(await readBusyAgents(this.#parts.database, query)), behind };
  }

  /** What one agent did in a time. */
  async activity(query: ActivityQuery): Promise<ActivityFound> {
    const { behind, logs } = await this.#caughtUp();
    return { ...(await answerActivity(this.#sources(logs), query)), behind };
  }

  /** The rows of some entries by place, without those that are not what was asked for. */
  async #read(
    entries: readonly EntryOrder[],
    logs: Logs,
    { org, filter }: AuditSearch,
  ): Promise<ReadonlyMap<number, FoundRow>> {
    const stored = await this.#parts.audit.rowsAt(entries.map(({ place }) => positionIn(logs, place)));
    const read = stored.map((row) => ({ row, own: readFacts(row.bytes) }));
    const abouts = read.flatMap(({ own }) => (own?.about === null || own === null ? [] : [own.about]));
    const decisions = new Map(
      (await this.#parts.audit.rowsAt(abouts)).map((row) => [formatDecisionId(row), readFacts(row.bytes)]),
    );
    const fitting = read.flatMap(({ row, own }) => {
      if (own?.org !== org) return [];
      const about = own.about === null ? null : (decisions.get(formatDecisionId(own.about)) ?? null);
      const decision = about?.kind === "decision" ? about : null;
      return matchesFilter(withDecision(own, decision), filter) ? [{ row, own }] : [];
    });
    const found = await this.#found(fitting, logs);
    return new Map(found.map((row) => [placeIn(logs, row.position), row]));
  }

  async #found(
    read: readonly { readonly row: StoredRow; readonly own: RowFacts }[],
    logs: Logs,
  ): Promise<readonly FoundRow[]> {
    const decisions = read.filter(({ own }) => own.kind === "decision").map(({ row }) => placeIn(logs, row));
    const outcomes = await this.#outcomesOf(decisions, logs);
    return read.map(({ row }) => {
      const { logId, seq, prevHash, hash } = row;
      const outcome = outcomes.get(placeIn(logs, row)) ?? null;
      return { position: { logId, seq }, prevHash, hash, text: textOf(row), outcome };
    });
  }

  async #outcomesOf(places: readonly number[], logs: Logs): Promise<ReadonlyMap<number, FoundOutcome>> {
    if (places.length === 0) return new Map();
    const names = places.map((_, at) => `?${String(at + 1)}`).join(", ");
    const rows = await this.#parts.database.all(
      `SELECT decision, outcome, status, withdrawn FROM ${OUTCOMES.name} WHERE decision IN (${names})`,
      places,
    );
    return new Map(
      rows.map((row) => {
        const status = OUTCOME_STATUSES.find((known): known is OutcomeStatus => known === row["status"]);
        if (status === undefined)
          throw new DamagedIndexError("the audit index holds an outcome that no report can have");
        const position = positionIn(logs, integer(row, "outcome"));
        return [integer(row, "decision"), { position, status, withdrawn: row["withdrawn"] === 1 }];
      }),
    );
  }

  /** Waits until every row is indexed that was committed when the question arrived, or the limit is over. */
  async #caughtUp(): Promise<{ readonly behind: Behind; readonly logs: Logs }> {
    const { database, audit, sleep, nowMs } = this.#parts;
    const deadlineMs = nowMs() + CATCH_UP_LIMIT_MS;
    const heads = await audit.heads();
    for (;;) {
      const logs = logsOf(await readProgress(database));
      const behind = heads
        .map(({ logId, size }) => ({ logId, size, indexed: logs.byId.get(logId)?.nextSeq ?? 0 }))
        .filter(({ size, indexed }) => indexed < size);
      if (behind.length === 0 || nowMs() >= deadlineMs) return { behind, logs };
      await sleep(LOOK_MS);
    }
  }
}

interface Logs {
  readonly byId: ReadonlyMap<string, LogProgress>;
  readonly byNumber: ReadonlyMap<number, LogProgress>;
}

/** @throws when the index names a log that it does not know. */
function positionIn(logs: Logs, place: number): RowPosition {
  const { logNumber, seq } = positionAt(place);
  const log = logs.byNumber.get(logNumber);
  if (log === undefined) throw new DamagedIndexError("the audit index names a log that it does not know");
  return { logId: log.logId, seq };
}

/** A log that the index does not know yet has no outcomes there either. */
function placeIn(logs: Logs, { logId, seq }: RowPosition): number {
  const log = logs.byId.get(logId);
  return log === undefined ? -1 : placeOf(log.logNumber, seq);
}

function textOf({ bytes }: StoredRow): string {
  return Buffer.from(bytes).toString("utf8");
}

function logsOf(progress: readonly LogProgress[]): Logs {
  return {
    byId: new Map(progress.map((log) => [log.logId, log])),
    byNumber: new Map(progress.map((log) => [log.logNumber, log])),
  };
}
