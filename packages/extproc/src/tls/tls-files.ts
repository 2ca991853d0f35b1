import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

/** Where certificates are read from. */
export interface TlsPaths {
  readonly certificate: string;
  readonly key: string;
  /** Authorities of client certificates; null when clients need none. */
  readonly clientAuthorities: string | null;
}

/** Certificates that were found to be usable, all in PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer | null;
  readonly validTo: Date;
}

/** The variables that name the files, as values. */
export interface TlsVariables {
  readonly SVC_EXTPROC_TLS_CERT_FILE: string | null;
  readonly SVC_EXTPROC_TLS_KEY_FILE: string | null;
  readonly SVC_EXTPROC_TLS_CLIENT_CA_FILE: string | null;
}

const VARIABLE = {
  certificate: "SVC_EXTPROC_TLS_CERT_FILE",
  key: "SVC_EXTPROC_TLS_KEY_FILE",
  clientAuthorities: "SVC_EXTPROC_TLS_CLIENT_CA_FILE",
} as const;

/**
 * Null when none is set. @throws when only some of the needed variables are set, which would protect nothing.
 */
export function tlsPathsOf(values: TlsVariables): TlsPaths | null {
  const certificate = values[VARIABLE.certificate];
  const key = values[VARIABLE.key];
  const clientAuthorities = values[VARIABLE.clientAuthorities];
  if (certificate === null && key === null && clientAuthorities === null) return null;
  if (certificate !== null && key !== null) return { certificate, key, clientAuthorities };
  const absent = certificate === null ? VARIABLE.certificate : VARIABLE.key;
  throw new Error(`${absent}: expected a file, because another SVC_EXTPROC_TLS variable is set; found none`);
}

/** @throws naming the variable and the file at fault. */
export function readTlsFiles({ certificate, key, clientAuthorities }: TlsPaths): TlsFiles {
  const cert = readPart("certificate", certificate, (pem) => new X509Certificate(pem));
  const privateKey = readPart("key", key, (pem) => createPrivateKey(pem));
  const ca =
    clientAuthorities === null
      ? null
      : readPart("clientAuthorities", clientAuthorities, (pem) => new X509Certificate(pem));
  if (!cert.read.checkPrivateKey(privateKey.read)) {
    throw new Error(
      `${VARIABLE.key} ${JSON.stringify(key)}: expected the key of the certificate, found another key`,
    );
  }
  const files = { cert: cert.pem, key: privateKey.pem, ca: ca?.pem ?? null, validTo: cert.read.validToDate };
  // Otherwise the library would find the fault only when a proxy connects.
  createSecureContext({ cert: files.cert, key: files.key, ...(files.ca === null ? {} : { ca: files.ca }) });
  return files;
}

function readPart<T>(
  part: keyof typeof VARIABLE,
  path: string,
  parse: (pem: Buffer) => T,
): { readonly pem: Buffer; readonly read: T } {
  try {
    const pem = readFileSync(path);
    return { pem, read: parse(pem) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${VARIABLE[part]} ${JSON.stringify(path)}: expected a PEM file, found: ${why}`, {
      cause: error,
    });
  }
}
