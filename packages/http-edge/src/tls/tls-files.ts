import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type CertificateTexts, secureContextOf } from "./secure-context.ts";
import type { TlsValues } from "./tls-variables.ts";

/** Where certificates are read from. */
export interface TlsPaths {
  /** Begin of the names of the variables that say so, such as `SVC_MCP_TLS`. */
  readonly prefix: string;
  readonly certificate: string;
  readonly key: string;
  /** Authorities of client certificates; null when clients need none. */
  readonly clientAuthorities: string | null;
}

/** Certificates that were found to be usable. */
export interface TlsFiles extends CertificateTexts {
  readonly validTo: Date;
}

const SUFFIX = {
  certificate: "CERT_FILE",
  key: "KEY_FILE",
  clientAuthorities: "CLIENT_CA_FILE",
} as const;

/**
 * Null when none is set. @throws when only some of the needed variables are set, which would protect nothing.
 */
export function tlsPathsOf<const Prefix extends string>(
  values: TlsValues<Prefix>,
  prefix: Prefix,
): TlsPaths | null {
  const valueOf = (part: keyof typeof SUFFIX): string | null => values[`${prefix}_${SUFFIX[part]}`];
  const [certificate, key] = [valueOf("certificate"), valueOf("key")];
  const clientAuthorities = valueOf("clientAuthorities");
  if (certificate === null && key === null && clientAuthorities === null) return null;
  if (certificate !== null && key !== null) return { prefix, certificate, key, clientAuthorities };
  const absent = `${prefix}_${certificate === null ? SUFFIX.certificate : SUFFIX.key}`;
  throw new Error(`${absent}: expected a file, because another ${prefix} variable is set; found none`);
}

/**
 * @param now at which the certificate must be valid
 * @throws naming the variable and the file at fault.
 */
export function readTlsFiles(paths: TlsPaths, now = new Date()): TlsFiles {
  const { prefix, key, clientAuthorities } = paths;
  const cert = readPart(paths, "certificate", (pem) => new X509Certificate(pem));
  refuseOtherTime(paths, cert.read, now);
  const privateKey = readPart(paths, "key", (pem) => createPrivateKey(pem));
  const ca =
    clientAuthorities === null
      ? null
      : readPart(paths, "clientAuthorities", (pem) => new X509Certificate(pem));
  if (!cert.read.checkPrivateKey(privateKey.read)) {
    throw new Error(
      `${prefix}_${SUFFIX.key} ${JSON.stringify(key)}: expected the key of the certificate, ` +
        "found another key",
    );
  }
  const files = { cert: cert.pem, key: privateKey.pem, ca: ca?.pem ?? null, validTo: cert.read.validToDate };
  // Otherwise the library would find the fault only when a client connects.
  process.getBuiltinModule("node:tls").createSecureContext(secureContextOf(files));
  return files;
}

function refuseOtherTime(paths: TlsPaths, { validFromDate, validToDate }: X509Certificate, now: Date): void {
  if (validFromDate <= now && now <= validToDate) return;
  const found =
    now > validToDate ? `until ${validToDate.toISOString()}` : `from ${validFromDate.toISOString()} on`;
  const named = `${paths.prefix}_${SUFFIX.certificate} ${JSON.stringify(paths.certificate)}`;
  const fix = "Renew the certificate, or set the clock of this machine";
  throw new Error(
    `${named}: expected a certificate that is valid now, found one that is so ${found}. ${fix}`,
  );
}

function readPart<T>(
  paths: TlsPaths,
  part: keyof typeof SUFFIX,
  parse: (pem: Buffer) => T,
): { readonly pem: Buffer; readonly read: T } {
  const path = paths[part] ?? "";
  try {
    const pem = readFileSync(path);
    return { pem, read: parse(pem) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${paths.prefix}_${SUFFIX[part]} ${JSON.stringify(path)}: expected a PEM file, found: ${why}`,
      { cause: error },
    );
  }
}
