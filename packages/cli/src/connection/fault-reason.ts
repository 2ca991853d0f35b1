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
