import type { Principal } from "@svc/contract/principal";
import type { Logger } from "@svc/process/logger";

/** Logs one line per change of a legal hold. */
export function logLegalHold(
  log: Logger,
  message: "legal hold placed" | "legal hold lifted",
  { principal, id }: { readonly principal: Principal; readonly id: string },
): void {
  log.info({ org: principal.org, principal: principal.id, legal_hold_id: id }, message);
}
