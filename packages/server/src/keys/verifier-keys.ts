import { renderVerifierKey, type VerifierKey } from "@svc/audit-log/note-key";
import type { WallClock } from "@svc/process/clock";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { DataDirectory } from "../files/data-directory.ts";

export interface VerifierKeysParts {
  readonly directory: Pick<DataDirectory, "notePublicKey">;
  readonly audit: Pick<AuditStore, "noteVerifierKey" | "verifierKeys">;
  readonly clock: WallClock;
}

/**
 * Notes the public key of this process in its directory, and every key of the directory in the store, where
 * they stay when the directory is gone. @returns what reads the keys of all processes, its own first
 */
export async function noteVerifierKeys(
  { directory, audit, clock }: VerifierKeysParts,
  key: VerifierKey,
): Promise<() => Promise<readonly string[]>> {
  const own = await directory.notePublicKey(renderVerifierKey(key));
  for (const each of own) await audit.noteVerifierKey(each, clock.now());
  return async () => [...new Set([...own, ...(await audit.verifierKeys())])];
}
