import { type ClientConfig, types } from "pg";
import { tlsOptions } from "./tls-options.ts";

/** Milliseconds in which a connection must stand. */
const CONNECT_TIMEOUT_MS = 1_000;

/** Milliseconds that one statement may run at the server: below what a caller waits for a row. */
const STATEMENT_TIMEOUT_MS = 1_500;

/** Milliseconds to wait for a row or a log that another session has locked. */
const LOCK_TIMEOUT_MS = 1_000;

/**
 * Milliseconds after which the server ends a transaction that waits for its client: a stopped
 * process holds locks.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;

/** Milliseconds in which this side expects an answer, whatever the server's own timers do. */
export const ANSWER_DEADLINE_MS = 1_800;

/** A vanished peer is noticed within about ten seconds, so that its locks are free for its successor. */
const KEEPALIVES = "-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3";

/**
 * No statement is compiled to machine code: most run for microseconds. Before its first ANALYZE, a table with
 * a few rows looks large enough to be worth it. Compiling for it takes 10 to 20 ms each time.
 */
const NO_COMPILATION = "-c jit=off";

/** Locks are taken row by row, and what is read under them must be the newest. */
const ISOLATION = "-c default_transaction_isolation=read\\ committed";

const INT8_OID = 20;

/** Taken out of the address, because what the address says would replace what is set beside it. */
const SET_BESIDE: readonly string[] = ["options", "sslmode", "sslrootcert", "sslcert", "sslkey"];

/** @param url of one host, as `databaseHosts` gives it. @throws when a file that it names cannot be used */
export function connectionConfig(url: string): ClientConfig {
  const address = new URL(url);
  const { searchParams: parameters } = address;
  const ssl = tlsOptions(parameters);
  const ownOptions = parameters.get("options") ?? "";
  for (const name of SET_BESIDE) parameters.delete(name);
  return {
    connectionString: address.href,
    ...(ssl === undefined ? {} : { ssl }),
    application_name: "svc",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    // The last one of two settings counts.
    options: `${ownOptions} ${KEEPALIVES} ${ISOLATION} ${NO_COMPILATION}`.trim(),
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary"): unknown =>
        oid === INT8_OID ? parseInteger : types.getTypeParser(oid, format ?? "text"),
    },
  };
}

/** BIGINT as a number. @throws rather than round: a rounded sum or sequence number would be wrong. */
function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`integer ${text}: beyond what this program counts to`);
  return value;
}
