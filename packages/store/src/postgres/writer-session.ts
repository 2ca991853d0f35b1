import { Client } from "pg";
import { DATABASE_LOCK, logLock, takeAdvisoryLock } from "./advisory-lock.ts";
import { ANSWER_DEADLINE_MS, connectionConfig } from "./connection-config.ts";
import { withDeadline } from "./with-deadline.ts";

/**
 * What one process owns. `database`: nobody else may serve from it. `log`: others may, each with a log of its
 * own. `shared`: several processes append to one log; only the locked head keeps them apart.
 */
export type Ownership = "database" | "log" | "shared";

export interface WriterSessionOptions {
  readonly url: string;
  readonly logId: string;
  readonly ownership: Ownership;
  /** Brings the schema up to date; runs once, under the locks. */
  readonly prepare: () => Promise<void>;
}

/** A live session that owns the log, and the epoch under which it does. */
export interface Claim {
  readonly client: Client;
  readonly epoch: number;
}

/**
 * The one connection that appends. It holds the locks, so whoever has lost it has lost the log and can commit
 * nothing until both are back. Reconnects at the next claim.
 */
export class WriterSession {
  readonly #options: WriterSessionOptions;
  #client: Client | null = null;
  #claim: Promise<Claim> | null = null;
  #prepared = false;
  #closed = false;
  #acknowledged: { readonly seq: number; readonly hash: Uint8Array } | null = null;

  constructor(options: WriterSessionOptions) {
    this.#options = options;
  }

  /** @throws when the server cannot be reached or somebody else holds the locks. */
  claim(): Promise<Claim> {
    if (this.#closed) return Promise.reject(new Error("the store is closed"));
    this.#claim ??= this.#start();
    return this.#claim;
  }

  /** Remembers the last row that was told to somebody: a server that lacks it is a stale copy. */
  acknowledge(seq: number, hash: Uint8Array): void {
    this.#acknowledged = { seq, hash };
  }

  /** Gives a session up that is in doubt; what it had open is rolled back. A newer one is left alone. */
  async discard({ client }: Claim): Promise<void> {
    this.#lose(client);
    await endClient(client);
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

  #start(): Promise<Claim> {
    const client = new Client(connectionConfig(this.#options.url));
    this.#client = client;
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    return this.#connect(client).catch(async (error: unknown) => {
      this.#lose(client);
      await endClient(client);
      throw error;
    });
  }

  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#claim = null;
  }

  async #connect(client: Client): Promise<Claim> {
    await client.connect();
    await withDeadline(this.#takeLocks(client), ANSWER_DEADLINE_MS, "taking the locks");
    if (!this.#prepared) await this.#options.prepare();
    this.#prepared = true;
    const epoch = await withDeadline(this.#takeOver(client), ANSWER_DEADLINE_MS, "taking the log over");
    return { client, epoch };
  }

  async #takeLocks(client: Client): Promise<void> {
    const { logId, ownership } = this.#options;
    await requireDurability(client);
    await takeAdvisoryLock(client, DATABASE_LOCK, ownership === "database" ? "exclusive" : "shared");
    await takeAdvisoryLock(client, logLock(logId), ownership === "shared" ? "shared" : "exclusive");
  }

  async #requireAcknowledgedRow(client: Client): Promise<void> {
    if (this.#acknowledged === null) return;
    const { seq, hash } = this.#acknowledged;
    const { rows } = await client.query<{ hash: Uint8Array }>(
      "SELECT hash FROM audit_rows WHERE log_id = $1 AND seq = $2",
      [this.#options.logId, seq],
    );
    const found = rows[0]?.hash;
    if (found === undefined || Buffer.compare(found, hash) !== 0) {
      throw new Error(
        `the server lacks the acknowledged row ${this.#options.logId}.${String(seq)}; it is an older copy`,
      );
    }
  }

  async #takeOver(client: Client): Promise<number> {
    const { logId, ownership } = this.#options;
    await this.#requireAcknowledgedRow(client);
    const text =
      ownership === "shared"
        ? "SELECT epoch FROM audit_logs WHERE log_id = $1"
        : "UPDATE audit_logs SET epoch = epoch + 1 WHERE log_id = $1 RETURNING epoch";
    const { rows } = await client.query<{ epoch: number }>(text, [logId]);
    const epoch = rows[0]?.epoch;
    if (epoch === undefined) throw new Error(`audit log ${logId}: its head is missing`);
    return epoch;
  }
}

/** A commit must be on disk when it returns, whatever the server's or the role's defaults are. */
async function requireDurability(client: Client): Promise<void> {
  const { rows } = await client.query<{ fsync: string }>("SELECT current_setting('fsync') AS fsync");
  if (rows[0]?.fsync !== "on") {
    throw new Error(
      "the server runs with fsync off: a decision could be lost after it was answered; turn it on",
    );
  }
  await client.query(
    `SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') IN ('off', 'local')`,
  );
}

/** Ends the connection; one that does not answer is left to the server's own timers. */
async function endClient(client: Client): Promise<void> {
  try {
    await withDeadline(client.end(), ANSWER_DEADLINE_MS, "closing the connection");
  } catch {
    // Nothing more can be done from here, and nothing depends on it: the next claim waits for the locks.
  }
}
