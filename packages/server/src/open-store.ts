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
  if (size >= newest.size) return;
  throw new Error(
    `the audit log ${newest.logId} has lost rows: the store holds ${String(size)}, but a checkpoint of ` +
      `${String(newest.size)} rows was signed. Restore the store, or move the checkpoint file of ` +
      `${directory.path} away to go on with what is left (keep it: it proves the loss).`,
  );
}
