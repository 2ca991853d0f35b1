import type { Logger } from "@svc/process/logger";
import { readTlsFiles, type TlsFiles, tlsPathsOf } from "./tls-files.ts";
import type { TlsValues } from "./tls-variables.ts";
import { watchTlsFiles } from "./watch-tls-files.ts";

/** The certificates of one listener. */
export interface ListenerTls {
  /** `mutual`: only a client with a certificate of the configured authorities may connect. */
  readonly kind: "tls" | "mutual";
  /** Those of the start. */
  readonly files: TlsFiles;
  /** Hands over every renewal of the files. @returns the function that ends this */
  follow(renew: (files: TlsFiles) => void): () => void;
}

/**
 * Reads the certificates that the variables of a listener name. Null when they name none.
 * @throws naming the variable and the file at fault.
 */
export function openListenerTls<const Prefix extends string>(
  values: TlsValues<Prefix>,
  prefix: Prefix,
  logger: Pick<Logger, "info" | "error">,
): ListenerTls | null {
  const paths = tlsPathsOf(values, prefix);
  if (paths === null) return null;
  const files = readTlsFiles(paths);
  logger.info({ valid_to: files.validTo }, "certificates read");
  return {
    kind: files.ca === null ? "tls" : "mutual",
    files,
    follow: (renew) =>
      watchTlsFiles({
        paths,
        files,
        renew: (renewed) => {
          renew(renewed);
          logger.info({ valid_to: renewed.validTo }, "the renewed certificates are in use");
        },
        onFault: (error) =>
          logger.error({ err: error }, "the certificates cannot be used; the previous ones stay in use"),
      }),
  };
}
