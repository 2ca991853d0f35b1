import { CursorBeyondLogError } from "@svc/log-tail/cursor-beyond-log-error";
import { LogTail } from "@svc/log-tail/log-tail";
import type { AuditStore, LogHead } from "@svc/store/ports/audit-store";
import type { LogPositions } from "@svc/store/ports/event-rows";
import { type RowPage, readRowPage } from "@svc/store/row-page";
import type { RowRange } from "../audit-answers.ts";
import type { AnomalyBuffer } from "../behaviour/anomaly-buffer.ts";
import { CallWatch } from "../behaviour/call-watch.ts";
import { DamagedIndexError, type WritableIndexDatabase } from "../database/index-database.ts";
import {
  ACTORS,
  AGENTS,
  CALLS,
  COUNTS,
  ENTRIES,
  LOGS,
  OUTCOMES,
  PATTERNS,
  REASONS,
  SESSIONS,
  TOOLS,
} from "../database/index-tables.ts";
import { type LogProgress, readProgress } from "../database/log-progress.ts";
import { MAX_LOGS, placeOf } from "../database/place.ts";
import { MERGE_AGENTS } from "./agent-tally.ts";
import { BUCKET_MS } from "./buckets.ts";
import { ADD_MINUTES, FORGET_MINUTES, FORGET_SESSION, MERGE_SESSIONS } from "./call-tally.ts";
import type { IndexLag } from "./index-lag.ts";
import { type IndexBatch, makeBatch } from "./make-batch.ts";
import { RecentDecisions } from "./recent-decisions.ts";

/**
 * Rows of the largest batch, as count. A batch writes each page of the index that it touches once, so one of
 * 250 rows costs a third more for each row.
 */
const ROWS_PER_BATCH = 4_000;

/** A batch is worked on to its end: the loop stops between two of them. */
const NEVER = new AbortController().signal;

/** Bytes of rows of one batch: 4 MiB. One row that is longer is read by itself. */
const BYTES_PER_BATCH = 4 * 1024 * 1024;

/** For rows that say the same whenever they are written. */
const KEEP = "ON CONFLICT DO NOTHING";

/** A reason stays while another row gives it. */
const FORGET_REASON = `DELETE FROM ${REASONS.name} WHERE reason = ?1
  AND NOT EXISTS (SELECT 1 FROM ${ENTRIES.name} AS e WHERE e.reason = ?1 AND e.reason IS NOT NULL)`;

/** An agent stays while another row names it. */
const FORGET_AGENT = `DELETE FROM ${AGENTS.name} WHERE agent = ?1
  AND NOT EXISTS (SELECT 1 FROM ${ENTRIES.name} AS e WHERE e.agent = ?1)`;

const ADD = `ON CONFLICT (policy, level, bucket, pattern) DO UPDATE SET
  n = ${COUNTS.name}.n + excluded.n,
  withdrawn = ${COUNTS.name}.withdrawn + excluded.withdrawn,
  last_place = excluded.last_place`;

const ADD_CALLS = `ON CONFLICT (agent, tool) DO UPDATE SET
  n = ${TOOLS.name}.n + excluded.n,
  first_at = CASE WHEN excluded.first_at < ${TOOLS.name}.first_at
    THEN excluded.first_at ELSE ${TOOLS.name}.first_at END`;

export interface ProjectorParts {
  readonly database: WritableIndexDatabase;
  readonly audit: Pick<AuditStore, "heads" | "rows" | "row">;
  /** Takes what is unusual about the calls. They are watched as soon as it is open. */
  readonly behaviour: AnomalyBuffer;
  readonly lag: IndexLag;
}

/** Brings the index up to the heads of the logs, one batch at a time. The only part that writes to it. */
export class Projector {
  readonly #parts: ProjectorParts;
  readonly #recent = new RecentDecisions();
  readonly #logs = new Map<string, LogProgress>();
  readonly #tail: LogTail<RowPage>;
  #heads: readonly LogHead[] = [];
  #isLoaded = false;
  #watch: CallWatch | null = null;
  /** Rows of the next batch, as count. */
  #maxRows = ROWS_PER_BATCH;
  #hasMoved = false;

