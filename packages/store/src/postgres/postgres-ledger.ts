import type { Client } from "pg";
import { claimsNothing } from "../claims/claims-nothing.ts";
import { judgeClaims, type TakenClaims } from "../claims/judge-claims.ts";
import { type CommittedBatch, exceptionsOf } from "../committed-batch.ts";
import { requireEpoch } from "../epoch.ts";
import type { AcknowledgedHead, HeadGuard } from "../head-guard.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import { writeClaims } from "./claims/claim-locks.ts";
import { ANSWER_DEADLINE_MS } from "./connection-config.ts";
import { APPEND_BATCH, WRITE_BATCH } from "./ledger-statements.ts";
import { type LinkedRows, linkRows } from "./link-rows.ts";
import { lockBatch, needsMoreThanUsages } from "./lock-batch.ts";
import { withDeadline } from "./with-deadline.ts";
import type { Claim, WriterSession } from "./writer-session.ts";

export interface PostgresLedgerParts {
  readonly session: WriterSession;
  readonly logId: string;
  readonly head: HeadGuard;
  /** Called with the fault of each batch, before its callers get it. */
  readonly onFault: (error: unknown) => void;
}

/**
 * The hot path: one transaction per batch on the writer's own connection. Batches run one after another. Rows
 * that claim nothing take one round trip, rows with ceilings two.
 */
export class PostgresLedger {
  readonly #session: WriterSession;
  readonly #logId: string;
  readonly #head: HeadGuard;
  readonly #onFault: (error: unknown) => void;
  #tail: Promise<unknown> = Promise.resolve();

  constructor({ session, logId, head, onFault }: PostgresLedgerParts) {
    this.#session = session;
    this.#logId = logId;
    this.#head = head;
    this.#onFault = onFault;
  }

  commit(entries: readonly LedgerEntry[]): Promise<CommittedBatch> {
    const outcome = this.#tail.then(async () => this.#commit(entries));
    // The next batch waits for this one, but does not fail with it. The failure goes to this
    // batch's own caller.
    this.#tail = outcome.catch(() => undefined);
    return outcome;
  }

  /** Resolves when every batch handed over has been answered. */
  async drain(): Promise<void> {
    await this.#tail;
  }

  async #commit(entries: readonly LedgerEntry[]): Promise<CommittedBatch> {
    const claim = await this.#session.claim();
    try {
      return await withDeadline(this.#write(claim, entries), ANSWER_DEADLINE_MS, "commit");
    } catch (error) {
      this.#onFault(error);
      // Rolls back what is open, and settles what is unknown: the next session reads the head anew.
      await this.#session.discard(claim);
      throw error;
    }
  }

  /** Only where another connection has appended since this one did. */
  async #lastHash(client: Client, { size }: AcknowledgedHead): Promise<Uint8Array | null> {
    const { rows } = await client.query<{ readonly hash: Uint8Array }>(
      "SELECT hash FROM audit_rows WHERE log_id = $1 AND seq = $2",
      [this.#logId, size - 1],
    );
    return rows[0]?.hash ?? null;
  }

  async #write(claim: Claim, entries: readonly LedgerEntry[]): Promise<CommittedBatch> {
    return (await this.#appendAtOnce(claim, entries)) ?? this.#appendLocked(claim, entries);
  }

  /** @returns null when nothing was written, because a claim must be judged or the head is elsewhere. */
  async #appendAtOnce(
    { client, epoch }: Claim,
    entries: readonly LedgerEntry[],
  ): Promise<CommittedBatch | null> {
    const head = this.#head.certain;
    if (head === null || !entries.every(({ claims }) => claimsNothing(claims))) return null;
    const rows = linkRows(
      head.hash,
      entries.map(({ row }) => row),
    );
    const next = { size: head.size + entries.length, hash: rows.lastHash };
    this.#head.expect(next);
    const values = [...batchValues(this.#logId, head.size, rows), epoch];
    // The statement is a transaction of its own, and is answered after its commit.
    const { rowCount } = await client.query({ ...APPEND_BATCH, values });
    if (rowCount === 0) return null;
    requireInserted(rowCount, entries.length);
    this.#head.acknowledge(next);
    return { firstSeq: head.size, exceptions: [] };
  }

  async #appendLocked({ client, epoch }: Claim, entries: readonly LedgerEntry[]): Promise<CommittedBatch> {
    const { head, state } = await lockBatch(client, this.#logId, entries);
    requireEpoch({ logId: this.#logId, held: epoch, found: head.epoch });
    const acknowledged = this.#head.require({ size: head.size, hash: head.head_hash });
    if (acknowledged !== null)
      this.#head.requireRow(acknowledged, await this.#lastHash(client, acknowledged));
    const { verdicts, taken } = judgeClaims(entries, state, { logId: this.#logId, seq: head.size });
    const texts = entries.filter((_, index) => verdicts[index] === null).map(({ row }) => row);
    const rows = texts.length === 0 ? null : linkRows(head.head_hash, texts);
    const next = rows === null ? null : { size: head.size + texts.length, hash: rows.lastHash };
    if (next !== null) this.#head.expect(next);
    const written =
      rows === null
        ? null
        : client.query({
            ...WRITE_BATCH,
            values: [...batchValues(this.#logId, head.size, rows), ...usageValues(taken)],
          });
    if (needsMoreThanUsages(entries)) {
      await written;
      await writeClaims(client, entries, taken);
    }
    const [inserted, { command }] = await Promise.all([written, client.query("COMMIT")]);
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK.
    if (command !== "COMMIT") throw new Error(`commit: PostgreSQL answered ${command}`);
    if (inserted !== null) requireInserted(inserted.rowCount, texts.length);
    if (next !== null) this.#head.acknowledge(next);
    return { firstSeq: head.size, exceptions: exceptionsOf(verdicts) };
  }
}

/** @throws when something in the database has kept rows out without an error: none of them counts. */
function requireInserted(found: number | null, expected: number): void {
  if (found === expected) return;
  throw new Error(`append: expected ${String(expected)} new rows, PostgreSQL inserted ${String(found)}`);
}

function batchValues(logId: string, firstSeq: number, rows: LinkedRows): unknown[] {
  return [logId, firstSeq, rows.hashes, rows.bytes, rows.starts, rows.lengths];
}

function usageValues({ counters }: TakenClaims): unknown[] {
  const charged = [...counters.charged.values()];
  return [
    charged.map(({ key }) => key.org),
    charged.map(({ key }) => key.agentId),
    charged.map(({ key }) => key.sessionId),
    charged.map(({ usage }) => usage.steps),
    charged.map(({ usage }) => usage.costMicroUsd),
  ];
}
