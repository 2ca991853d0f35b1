import { rowHash } from "@svc/audit-log/row-hash";
import type { Client } from "pg";
import { type CommittedBatch, exceptionsOf, outcomesOf } from "../committed-batch.ts";
import { requireEpoch } from "../epoch.ts";
import type { HeadGuard } from "../head-guard.ts";
import type { Reservation } from "../ports/claims.ts";
import type { LedgerEntry, LedgerOutcome } from "../ports/ledger.ts";
import type { SessionKey, SessionUsage } from "../ports/session-usage.ts";
import { judgeReservations, sessionKeyText } from "../claims/reservation.ts";
import { ANSWER_DEADLINE_MS } from "./connection-config.ts";
import { LOCK_HEAD, LOCK_USAGES, WRITE_BATCH } from "./ledger-statements.ts";
import { withDeadline } from "./with-deadline.ts";
import type { Claim, WriterSession } from "./writer-session.ts";

interface Head {
  readonly size: number;
  readonly head_hash: Uint8Array;
  readonly epoch: number;
}

interface UsageRow {
  readonly org: string;
  readonly agent_id: string;
  readonly session_id: string;
  readonly steps: number;
  readonly cost_micro_usd: number;
}

/** The hot path: one transaction per batch on the writer's own connection. Batches run one after another. */
export class PostgresLedger {
  readonly #session: WriterSession;
  readonly #logId: string;
  readonly #head: HeadGuard;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(session: WriterSession, logId: string, head: HeadGuard) {
    this.#session = session;
    this.#logId = logId;
    this.#head = head;
  }

  commit(entries: readonly LedgerEntry[]): Promise<readonly LedgerOutcome[]> {
    const outcome = this.#tail.then(async () => this.#commit(entries));
    // The next batch waits for this one but has no part in its failure, which its own caller is told.
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
      // Rolls back what is open, and settles what is unknown: the next session reads the head anew.
      await this.#session.discard(claim);
      throw error;
    }
  }

  async #write({ client, epoch }: Claim, entries: readonly LedgerEntry[]): Promise<CommittedBatch> {
    await client.query("BEGIN");
    const { rows } = await client.query<Head>({ ...LOCK_HEAD, values: [this.#logId] });
    const head = rows[0];
    if (head === undefined) throw new Error(`audit log ${this.#logId}: its head is missing`);
    requireEpoch({ logId: this.#logId, held: epoch, found: head.epoch });
    this.#head.require({ size: head.size, hash: head.head_hash });
    const keys = sessionKeys(entries.map(({ claims }) => claims.reservation));
    const { verdicts, charged } = judgeReservations(
      entries.map(({ claims }) => claims.reservation),
      await lockUsages(client, [...keys.values()]),
    );
    const texts = entries.filter((_, index) => verdicts[index] === null).map(({ row }) => row);
    const chain = texts.length === 0 ? null : linkRows(head.head_hash, texts);
    if (chain !== null) {
      const values = [this.#logId, head.size, ...chainValues(chain), ...usageValues(keys, charged)];
      await client.query({ ...WRITE_BATCH, values });
    }
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

function usageValues(
  keys: ReadonlyMap<string, SessionKey>,
  charged: ReadonlyMap<string, SessionUsage>,
): unknown[] {
  const texts = [...charged.keys()];
  const usages = [...charged.values()];
  const parts = texts.map((text) => {
    const key = keys.get(text);
    if (key === undefined) throw new Error(`session ${text}: charged without a reservation`);
    return key;
  });
  return [
    parts.map(({ org }) => org),
    parts.map(({ agentId }) => agentId),
    parts.map(({ sessionId }) => sessionId),
    usages.map(({ steps }) => steps),
    usages.map(({ costMicroUsd }) => costMicroUsd),
  ];
}

function sessionKeys(reservations: readonly (Reservation | null)[]): ReadonlyMap<string, SessionKey> {
  const keys = new Map<string, SessionKey>();
  for (const reservation of reservations) {
    if (reservation !== null) keys.set(sessionKeyText(reservation.key), reservation.key);
  }
  return keys;
}

async function lockUsages(
  client: Client,
  keys: readonly SessionKey[],
): Promise<ReadonlyMap<string, SessionUsage>> {
  if (keys.length === 0) return new Map();
  const values = [
    keys.map(({ org }) => org),
    keys.map(({ agentId }) => agentId),
    keys.map(({ sessionId }) => sessionId),
  ];
  const { rows } = await client.query<UsageRow>({ ...LOCK_USAGES, values });
  return new Map(
    rows.map((row) => [
      sessionKeyText({ org: row.org, agentId: row.agent_id, sessionId: row.session_id }),
      { steps: row.steps, costMicroUsd: row.cost_micro_usd },
    ]),
  );
}