  constructor(parts: ProjectorParts) {
    this.#parts = parts;
    this.#tail = new LogTail({
      // The work moves the place of each log in the transaction of its rows.
      cursor: { positions: async () => this.#positions(), move: () => undefined },
      read: async (from) => this.#read(from),
      work: async (page) => {
        for (const log of this.#logs.values()) await this.#indexBatch(log, page);
        this.#hasMoved = true;
      },
    });
  }

  /**
   * Indexes one batch of the logs that are behind. @returns whether any was.
   * @param piece how large a batch may be, as a ratio of the largest
   * @throws DamagedIndexError when the index is ahead of the logs or was made from other ones.
   */
  async step(piece = 1): Promise<boolean> {
    this.#maxRows = Math.ceil(piece * ROWS_PER_BATCH);
    this.#hasMoved = false;
    try {
      const isBehind = await this.#tail.step(NEVER);
      this.#parts.lag.noteIndexed(this.#places(), isBehind);
    } catch (error) {
      throw error instanceof CursorBeyondLogError ? new DamagedIndexError(error.message) : error;
    }
    return this.#hasMoved;
  }

  async forget({ logId, from, end }: RowRange): Promise<void> {
    if (!this.#isLoaded) await this.#load(await this.#parts.audit.heads());
    const log = this.#logs.get(logId);
    if (log === undefined || from >= end) return;
    const { database } = this.#parts;
    const range = [placeOf(log.logNumber, from), placeOf(log.logNumber, end)];
    await database.transaction(async () => {
      const reasons = await database.all(
        `SELECT DISTINCT reason FROM ${ENTRIES.name}
          WHERE place >= ?1 AND place < ?2 AND reason IS NOT NULL`,
        range,
      );
      const agents = await database.all(
        `SELECT DISTINCT agent FROM ${ENTRIES.name} WHERE place >= ?1 AND place < ?2 AND agent IS NOT NULL`,
        range,
      );
      const sessions = await database.all(
        `SELECT DISTINCT agent, session FROM ${ENTRIES.name}
          WHERE place >= ?1 AND place < ?2 AND agent IS NOT NULL AND session IS NOT NULL`,
        range,
      );
      await database.all(`DELETE FROM ${ENTRIES.name} WHERE place >= ?1 AND place < ?2`, range);
      await database.all(`DELETE FROM ${OUTCOMES.name} WHERE decision >= ?1 AND decision < ?2`, range);
      for (const { reason = null } of reasons) await database.all(FORGET_REASON, [reason]);
      for (const { agent = null } of agents) {
        await database.all(FORGET_AGENT, [agent]);
        for (const [level, ms] of BUCKET_MS.entries()) await database.all(FORGET_MINUTES, [agent, level, ms]);
      }
      for (const { agent = null, session = null } of sessions)
        await database.all(FORGET_SESSION, [agent, session]);
    });
    await database.scrub();
  }

  /** Reads how far the index is. Its last row of each log must be the one that the log has there. */
  async #load(heads: readonly LogHead[]): Promise<void> {
    const { database, audit } = this.#parts;
    for (const log of await readProgress(database)) {
      const { logId, nextSeq, lastHash } = log;
      const size = heads.find((head) => head.logId === logId)?.size ?? 0;
      if (size < nextSeq) throw new DamagedIndexError(`the audit index is ahead of the log ${logId}`);
      const last = nextSeq === 0 ? null : await audit.row({ logId, seq: nextSeq - 1 });
      if (last !== null && Buffer.from(last.hash).toString("hex") !== lastHash)
        throw new DamagedIndexError(`the audit index was made from another log ${logId}`);
      this.#logs.set(logId, log);
    }
    this.#isLoaded = true;
  }

