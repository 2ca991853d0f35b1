import type { DatabaseSync, StatementSync } from "node:sqlite";
import { rowHash } from "@svc/audit-log/row-hash";
import { type CommittedBatch, exceptionsOf } from "../committed-batch.ts";
import { requireEpoch } from "../epoch.ts";
import type { AcknowledgedHead, HeadGuard } from "../head-guard.ts";
import type { Reservation } from "../ports/claims.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { SessionKey, SessionUsage } from "../ports/session-usage.ts";
import { judgeReservations, sessionKeyText } from "../claims/reservation.ts";

interface Statements {
  readonly begin: StatementSync;
  readonly commit: StatementSync;
  readonly readHead: StatementSync;
  readonly setHead: StatementSync;
  readonly insertRow: StatementSync;
  readonly usage: StatementSync;
  readonly setUsage: StatementSync;
}

export interface BatchCommitterOptions {
  readonly connection: DatabaseSync;
  readonly logId: string;
  readonly epoch: number;
  readonly head: HeadGuard;
  /** Called just before COMMIT, when nothing is lost yet by giving up. @throws to give up. */
  readonly beforeCommit: () => void;
}

/**
 * The hot path: one transaction per batch over prepared statements. Synchronous; the caller rolls back on a
 * throw.
 */
export class BatchCommitter {
  readonly #options: BatchCommitterOptions;
  readonly #statements: Statements;

  constructor(options: BatchCommitterOptions) {
    this.#options = options;
    this.#statements = prepareStatements(options.connection);
  }

  commit(entries: readonly LedgerEntry[]): CommittedBatch {
    const { begin, commit } = this.#statements;
    begin.run();
    const reservations = entries.map(({ claims }) => claims.reservation);
    const { verdicts, charged } = judgeReservations(reservations, this.#readUsages(reservations));
    const rows = entries.filter((_, index) => verdicts[index] === null).map(({ row }) => row);
    const { firstSeq, head } = this.#appendRows(rows);
    this.#writeUsages(reservations, charged);
    this.#options.beforeCommit();
    commit.run();
    this.#options.head.acknowledge(head);
    return { firstSeq, exceptions: exceptionsOf(verdicts) };
  }

  #appendRows(rows: readonly string[]): { readonly firstSeq: number; readonly head: AcknowledgedHead } {
    const { logId, epoch, head } = this.#options;
    const { readHead, insertRow, setHead } = this.#statements;
    const found = readHead.get(logId) as unknown as AcknowledgedHead & { readonly epoch: number };
    requireEpoch({ logId, held: epoch, found: found.epoch });
    head.require(found);
    let seq = found.size;
    let previous = found.hash;
    for (const row of rows) {
      const bytes = Buffer.from(row, "utf8");
      const hash = rowHash(previous, bytes);
      insertRow.run(logId, seq, previous, hash, bytes);
      previous = hash;
      seq += 1;
    }
    setHead.run(seq, previous, logId);
    return { firstSeq: found.size, head: { size: seq, hash: previous } };
  }

  #readUsages(reservations: readonly (Reservation | null)[]): ReadonlyMap<string, SessionUsage> {
    const usages = new Map<string, SessionUsage>();
    for (const reservation of reservations) {
      if (reservation === null) continue;
      const { key } = reservation;
      const text = sessionKeyText(key);
      if (usages.has(text)) continue;
      const row = this.#statements.usage.get(key.org, key.agentId, key.sessionId);
      if (row !== undefined) usages.set(text, row as unknown as SessionUsage);
    }
    return usages;
  }

  #writeUsages(
    reservations: readonly (Reservation | null)[],
    charged: ReadonlyMap<string, SessionUsage>,
  ): void {
    const keys = new Map<string, SessionKey>();
    for (const reservation of reservations) {
      if (reservation !== null) keys.set(sessionKeyText(reservation.key), reservation.key);
    }
    for (const [text, { steps, costMicroUsd }] of charged) {
      const key = keys.get(text);
      if (key === undefined) throw new Error(`session ${text}: charged without a reservation`);
      this.#statements.setUsage.run(key.org, key.agentId, key.sessionId, steps, costMicroUsd);
    }
  }
}

function prepareStatements(connection: DatabaseSync): Statements {
  return {
    begin: connection.prepare("BEGIN IMMEDIATE"),
    commit: connection.prepare("COMMIT"),
    readHead: connection.prepare("SELECT size, head_hash AS hash, epoch FROM audit_logs WHERE log_id = ?"),
    setHead: connection.prepare("UPDATE audit_logs SET size = ?, head_hash = ? WHERE log_id = ?"),
    insertRow: connection.prepare(
      "INSERT INTO audit_rows (log_id, seq, prev_hash, hash, bytes) VALUES (?, ?, ?, ?, ?)",
    ),
    usage: connection.prepare(
      `SELECT steps, cost_micro_usd AS "costMicroUsd" FROM session_usage
        WHERE org = ? AND agent_id = ? AND session_id = ?`,
    ),
    setUsage: connection.prepare(
      `INSERT INTO session_usage (org, agent_id, session_id, steps, cost_micro_usd) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (org, agent_id, session_id)
        DO UPDATE SET steps = excluded.steps, cost_micro_usd = excluded.cost_micro_usd`,
    ),
  };
}
