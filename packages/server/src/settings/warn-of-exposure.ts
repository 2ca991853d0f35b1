import { EVERY_ADDRESS } from "@svc/http-edge/host-check";
import { isLoopback } from "@svc/process/is-loopback";
import type { Logger } from "@svc/process/logger";
import { warnOfOpenListener } from "@svc/process/warn-of-open-listener";
import type { ServerSettings } from "./settings.ts";

/**
 * Warns of a server that other machines reach over plain HTTP. With an https address as its public one the
 * operator says that something in front terminates TLS, if the server itself does not.
 */
export function warnOfExposure(
  { listen: { host }, publicUrl, tls }: Pick<ServerSettings, "listen" | "publicUrl" | "tls">,
  log: Pick<Logger, "warn">,
): void {
  const { hostname, protocol } = new URL(publicUrl);
  const listener = { variable: "SVC_LISTEN", host };
  const leadsAstray = `approval_url leads approvers to their own machine (${publicUrl})`;
  if (protocol !== "https:" && tls.SVC_TLS_CERT_FILE === null) {
    const also = isLoopback(hostname) ? `, and ${leadsAstray}` : "";
    const risk = `keys and logins cross the network in plain HTTP${also}`;
    const fix =
      "Set SVC_TLS_CERT_FILE and SVC_TLS_KEY_FILE, or put TLS in front of it and set SVC_PUBLIC_URL";
    warnOfOpenListener({ ...listener, risk, fix }, log);
    // In a container, every address says nothing about who comes from where.
  } else if (isLoopback(hostname) && !EVERY_ADDRESS.has(host)) {
    const fix = "Set SVC_PUBLIC_URL to the address that they use";
    warnOfOpenListener({ ...listener, risk: leadsAstray, fix }, log);
  }
}
