import { ServerCredentials } from "@grpc/grpc-js";
import { openListenerTls } from "@svc/http-edge/tls/listener-tls";
import type { TlsValues } from "@svc/http-edge/tls/tls-variables";
import type { Logger } from "@svc/process/logger";
import { warnOfOpenListener } from "@svc/process/warn-of-open-listener";
import { RenewableCredentials } from "./renewable-credentials.ts";

/** How the adapter listens. */
export interface Security {
  /** `mutual`: only a client with a certificate of the configured authorities may connect. */
  readonly kind: "plaintext" | "tls" | "mutual";
  readonly credentials: ServerCredentials;
  stop(): void;
}

/** Reads the certificates, and follows their renewal. @throws naming the variable and the file at fault. */
export function openSecurity(
  values: TlsValues<"SVC_EXTPROC_TLS">,
  logger: Pick<Logger, "info" | "warn" | "error">,
): Security {
  const tls = openListenerTls(values, "SVC_EXTPROC_TLS", logger);
  if (tls === null) {
    return { kind: "plaintext", credentials: ServerCredentials.createInsecure(), stop: () => {} };
  }
  const credentials = new RenewableCredentials(tls.files);
  return { kind: tls.kind, credentials, stop: tls.follow((files) => credentials.renew(files)) };
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
