import type { Client } from "pg";
import { type AcknowledgedHead, type HeadGuard, requireHead } from "../head-guard.ts";
import { DATABASE_LOCK, logLock, takeAdvisoryLock } from "./advisory-lock.ts";
import { ANSWER_DEADLINE_MS } from "./connection-config.ts";
import { NoPrimaryError } from "./database-outage.ts";
import { breakClient, endClient } from "./end-client.ts";
import type { PrimaryServer } from "./primary-server.ts";
import { ReconnectPause } from "./reconnect-pause.ts";
import { withDeadline } from "./with-deadline.ts";

/**
 * What one process owns. `log`: no other process appends to the log. `shared`: several processes append to
 * one log, and only the locked head keeps them apart.
 */
export type Ownership = "log" | "shared";

export interface WriterSessionOptions {
  readonly server: PrimaryServer;
  readonly logId: string;
  readonly ownership: Ownership;
  /** Shared with every other connection of the process. */
  readonly head: HeadGuard;
  /** Brings the schema up to date; runs once, under the locks. */
  readonly prepare: () => Promise<void>;
}

/** A live session that owns the log, and the epoch under which it does. */
export interface Claim {
  readonly client: Client;
  readonly epoch: number;
}

/**
 * The one connection that appends. It holds the locks, so a process that has lost it has lost the log and can
 * commit nothing until it has both again. Reconnects at the next claim.
 */
export class WriterSession {
  readonly #options: WriterSessionOptions;
  #client: Client | null = null;
  #claim: Promise<Claim> | null = null;
  readonly #pause = new ReconnectPause();
  /** Under which this process held the log last; null before the first time. */
  #epoch: number | null = null;
  #prepared = false;
  #closed = false;

  constructor(options: WriterSessionOptions) {
    this.#options = options;
  }

  /** @throws when the server cannot be reached or somebody else holds the locks. */
  claim(): Promise<Claim> {
    if (this.#closed) return Promise.reject(new Error("the store is closed"));
    if (this.#claim !== null) return this.#claim;
    const { fault } = this.#pause;
    if (fault !== null) return Promise.reject(fault);
    this.#claim = this.#start();
    return this.#claim;
  }

  /**
   * Gives up a session whose state is in doubt; its open transaction is rolled back. A newer session
   * is not touched.
   */
  async discard({ client }: Claim): Promise<void> {
    this.#lose(client);
    await breakClient(client);
  }

  /** Gives the session up for good. */
  async close(): Promise<void> {
    this.#closed = true;
    const claim = this.#claim;
    if (claim === null) return;
    // An attempt to connect that fails has nothing left to close.
    const client = await claim.then(
      (live) => live.client,
      () => null,
    );
    if (client !== null) await endClient(client);
  }

  async #start(): Promise<Claim> {
    const client = await this.#connect();
    this.#client = client;
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    try {
      return await this.#own(client);
    } catch (error) {
      this.#lose(client);
      await breakClient(client);
      throw error;
    }
  }

  async #connect(): Promise<Client> {
    try {
      const client = await this.#options.server.connect({ pipeline: true });
      this.#pause.reset();
      return client;
    } catch (error) {
      this.#claim = null;
      if (error instanceof NoPrimaryError) this.#pause.begin(error);
      throw error;
    }
  }

  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#claim = null;
  }

  async #own(client: Client): Promise<Claim> {
    await withDeadline(this.#takeLocks(client), ANSWER_DEADLINE_MS, "taking the locks");
    if (!this.#prepared) await this.#options.prepare();
    this.#prepared = true;
    const epoch = await withDeadline(this.#takeOver(client), ANSWER_DEADLINE_MS, "taking the log over");
    return { client, epoch };
  }

  async #takeLocks(client: Client): Promise<void> {
    const { logId, ownership } = this.#options;
    await requireFsync(client);
    await takeAdvisoryLock(client, DATABASE_LOCK, "shared");
    await takeAdvisoryLock(client, logLock(logId), ownership === "shared" ? "shared" : "exclusive");
  }

  /** A server that lacks the last acknowledged row is a stale copy, or was tampered with. */
  async #requireAcknowledgedHead(client: Client): Promise<void> {
    const { logId, head } = this.#options;
    const { acknowledged } = head;
    if (acknowledged === null) return;
    const seq = acknowledged.size - 1;
    const { rows } = await client.query<AcknowledgedHead & { readonly row_hash: Uint8Array | null }>(
      `SELECT size, head_hash AS hash, r.hash AS row_hash
        FROM audit_logs AS l LEFT JOIN audit_rows AS r ON r.log_id = l.log_id AND r.seq = $2
        WHERE l.log_id = $1`,
      [logId, seq],
    );
    const found = rows[0];
    if (found === undefined) throw new Error(`audit log ${logId}: its head is missing`);
    const { row_hash: rowHash } = found;
    if (seq >= 0 && (rowHash === null || Buffer.compare(rowHash, acknowledged.hash) !== 0)) {
      throw new Error(
        `the server lacks the acknowledged row ${logId}.${String(seq)}; ` +
          "it is an older copy, or rows were removed",
      );
    }
    // Against what was acknowledged before the query: another connection may have committed since.
    requireHead({ logId, growth: "allowed", acknowledged }, found);
  }

  async #takeOver(client: Client): Promise<number> {
    const { logId, ownership, head } = this.#options;
    await this.#requireAcknowledgedHead(client);
    const text =
      ownership === "shared"
        ? "SELECT epoch, size, head_hash AS hash FROM audit_logs WHERE log_id = $1"
        : `UPDATE audit_logs SET epoch = epoch + 1 WHERE log_id = $1
            RETURNING epoch, size, head_hash AS hash`;
    const { rows } = await client.query<AcknowledgedHead & { readonly epoch: number }>(text, [logId]);
    const found = rows[0];
    if (found === undefined) throw new Error(`audit log ${logId}: its head is missing`);
    const { acknowledged } = head;
    // Another process, or an ended thread of this one, has owned the log in between, and its rows are here.
    const isOurs = this.#epoch !== null && found.epoch === this.#epoch + 1;
    if (acknowledged !== null && !isOurs) head.expect(found);
    this.#epoch = found.epoch;
    // A later session may find rows of commits that were never acknowledged; they may be lost again.
    if (acknowledged === null) head.acknowledge({ size: found.size, hash: found.hash });
    return found.epoch;
  }
}

/** Without it a crash takes back commits that have returned. */
async function requireFsync(client: Client): Promise<void> {
  const { rows } = await client.query<{ fsync: string }>("SELECT current_setting('fsync') AS fsync");
  if (rows[0]?.fsync !== "on") {
    throw new Error(
      "the server runs with fsync off: a decision could be lost after it was answered; turn it on",
    );
  }
}
