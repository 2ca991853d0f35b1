import { transportCode, UNKNOWN_TRANSPORT_ERROR } from "@svc/decision-client/transport-code";

/** Largest number of causes that are followed: a cause may name itself. */
const MAX_CAUSES = 5;

/** What platforms say of a fault without a code of Node's. The first one that fits is told. */
const KNOWN_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/bad port/i, "BAD_PORT"],
  [/connection ?refused|actively refused/i, "ECONNREFUSED"],
  [/connection ?reset|socket connection was closed|network connection lost/i, "ECONNRESET"],
  [/dns|lookup|resolve|getaddrinfo/i, "ENOTFOUND"],
  [/certificate|tls|ssl/i, "TLS"],
  [/timed? ?out/i, "ETIMEDOUT"],
];

/**
 * Why no answer came: the stable code of the platform, or one of ours where it has none. Never its text,
 * which may carry secrets.
 */
export function transportFault(error: unknown): string {
  const code = transportCode(error);
  if (code !== UNKNOWN_TRANSPORT_ERROR) return code;
  const texts: string[] = [];
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    const named: unknown = "code" in current ? current.code : "";
    texts.push(current.message, typeof named === "string" ? named : "");
    current = current.cause;
  }
  const known = KNOWN_TEXTS.find(([text]) => texts.some((each) => text.test(each)));
  return known?.[1] ?? "FETCH_FAILED";
}
