import { parseCheckpoint } from "@svc/audit-log/checkpoint";
import type { LogCheckpoint } from "@svc/audit-log/checkpoint-line";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import type { Store } from "@svc/store/ports/store";
import type { DataDirectory } from "./data-directory.ts";
import type { ServerSettings } from "./settings.ts";

/**
 * Opens the store that the settings name, and holds it against the checkpoint file: a log that is shorter
 * than a checkpoint says has lost rows, and a server that went on would write over the gap.
 * @throws when the store cannot be opened, is in use, or has lost rows.
 */
export async function openStore(settings: ServerSettings, directory: DataDirectory): Promise<Store> {
  const { gatewayId: logId, path: dataDir } = directory;
  const store =
    settings.databaseUrl === null
      ? await openSqliteStore({ dataDir, logId })
      : await openPostgresStore({ url: settings.databaseUrl, logId });
  try {
    await refuseLostRows(store, directory);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function refuseLostRows(store: Store, directory: DataDirectory): Promise<void> {
  const newest = await directory.newestCheckpoint();
  if (newest === null) return;
  const head = (await store.audit.heads()).find(({ logId }) => logId === newest.logId);
  const size = head?.size ?? 0;
  if (size >= newest.size) return refuseRewrittenRows(store, newest);
  throw new Error(
    `the audit log ${newest.logId} has lost rows: the store holds ${String(size)}, but a checkpoint of ` +
      `${String(newest.size)} rows was signed. Restore the store, or move the checkpoint file of ` +
      `${directory.path} away to go on with what is left (keep it: it proves the loss).`,
  );
}

/** The last row that the checkpoint covers must be the one that was signed; it stands for all before it. */
async function refuseRewrittenRows(store: Store, { logId, size, note }: LogCheckpoint): Promise<void> {
  const signed = parseCheckpoint(note);
  const row = await store.audit.row({ logId, seq: size - 1 });
  if (signed !== null && row !== null && Buffer.from(row.hash).equals(signed.hash)) return;
  throw new Error(
    `the audit log ${logId} was rewritten: its row ${String(size - 1)} is not the one that was signed. ` +
      "Verify an export of the log, and restore a store that holds what a checkpoint was signed over.",
  );
}
