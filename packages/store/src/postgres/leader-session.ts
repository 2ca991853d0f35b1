import type { Client } from "pg";
import type { Leadership } from "../ports/leadership.ts";
import { lockKey } from "./advisory-lock.ts";
import { endClient } from "./end-client.ts";
import type { PrimaryServer } from "./primary-server.ts";
import { withDeadline } from "./with-deadline.ts";

const LOCK_NAME = "leader";

/** Milliseconds between two tries for the lead, and between two proofs of it. */
const STEP_MS = 800;

/**
 * Milliseconds after which the server ends a session that says nothing, and with it the lead of a process
 * that is paused or cut off. Its successor is there one step later.
 */
const SILENT_SESSION_MS = 3_000;

/**
 * Milliseconds for which a proof of the lead counts, from the moment it was sent. The server counts from the
 * moment it answered, so the lead has ended here before another process can have it.
 */
const PROOF_MS = 2_500;

/** Milliseconds in which a step must be answered. */
const STEP_DEADLINE_MS = 1_500;

/** Holds the lead of a database, or waits for it. The lead is a lock of a session that keeps talking. */
export class LeaderSession implements Leadership {
  readonly #server: PrimaryServer;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;
  #client: Client | null = null;
  #provenAtMs = Number.NEGATIVE_INFINITY;
  #step: Promise<void> | null = null;

  constructor(server: PrimaryServer, nowMs: () => number = () => performance.now()) {
    this.#server = server;
    this.#nowMs = nowMs;
    this.#timer = setInterval(() => this.#stepSoon(), STEP_MS);
    this.#stepSoon();
  }

  get isLeader(): boolean {
    return this.#nowMs() - this.#provenAtMs <= PROOF_MS;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#step;
    await this.#lose();
  }

  #stepSoon(): void {
    this.#step ??= this.#take().finally(() => {
      this.#step = null;
    });
  }

  /** Never rejects: without the lead, the work waits. */
  async #take(): Promise<void> {
    const sentAtMs = this.#nowMs();
    try {
      this.#client ??= await this.#connect();
      const holds = await withDeadline(holdsLock(this.#client), STEP_DEADLINE_MS, "asking for the lead");
      if (holds) this.#provenAtMs = sentAtMs;
    } catch {
      await this.#lose();
    }
  }

  async #connect(): Promise<Client> {
    const client = await this.#server.connect();
    client.on("end", () => {
      if (this.#client === client) this.#provenAtMs = Number.NEGATIVE_INFINITY;
    });
    await client.query(`SET idle_session_timeout = ${String(SILENT_SESSION_MS)}`);
    return client;
  }

  async #lose(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.#provenAtMs = Number.NEGATIVE_INFINITY;
    if (client === null) return;
    await endClient(client, STEP_DEADLINE_MS);
  }
}

/** A session that has the lock already counts it once more, so it asks before it takes. */
async function holdsLock(client: Client): Promise<boolean> {
  const key = lockKey(LOCK_NAME);
  const held = await client.query<{ held: boolean }>(
    `SELECT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted AND objsubid = 1
        AND (classid::bigint << 32 | objid::bigint) = $1::bigint
    ) AS held`,
    [key],
  );
  if (held.rows[0]?.held === true) return true;
  const taken = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [key]);
  return taken.rows[0]?.taken === true;
}
