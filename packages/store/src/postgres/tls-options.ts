import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

/**
 * What an address asks of TLS. The modes mean what PostgreSQL's own clients mean by them. `require` encrypts;
 * with an authority it is `verify-ca`. `verify-full` also compares the name.
 * @param parameters as `databaseHosts` accepts them
 * @returns undefined when the address does not say
 * @throws naming a file that cannot be read or holds no certificate
 */
export function tlsOptions(parameters: URLSearchParams): ConnectionOptions | false | undefined {
  const mode = parameters.get("sslmode");
  if (mode === null) return undefined;
  if (mode === "disable") return false;
  const authorities = fileOf(parameters, "sslrootcert", requireCertificates);
  return {
    ...(authorities === null ? {} : { ca: authorities }),
    ...optional("cert", fileOf(parameters, "sslcert", requireCertificates)),
    ...optional(
      "key",
      fileOf(parameters, "sslkey", () => undefined),
    ),
    // Always said: the default of Node.js depends on its environment.
    rejectUnauthorized: mode !== "require" || authorities !== null,
    ...(mode === "verify-full" ? {} : { checkServerIdentity: () => undefined }),
  };
}

function optional<Name extends string>(name: Name, text: string | null): { readonly [Key in Name]?: string } {
  return text === null ? {} : ({ [name]: text } as { readonly [Key in Name]: string });
}

function fileOf(
  parameters: URLSearchParams,
  name: string,
  requireContent: (text: string) => void,
): string | null {
  const path = parameters.get(name);
  if (path === null) return null;
  try {
    const text = readFileSync(path, "utf8");
    requireContent(text);
    return text;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}: expected a readable PEM file, found ${JSON.stringify(path)}: ${why}`, {
      cause: error,
    });
  }
}

/** Node.js takes a file without a certificate as an empty list, and then trusts nobody without a reason. */
function requireCertificates(text: string): void {
  new X509Certificate(text);
}