  /** A log that is new is in the index before its rows are read. */
  async #positions(): Promise<LogPositions> {
    this.#heads = await this.#parts.audit.heads();
    const sizes = new Map(this.#heads.map(({ logId, size }) => [logId, size]));
    this.#parts.lag.noteHeads(performance.now(), sizes);
    if (!this.#isLoaded) await this.#load(this.#heads);
    for (const { logId } of this.#heads) if (!this.#logs.has(logId)) await this.#addLog(logId);
    await this.#startWatch(this.#heads);
    return this.#places();
  }

  #places(): LogPositions {
    return new Map([...this.#logs.values()].map(({ logId, nextSeq }) => [logId, nextSeq]));
  }

  async #read(from: LogPositions): Promise<RowPage> {
    const { audit } = this.#parts;
    const rows: AuditStore["rows"] = (...range) => audit.rows(...range);
    const query = { from, limit: this.#maxRows, maxBytes: BYTES_PER_BATCH };
    return readRowPage({ heads: async () => this.#heads, rows }, query);
  }

  async #addLog(logId: string): Promise<void> {
    const logNumber = Math.max(0, ...[...this.#logs.values()].map((log) => log.logNumber + 1));
    if (logNumber >= MAX_LOGS) throw new Error(`the audit index holds at most ${String(MAX_LOGS)} logs`);
    const log: LogProgress = { logNumber, logId, nextSeq: 0, lastHash: null, lastAt: 0 };
    await this.#parts.database.insert(LOGS, [[logNumber, logId, 0, null, 0]], "");
    this.#logs.set(logId, log);
  }

  async #startWatch(heads: readonly LogHead[]): Promise<void> {
    const { database, audit, behaviour } = this.#parts;
    if (this.#watch !== null || !behaviour.isOpen) return;
    const watch = new CallWatch({ database, audit, settings: behaviour, nowMs: Date.now });
    behaviour.add(await watch.start(heads, [...this.#logs.values()]));
    this.#watch = watch;
  }

  async #indexBatch(log: LogProgress, page: RowPage): Promise<void> {
    const nextSeq = page.next.get(log.logId) ?? log.nextSeq;
    if (nextSeq === log.nextSeq) return;
    const { database, audit, behaviour } = this.#parts;
    const rows = page.rows.filter(({ logId }) => logId === log.logId);
    const logNumbers = new Map([...this.#logs.values()].map(({ logId, logNumber }) => [logId, logNumber]));
    const parts = { audit, recent: this.#recent, logNumbers };
    const made = await makeBatch(parts, log, rows);
    // Rows that somebody removed from the end of a log are not there to be indexed.
    const batch = rows.length > 0 ? made : { ...made, progress: { ...log, nextSeq } };
    const { calls, progress } = batch;
    const found = await this.#watch?.note(log.logId, { calls, nextSeq: progress.nextSeq });
    await database.transaction(async () => this.#write(log, batch));
    // A projector that lost its lock has failed to write, and finds nothing.
    if (found !== undefined) behaviour.add(found);
    this.#logs.set(log.logId, progress);
  }

  async #write(before: LogProgress, batch: IndexBatch): Promise<void> {
    const { database } = this.#parts;
    const { logNumber, nextSeq, lastHash, lastAt } = batch.progress;
    const moved = await database.all(
      `UPDATE ${LOGS.name} SET next_seq = ?1, last_hash = ?2, last_at = ?3
        WHERE log_number = ?4 AND next_seq = ?5 RETURNING log_number`,
      [nextSeq, lastHash, lastAt, logNumber, before.nextSeq],
    );
    // A projector that lost its lock must not write what its successor has written.
    if (moved.length !== 1) throw new Error("another projector has moved the audit index");
    await database.insert(ENTRIES, batch.entries, KEEP);
    await database.insert(REASONS, batch.reasons, KEEP);
    await database.insert(OUTCOMES, batch.outcomes, KEEP);
    await database.insert(PATTERNS, batch.patterns, KEEP);
    await database.insert(ACTORS, batch.actors, KEEP);
    await database.insert(COUNTS, batch.counts, ADD);
    await database.insert(AGENTS, batch.agents, MERGE_AGENTS);
    await database.insert(TOOLS, batch.tools, ADD_CALLS);
    await database.insert(CALLS, batch.minutes, ADD_MINUTES);
    await database.insert(SESSIONS, batch.sessions, MERGE_SESSIONS);
  }
}
