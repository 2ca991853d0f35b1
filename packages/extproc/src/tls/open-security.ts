import { ServerCredentials } from "@grpc/grpc-js";
import type { Logger } from "@svc/process/logger";
import { warnOfOpenListener } from "@svc/process/warn-of-open-listener";
import { RenewableCredentials } from "./renewable-credentials.ts";
import { readTlsFiles, type TlsVariables, tlsPathsOf } from "./tls-files.ts";
import { watchTlsFiles } from "./watch-tls-files.ts";

/** How the adapter listens. */
export interface Security {
  /** `mutual`: only a client with a certificate of the configured authorities may connect. */
  readonly kind: "plaintext" | "tls" | "mutual";
  readonly credentials: ServerCredentials;
  stop(): void;
}

/** Reads the certificates, and follows their renewal. @throws naming the variable and the file at fault. */
export function openSecurity(
  values: TlsVariables,
  logger: Pick<Logger, "info" | "warn" | "error">,
): Security {
  const paths = tlsPathsOf(values);
  if (paths === null) {
    return { kind: "plaintext", credentials: ServerCredentials.createInsecure(), stop: () => {} };
  }
  const files = readTlsFiles(paths);
  const credentials = new RenewableCredentials(files);
  const stop = watchTlsFiles({
    paths,
    files,
    credentials,
    onRenewed: ({ validTo }) => logger.info({ valid_to: validTo }, "the renewed certificates are in use"),
    onFault: (error) =>
      logger.error({ err: error }, "the certificates cannot be read; the previous ones stay in use"),
  });
  logger.info({ valid_to: files.validTo }, "certificates read");
  return { kind: files.ca === null ? "tls" : "mutual", credentials, stop };
}

/** Warns of a listener that other machines can reach and that does not authenticate its clients. */
export function warnOfUnknownClients(
  host: string,
  kind: Security["kind"],
  logger: Pick<Logger, "warn">,
): void {
  if (kind === "mutual") return;
  const risk = "any client that reaches it speaks as the proxy";
  const fix = "Set SVC_EXTPROC_TLS_CLIENT_CA_FILE beside certificate and key";
  warnOfOpenListener({ variable: "SVC_EXTPROC_LISTEN", host, risk, fix }, logger);
}
