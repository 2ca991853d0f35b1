import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditStore, LogHead } from "@svc/store/ports/audit-store";
import type { IndexDatabase } from "../database/index-database.ts";
import type { IndexedCall } from "../fill/make-batch.ts";
import { readFacts } from "../read-facts.ts";
import { RETRY_WINDOW_MS } from "./agent-behaviour.ts";
import type { AnomalyBuffer } from "./anomaly-buffer.ts";
import { BehaviourWatch } from "./behaviour-watch.ts";
import { firstRowSince } from "./first-row-since.ts";
import type { ObservedAnomaly } from "./observed-anomaly.ts";
import { type ObservedCall, observedCall } from "./observed-call.ts";
import { toolHistory } from "./tool-history.ts";

/**
 * Milliseconds before its start within which calls count. What an earlier watch found in them and could not
 * record is found again. An anomaly of longer ago is not news.
 */
const NEWS_MS = RETRY_WINDOW_MS;

/** Milliseconds before that which are read to know what went before: the longest window. */
const BEFORE_NEWS_MS = RETRY_WINDOW_MS;

/** Rows of all logs that are read again at a start, as count: about a second of a thread. */
const MAX_ROWS = 50_000;

/** Rows that are read at once, and calls that are looked at without a pause, as count. */
const AT_ONCE = 1_000;

/** Bytes of rows that are read at once: 4 MiB. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

export interface CallWatchParts {
  readonly database: IndexDatabase;
  readonly audit: Pick<AuditStore, "rows" | "row">;
  readonly settings: Pick<AnomalyBuffer, "settingsOf">;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** How far the index is in a log. */
interface Indexed {
  readonly logId: string;
  readonly nextSeq: number;
}

/**
 * Watches the calls in the order in which the index takes them in. It keeps nothing durable: at its start it
 * reads the last minutes once more, so it knows what an earlier watch knew. What both of them find is one
 * anomaly, and the store records it once. Earlier rows are not looked at, so an index that is built again
 * reports nothing again.
 */
export class CallWatch {
  readonly #parts: CallWatchParts;
  readonly #watch: BehaviourWatch;
  /** The first row of each log that has not been looked at. A log that is not here is new. */
  readonly #nextSeqs = new Map<string, number>();
  /** Logs whose index lacks rows from before the start, and the first row that it need not have. */
  readonly #lacking = new Map<string, number>();
  /** Calls of each agent that the index has and that are looked at now, at the start. */
  #seenAgain: ReadonlyMap<string, number> = new Map();
  #newsSinceMs: number;

  constructor(parts: CallWatchParts) {
    this.#parts = parts;
    this.#newsSinceMs = parts.nowMs() - NEWS_MS;
    const { settings } = parts;
    this.#watch = new BehaviourWatch({
      settingsOf: (org, namespace) => settings.settingsOf(org, namespace),
      historyOf: async (call) => this.#historyOf(call),
    });
  }

  /** Reads the last minutes of the logs. @returns what is unusual in them */
  async start(heads: readonly LogHead[], indexed: readonly Indexed[]): Promise<readonly ObservedAnomaly[]> {
    const calls: ObservedCall[] = [];
    let isCut = false;
    for (const head of heads) {
      const { logId, size } = head;
      const since = await firstRowSince(this.#parts.audit, head, this.#newsSinceMs - BEFORE_NEWS_MS);
      const first = Math.max(since, size - Math.floor(MAX_ROWS / heads.length));
      isCut ||= first > since;
      const nextSeq = indexed.find((log) => log.logId === logId)?.nextSeq ?? 0;
      if (nextSeq < first) this.#lacking.set(logId, first);
      this.#nextSeqs.set(logId, Math.max(first, nextSeq));
      await this.#read(logId, { from: first, end: nextSeq }, calls);
    }
    calls.sort((one, other) => one.atMs - other.atMs);
    // What went before the first calls is not known, so what they complete may have been reported.
    const middle = calls[Math.floor(calls.length / 2)];
    if (isCut && middle !== undefined) this.#newsSinceMs = Math.max(this.#newsSinceMs, middle.atMs);
    this.#seenAgain = countByAgent(calls);
    const found = await this.#noteAll(calls);
    this.#seenAgain = new Map();
    return found;
  }

  /**
   * Looks at the calls that the index takes in next, before it has them.
   * @param batch `nextSeq` is the first row after the calls
   */
  async note(
    logId: string,
    batch: { readonly calls: readonly IndexedCall[]; readonly nextSeq: number },
  ): Promise<readonly ObservedAnomaly[]> {
    const { calls, nextSeq } = batch;
    const from = this.#nextSeqs.get(logId) ?? 0;
    const found = await this.#noteAll(calls.flatMap(({ seq, call }) => (seq >= from ? [call] : [])));
    this.#nextSeqs.set(logId, Math.max(from, nextSeq));
    if (nextSeq >= (this.#lacking.get(logId) ?? 0)) this.#lacking.delete(logId);
    return found;
  }

  async #read(
    logId: string,
    { from, end }: { readonly from: number; readonly end: number },
    into: ObservedCall[],
  ): Promise<void> {
    for (let next = from; next < end; ) {
      const rows = await this.#parts.audit.rows(logId, next, Math.min(AT_ONCE, end - next), BYTES_AT_ONCE);
      const last = rows.at(-1);
      if (last === undefined) return;
      next = last.seq + 1;
      for (const { seq, bytes } of rows) {
        const facts = readFacts(bytes);
        const call = facts === null ? null : observedCall(facts, { logId, seq });
        if (call !== null) into.push(call);
      }
      await nextTurn();
    }
  }

  async #noteAll(calls: readonly ObservedCall[]): Promise<readonly ObservedAnomaly[]> {
    const found: ObservedAnomaly[] = [];
    for (const [index, call] of calls.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
      const anomalies = this.#watch.noteKnown(call) ?? (await this.#watch.note(call));
      if (call.atMs >= this.#newsSinceMs) found.push(...anomalies);
    }
    return found;
  }

  /** An index that lacks rows does not know which tools are new. */
  async #historyOf(call: ObservedCall) {
    if (this.#lacking.size > 0) return { calls: 0, tools: null };
    return toolHistory(this.#parts.database, call, this.#seenAgain.get(agentOf(call)) ?? 0);
  }
}

function countByAgent(calls: readonly ObservedCall[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(agentOf(call), (counts.get(agentOf(call)) ?? 0) + 1);
  return counts;
}

/** The id of an organization has no space. */
function agentOf({ org, agentId }: ObservedCall): string {
  return `${org} ${agentId}`;
}
