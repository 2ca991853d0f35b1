/** What a person can do about a fault, by its code or by the name of its type. */
const WORDS: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS there: try the address with http://",
  HTTPParserError: "what answers there does not speak HTTP",
  TimeoutError: "no answer came in time",
  UND_ERR_SOCKET:
    "the connection closed before a complete answer; the address of a TLS port begins with https://",
};

/** The same for faults that are told apart by their message alone. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^bad port$/, "programs may not send HTTP to this port, which belongs to another protocol"],
  [/^Proxy response \((\d+)\).*$/, "the proxy of this machine answered $1 in place of a connection"],
];

/** Faults of a certificate. */
const OF_CERTIFICATE = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS_CERT)/;

const AUTHORITIES = "NODE_EXTRA_CA_CERTS can name a file with further authorities";

/** What fetch says of a fault, for people: by its innermost cause. */
export function faultReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return faultReason(error.cause);
  const code = "code" in error ? String(error.code) : "";
  const words = WORDS[code] ?? WORDS[error.name];
  if (words !== undefined) return words;
  const [line = ""] = (error.message || code || error.name).trim().split("\n");
  if (OF_CERTIFICATE.test(code))
    return `its certificate is not accepted: ${line.split(";")[0] ?? ""} (${code}). ${AUTHORITIES}`;
  const [pattern, told = ""] = MESSAGES.find(([known]) => known.test(line)) ?? [];
  return pattern === undefined ? line : line.replace(pattern, told);
}

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
const NOT_CONNECTED_MESSAGES: readonly RegExp[] = [
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
  if (NOT_CONNECTED_MESSAGES.some((message) => message.test(fault.message))) return true;
  return isNotConnected(fault.cause);
}
