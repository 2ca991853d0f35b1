import type { Principal } from "@svc/contract/principal";
import type { Logger } from "@svc/process/logger";

/** Logs one line per change of a namespace or its settings. */
export function logNamespace(
  log: Logger,
  message: "namespace created" | "namespace updated" | "namespace removed" | "rogue detection changed",
  { principal, id }: { readonly principal: Principal; readonly id: string },
): void {
  log.info({ org: principal.org, principal: principal.id, namespace: id }, message);
}
