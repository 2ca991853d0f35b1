import { MAX_AUDIT_PAGE_BYTES } from "@svc/contract/limits";
import { OUTCOME_STATUSES, type OutcomeStatus } from "@svc/contract/outcome";
import type { AuditStore, StoredRow } from "@svc/store/ports/audit-store";
import type {
  AuditSearch,
  Behind,
  EntryOrder,
  FoundOutcome,
  FoundRow,
  RowFound,
  RowLookup,
  SearchResult,
} from "./audit-index.ts";
import { findEntries } from "./find-entries.ts";
import { DamagedIndexError, type IndexDatabase, integer } from "./index-database.ts";
import { OUTCOMES } from "./index-tables.ts";
import { type LogProgress, readProgress } from "./log-progress.ts";
import { decisionAt } from "./make-batch.ts";
import { placeOf, positionAt } from "./place.ts";
import { type RowFacts, readFacts, withDecision } from "./read-facts.ts";
import { matchesFilter } from "./search-columns.ts";

/**
 * Milliseconds that a question waits for the index to have every row that was committed before it. A running
 * projector needs a few.
 */
const CATCH_UP_LIMIT_MS = 1_000;

/** Milliseconds between two looks at how far the index is. */
const LOOK_MS = 4;

export interface DeskParts {
  readonly database: IndexDatabase;
  readonly audit: Pick<AuditStore, "heads" | "row">;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly nowMs: () => number;
}

/** Answers questions from the index and the log. */
export class QuestionDesk {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  async search(search: AuditSearch): Promise<SearchResult> {
    const { behind, logs } = await this.#caughtUp();
    const { entries, stop } = await findEntries(this.#parts.database, search);
    const rows: FoundRow[] = [];
    let bytes = 0;
    let last: EntryOrder | null = null;
    for (const entry of entries.slice(0, search.limit)) {
      const found = await this.#read(entry, logs, search);
      bytes += found === null ? 0 : found.text.length;
      if (rows.length > 0 && bytes > MAX_AUDIT_PAGE_BYTES)
        return { rows, next: last, searchedBackTo: null, behind };
      if (found !== null) rows.push(found);
      last = entry;
    }
    const isFull = entries.length > search.limit;
    return { rows, next: isFull ? last : stop, searchedBackTo: isFull ? null : (stop?.at ?? null), behind };
  }

  async row({ org, position }: RowLookup): Promise<RowFound> {
    const { behind, logs } = await this.#caughtUp();
    const stored = await this.#parts.audit.row(position);
    const facts = stored === null ? null : readFacts(stored.bytes);
    if (stored === null || facts?.org !== org) return { row: null, behind };
    return { row: await this.#found(stored, facts, logs), behind };
  }

  /** The row of an entry; null when it is not what was asked for. */
  async #read(entry: EntryOrder, logs: Logs, { org, filter }: AuditSearch): Promise<FoundRow | null> {
    const { logNumber, seq } = positionAt(entry.place);
    const logId = logs.byNumber.get(logNumber)?.logId;
    if (logId === undefined) throw new DamagedIndexError("the audit index names a log that it does not know");
    const stored = await this.#parts.audit.row({ logId, seq });
    const own = stored === null ? null : readFacts(stored.bytes);
    if (stored === null || own?.org !== org) return null;
    const facts =
      own.about === null ? own : withDecision(own, await decisionAt(this.#parts.audit, own.about));
    return matchesFilter(facts, filter) ? this.#found(stored, own, logs) : null;
  }

  async #found(stored: StoredRow, facts: RowFacts, logs: Logs): Promise<FoundRow> {
    const { logId, seq, prevHash, hash, bytes } = stored;
    const isDecision = facts.kind === "decision";
    return {
      position: { logId, seq },
      prevHash,
      hash,
      text: Buffer.from(bytes).toString("utf8"),
      outcome: isDecision ? await this.#outcomeOf(logId, seq, logs) : null,
    };
  }

  async #outcomeOf(logId: string, seq: number, logs: Logs): Promise<FoundOutcome | null> {
    const log = logs.byId.get(logId);
    if (log === undefined) return null;
    const [row] = await this.#parts.database.all(
      `SELECT outcome, status, withdrawn FROM ${OUTCOMES.name} WHERE decision = ?1`,
      [placeOf(log.logNumber, seq)],
    );
    if (row === undefined) return null;
    const place = positionAt(integer(row, "outcome"));
    const reporter = logs.byNumber.get(place.logNumber);
    const status = OUTCOME_STATUSES.find((known): known is OutcomeStatus => known === row["status"]);
    if (reporter === undefined || status === undefined)
      throw new DamagedIndexError("the audit index holds an outcome that no report can have");
    const position = { logId: reporter.logId, seq: place.seq };
    return { position, status, withdrawn: row["withdrawn"] === 1 };
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

function logsOf(progress: readonly LogProgress[]): Logs {
  return {
    byId: new Map(progress.map((log) => [log.logId, log])),
    byNumber: new Map(progress.map((log) => [log.logNumber, log])),
  };
}
