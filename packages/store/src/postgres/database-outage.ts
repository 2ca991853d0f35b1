/** No server of the address takes writes now. That may end by itself, so a caller may wait. */
export class NoPrimaryError extends Error {
  override readonly name = "NoPrimaryError";
}

/** Codes of the network, of name resolution and of a closed connection. */
const NETWORK_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
]);

/**
 * PostgreSQL's classes and codes for: a connection that failed, a server that starts or stops, no slots. A
 * violation of the protocol, 08P01, is none: only another address mends it.
 */
const SERVER_CODES = /^(?:080..|57P0[123]|53300)$/;

/** Messages of the client library and of our deadlines when the database does not answer. */
const NO_ANSWER = /^timeout expired|^Connection terminated|no answer from PostgreSQL within/;

/**
 * Whether an error, or what caused it, says that the database cannot be reached at present. False for a
 * wrong password, a certificate that is not trusted and everything else that only an operator can mend.
 */
export function isDatabaseOutage(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (isOutage(at)) return true;
  return false;
}

function isOutage(error: Error): boolean {
  if (error instanceof NoPrimaryError) return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // An answer of PostgreSQL. Its class is not named: a server without PostgreSQL does not load the client.
  if ("severity" in error) return SERVER_CODES.test(code);
  // A missing socket is a server that has not started; a missing file is not.
  const isSocket = "syscall" in error && error.syscall === "connect";
  return NETWORK_CODES.has(code) || (isSocket && code === "ENOENT") || NO_ANSWER.test(error.message);
}
