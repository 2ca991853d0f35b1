import { rowHash } from "@svc/audit-log/row-hash";
import type { Client } from "pg";
import { claimsOf } from "../claims/claims-of.ts";
import { judgeClaims, type TakenClaims } from "../claims/judge-claims.ts";
import { sessionKeyText } from "../claims/reservation.ts";
import { type CommittedBatch, exceptionsOf, outcomesOf } from "../committed-batch.ts";
import { requireEpoch } from "../epoch.ts";
import type { AcknowledgedHead, HeadGuard } from "../head-guard.ts";
import type { LedgerEntry, LedgerOutcome } from "../ports/ledger.ts";
import { lockClaims, writeClaims } from "./claims/claim-locks.ts";
import { lockUsages } from "./claims/usages.ts";
import { ANSWER_DEADLINE_MS } from "./connection-config.ts";
import { LOCK_HEAD, WRITE_BATCH } from "./ledger-statements.ts";
import { withDeadline } from "./with-deadline.ts";
import type { Claim, WriterSession } from "./writer-session.ts";

interface Head {
  readonly size: number;
  readonly head_hash: Uint8Array;
  readonly epoch: number;
}

export interface PostgresLedgerParts {
  readonly session: WriterSession;
  readonly logId: string;
  readonly head: HeadGuard;
  /** Called with the fault of each batch, before its callers get it. */
  readonly onFault: (error: unknown) => void;
}

/** The hot path: one transaction per batch on the writer's own connection. Batches run one after another. */
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

  commit(entries: readonly LedgerEntry[]): Promise<readonly LedgerOutcome[]> {
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

  async #commit(entries: readonly LedgerEntry[]): Promise<readonly LedgerOutcome[]> {
    const claim = await this.#session.claim();
    try {
      const batch = await withDeadline(this.#write(claim, entries), ANSWER_DEADLINE_MS, "commit");
      return outcomesOf(this.#logId, entries, batch);
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

  async #write({ client, epoch }: Claim, entries: readonly LedgerEntry[]): Promise<CommittedBatch> {
    await client.query("BEGIN");
    const locked = await lockClaims(client, entries);
    const { rows } = await client.query<Head>({ ...LOCK_HEAD, values: [this.#logId] });
    const head = rows[0];
    if (head === undefined) throw new Error(`audit log ${this.#logId}: its head is missing`);
    requireEpoch({ logId: this.#logId, held: epoch, found: head.epoch });
    const acknowledged = this.#head.require({ size: head.size, hash: head.head_hash });
    if (acknowledged !== null)
      this.#head.requireRow(acknowledged, await this.#lastHash(client, acknowledged));
    const reservations = claimsOf(entries, "reservation", ({ key }) => sessionKeyText(key));
    const state = { ...locked, usages: await lockUsages(client, reservations) };
    const { verdicts, taken } = judgeClaims(entries, state, { logId: this.#logId, seq: head.size });
    const texts = entries.filter((_, index) => verdicts[index] === null).map(({ row }) => row);
    const chain = texts.length === 0 ? null : linkRows(head.head_hash, texts);
    if (chain !== null) {
      this.#head.expect({ size: head.size + texts.length, hash: chain.lastHash });
      const values = [this.#logId, head.size, ...chainValues(chain), ...usageValues(taken)];
      await client.query({ ...WRITE_BATCH, values });
    }
    await writeClaims(client, entries, taken);
    const { command } = await client.query("COMMIT");
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK.
    if (command !== "COMMIT") throw new Error(`commit: PostgreSQL answered ${command}`);
    if (chain !== null) {
      this.#head.acknowledge({ size: head.size + texts.length, hash: chain.lastHash });
    }
    return { firstSeq: head.size, exceptions: exceptionsOf(verdicts) };
  }
}

interface Chain {
  readonly hashes: Buffer;
  readonly lastHash: Uint8Array;
  readonly rows: readonly Buffer[];
}

function linkRows(headHash: Uint8Array, texts: readonly string[]): Chain {
  const rows = texts.map((text) => Buffer.from(text, "utf8"));
  const hashes = [headHash];
  let lastHash = headHash;
  for (const bytes of rows) {
    lastHash = rowHash(lastHash, bytes);
    hashes.push(lastHash);
  }
  return { hashes: Buffer.concat(hashes), lastHash, rows };
}

function chainValues({ hashes, rows }: Chain): unknown[] {
  let end = 0;
  const starts = rows.map((bytes) => {
    end += bytes.length;
    return end - bytes.length;
  });
  return [hashes, Buffer.concat(rows), starts, rows.map((bytes) => bytes.length)];
}

function usageValues({ reservations }: TakenClaims): unknown[] {
  const charged = [...reservations.charged.values()];
  return [
    charged.map(({ key }) => key.org),
    charged.map(({ key }) => key.agentId),
    charged.map(({ key }) => key.sessionId),
    charged.map(({ usage }) => usage.steps),
    charged.map(({ usage }) => usage.costMicroUsd),
  ];
}
