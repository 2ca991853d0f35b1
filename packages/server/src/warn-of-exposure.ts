import { isLoopback } from "@svc/process/is-loopback";
import type { Logger } from "@svc/process/logger";
import type { ServerSettings } from "./settings.ts";

/** Warns of a server that other machines reach while its public address leads nowhere or is not encrypted. */
export function warnOfExposure(
  { listen, publicUrl }: Pick<ServerSettings, "listen" | "publicUrl">,
  log: Pick<Logger, "warn">,
): void {
  if (isLoopback(listen.host)) return;
  const { hostname, protocol } = new URL(publicUrl);
  const fields = { variable: "SVC_PUBLIC_URL", value: publicUrl };
  if (isLoopback(hostname))
    log.warn(fields, "approval_url leads approvers to their own machine: set the address that they use");
  else if (protocol !== "https:")
    log.warn(
      fields,
      "keys and logins cross the network unencrypted: put TLS in front, and set its https:// address",
    );
}
