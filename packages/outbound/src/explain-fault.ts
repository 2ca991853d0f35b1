/** What Node.js adds to a certificate that it does not trust: an option of its own, not of this program. */
const NODE_HINT = /; if the root CA is installed locally.*$/;

/** The receiver began with other bytes than TLS. */
const NO_TLS: ReadonlySet<string> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
]);

/** Why a request failed, in words for those who named the host. Which address it has is not for them. */
export function explainFault(error: unknown, host: string): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  if (NO_TLS.has(code)) return `${host}: this port does not speak TLS`;
  if (code === "UND_ERR_CONNECT_TIMEOUT") return `no connection to ${host}: its port did not answer in time`;
  if (("syscall" in error && error.syscall === "connect") || error instanceof AggregateError)
    return `no connection to ${host} (${code})`;
  return error.message.replace(NODE_HINT, "; SVC_OUTBOUND_CA_FILE names authorities of your own");
}
