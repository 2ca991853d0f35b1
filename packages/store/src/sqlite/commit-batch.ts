import type { DatabaseSync, StatementSync } from "node:sqlite";
import { rowHash } from "@svc/audit-log/row-hash";
import { judgeClaims } from "../claims/judge-claims.ts";
import { type CommittedBatch, exceptionsOf } from "../committed-batch.ts";
import { requireEpoch } from "../epoch.ts";
import type { AcknowledgedHead, HeadGuard } from "../head-guard.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import { ClaimTables } from "./claims/claim-tables.ts";

interface Statements {
  readonly begin: StatementSync;
  readonly commit: StatementSync;
  readonly readHead: StatementSync;
  readonly setHead: StatementSync;
  readonly insertRow: StatementSync;
}

export interface BatchCommitterOptions {
  readonly connection: DatabaseSync;
  readonly logId: string;
  readonly epoch: number;
  readonly head: HeadGuard;
  /** Called just before COMMIT, while the batch can still be rolled back. @throws to roll it back. */
  readonly beforeCommit: () => void;
}

/**
 * The hot path: one transaction per batch over prepared statements. Synchronous; the caller rolls back
 * on a throw.
 */
export class BatchCommitter {
  readonly #options: BatchCommitterOptions;
  readonly #statements: Statements;
  readonly #claims: ClaimTables;

  constructor(options: BatchCommitterOptions) {
    this.#options = options;
    this.#statements = prepareStatements(options.connection);
    this.#claims = new ClaimTables(options.connection);
  }

  commit(entries: readonly LedgerEntry[]): CommittedBatch {
    const { begin, commit } = this.#statements;
    begin.run();
    const head = this.#readHead();
    const first = { logId: this.#options.logId, seq: head.size };
    const { verdicts, taken } = judgeClaims(entries, this.#claims.read(entries), first);
    const rows = entries.filter((_, index) => verdicts[index] === null).map(({ row }) => row);
    const newHead = this.#appendRows(head, rows);
    this.#claims.write(taken);
    this.#options.beforeCommit();
    commit.run();
    this.#options.head.acknowledge(newHead);
    return { firstSeq: head.size, exceptions: exceptionsOf(verdicts) };
  }

  #readHead(): AcknowledgedHead {
    const { logId, epoch, head } = this.#options;
    const found = this.#statements.readHead.get(logId) as unknown as AcknowledgedHead & {
      readonly epoch: number;
    };
    requireEpoch({ logId, held: epoch, found: found.epoch });
    head.require(found);
    return found;
  }

  #appendRows(head: AcknowledgedHead, rows: readonly string[]): AcknowledgedHead {
    const { logId } = this.#options;
    const { insertRow, setHead } = this.#statements;
    let { size, hash: previous } = head;
    for (const row of rows) {
      const bytes = Buffer.from(row, "utf8");
      const hash = rowHash(previous, bytes);
      insertRow.run(logId, size, previous, hash, bytes);
      previous = hash;
      size += 1;
    }
    setHead.run(size, previous, logId);
    return { size, hash: previous };
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
  };
}
