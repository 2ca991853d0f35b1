import type { Principal } from "@svc/contract/principal";
import type { Logger } from "@svc/process/logger";
import type { StoredKey } from "@svc/store/ports/key-store";

/** Logs one line per change of a key. */
export function logKey(
  log: Logger,
  message: "key created" | "key exchanged" | "key rotated" | "key revoked",
  { principal, key }: { readonly principal: Principal; readonly key: StoredKey },
): void {
  const { id: key_id, org, role, expires_at } = key;
  log.info({ org, principal: principal.id, key_id, role, expires_at }, message);
}
