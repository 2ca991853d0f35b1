import { createHash } from "node:crypto";
import { type Client, DatabaseError } from "pg";

/** PostgreSQL's code for a lock that was not free within lock_timeout. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Locks of a session. PostgreSQL releases them when the session ends for any reason. */
export interface AdvisoryLock {
  readonly name: string;
  /** The error text for a second process. */
  readonly refusal: string;
}

/** Programs before clustering hold it alone; every later one shares it, and so starts beside none of them. */
export const DATABASE_LOCK: AdvisoryLock = {
  name: "database",
  refusal:
    "an svc-server of an earlier version owns the whole database; stop that one before you start this one",
};

export function logLock(logId: string): AdvisoryLock {
  return {
    name: `log ${logId}`,
    refusal:
      `audit log ${logId} is in use by another process: end that process, or give this one a SVC_DATA_DIR ` +
      "or a SVC_GATEWAY_ID of its own",
  };
}

const TAKE = {
  exclusive: "SELECT pg_advisory_lock($1)",
  shared: "SELECT pg_advisory_lock_shared($1)",
} as const;

/** Waits up to lock_timeout, so that a successor need not race the end of its predecessor's session. */
export async function takeAdvisoryLock(
  client: Client,
  { name, refusal }: AdvisoryLock,
  mode: keyof typeof TAKE,
): Promise<void> {
  try {
    await client.query(TAKE[mode], [lockKey(name)]);
  } catch (error) {
    const taken = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
    throw taken ? new Error(refusal, { cause: error }) : error;
  }
}

/** Advisory locks are numbers that all programs of a database share: a digest keeps ours apart. */
export function lockKey(name: string): string {
  return createHash("sha256").update(`svc advisory lock\n${name}\n`).digest().readBigInt64BE().toString();
}
