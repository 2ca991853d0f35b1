/** Calls of the operating system that come before there is a connection. */
const BEFORE_CONNECTION: ReadonlySet<string> = new Set(["connect", "getaddrinfo"]);

/**
 * Codes of faults that come before the first byte of a request is sent: no address, no connection, or no TLS
 * with a certificate that counts.
 */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_UNSUPPORTED_PROTOCOL",
  "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
]);

/** Messages of such faults that have no code of their own. */
const MESSAGES: readonly RegExp[] = [
  /^bad port$/,
  /^Client network socket disconnected before secure TLS connection was established$/,
  /^Proxy response \(\d+\) !== 200 when HTTP Tunneling$/,
  // What speaks another protocol is not the server.
  /\(Expected HTTP\/[^()]*\)$/,
];

/** Whether a fault of fetch proves that no server got the request. A fault that nobody knows does not. */
export function isNotConnected(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  const { code, syscall, errors } = fault as Error & Readonly<Record<string, unknown>>;
  // One for each address of a name.
  if (Array.isArray(errors)) return errors.every(isNotConnected);
  if (BEFORE_CONNECTION.has(String(syscall)) || NOT_CONNECTED.has(String(code))) return true;
  if (MESSAGES.some((message) => message.test(fault.message))) return true;
  return isNotConnected(fault.cause);
}
