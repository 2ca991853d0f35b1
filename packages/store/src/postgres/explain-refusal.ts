import { DatabaseError } from "pg";
import { hostName } from "./database-hosts.ts";

/** What each code of a certificate check means, and what mends it. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is not for this name. Use a name that the certificate holds, or issue one for this name",
  CERT_HAS_EXPIRED: "its certificate, or one that signed it, has expired. Install a new one at the server",
  CERT_NOT_YET_VALID: "its certificate is not valid yet. Compare the clocks of both machines",
};

/** No authority that is trusted signed the certificate. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
]);

/** The client library's words for a server that answers the request for TLS with no. */
const NO_TLS = "The server does not support SSL connections";

/** The client library's words for a server that asks for a password that the address does not hold. */
const NO_PASSWORD = /client password must be a (?:non-empty )?string/;

/**
 * The same error, or one around it that names the host and the fix: for a connection that failed because one
 * side does not accept the other one's encryption or certificate.
 */
export function explainRefusal(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error;
  const what = explanation(error, new URL(url).searchParams);
  return what === null ? error : new Error(`${hostName(url)}: ${what}`, { cause: error });
}

function explanation(error: Error, parameters: URLSearchParams): string | null {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const mode = parameters.get("sslmode") ?? "disable";
  if (error instanceof DatabaseError) return databaseExplanation(error);
  if (error.message === NO_TLS)
    return (
      `it offers no TLS, and sslmode=${mode} demands it. Set ssl = on at the server. ` +
      "sslmode=disable is for a network that nobody else can read"
    );
  if (NO_PASSWORD.test(error.message))
    return "it asks for a password, and the address holds none. Write it as postgres://user:password@host";
  if (UNTRUSTED.has(code))
    return `its certificate is not trusted (${withoutHint(error.message)}). ${trustFix(parameters)}`;
  const fault = CERTIFICATE_FAULTS[code];
  if (fault !== undefined) return `${fault} (${error.message})`;
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") return `TLS failed: ${error.message}`;
  return null;
}

/** Node.js adds an option of its own behind the fault. It is not the way that this program takes. */
function withoutHint(message: string): string {
  return message.split(";")[0] ?? message;
}

function databaseExplanation({ code, message }: DatabaseError): string | null {
  if (code === "28000" && message.includes("no encryption"))
    return `${message}. If it demands TLS, add sslmode=verify-full and sslrootcert to the address`;
  if (code === "28P01" || (code === "28000" && message.startsWith("role ")))
    return `${message}. Correct the user or the password in the address`;
  if (code === "3D000") return `${message}. Create it, or correct the name in the address`;
  if (message.startsWith("unsupported startup parameter"))
    return `${message}. That is what a pooler such as PgBouncer answers. Name the host of PostgreSQL itself`;
  return null;
}

function trustFix(parameters: URLSearchParams): string {
  return parameters.has("sslrootcert")
    ? "Write the certificate of the authority that signed it into the file of sslrootcert"
    : "Set sslrootcert to the PEM file of the authority that signed it";
}
