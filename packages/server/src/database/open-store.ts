import { parseCheckpoint } from "@svc/audit-log/checkpoint";
import type { LogCheckpoint } from "@svc/audit-log/checkpoint-line";
import type { ControlMarkKeeper } from "@svc/store/control-head-guard";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import type { LogHead } from "@svc/store/ports/audit-store";
import type { Store } from "@svc/store/ports/store";
import type { DataDirectory } from "../files/data-directory.ts";
import type { ServerSettings } from "../settings/settings.ts";

export interface OpenStoreOptions {
  /** Null: the log of an embedded store covers each control change. */
  readonly controlMarks?: ControlMarkKeeper | null;
  /** Called when the embedded store is found to have rows, and whenever it has further ones. */
  readonly onRows?: () => void;
}

/**
 * Opens the store that the settings name, and compares it with every available checkpoint. A log that is
 * shorter than its checkpoint has lost rows, and a server that started would write over the gap. @throws when
 * the store cannot be opened, is in use, or has lost rows.
 */
export async function openStore(
  settings: ServerSettings,
  directory: DataDirectory,
  { controlMarks = null, onRows = () => undefined }: OpenStoreOptions = {},
): Promise<Store> {
  const store = await openNamedStore(settings, directory, { controlMarks, onRows });
  try {
    await directory.mendCheckpointFile();
    const heads = await store.audit.heads();
    if (heads.some(({ size }) => size > 0)) onRows();
    await refuseLostRows(store, directory, heads);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openNamedStore(
  settings: ServerSettings,
  directory: DataDirectory,
  { controlMarks, onRows }: Required<OpenStoreOptions>,
): Promise<Store> {
  const { gatewayId: logId, path: dataDir } = directory;
  const { databaseUrl: url } = settings;
  try {
    if (url === null) return await openSqliteStore({ dataDir, logId, onRows });
    // The driver of a database server is loaded only where one is used.
    const { openPostgresStore } = await import("@svc/store/open-postgres-store");
    return await openPostgresStore({ url, logId, controlMarks });
  } catch (error) {
    const which = url === null ? `the store in ${dataDir}` : "the database of SVC_DATABASE_URL";
    throw new Error(`${which} cannot be opened: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

async function refuseLostRows(
  store: Store,
  directory: DataDirectory,
  heads: readonly LogHead[],
): Promise<void> {
  const { logId } = store;
  const size = heads.find((head) => head.logId === logId)?.size ?? 0;
  const filed = await directory.newestCheckpoint();
  if (filed !== null && filed.size <= size) await refuseRewrittenRows(store, filed);
  const kept = await store.audit.checkpointAhead(logId, size);
  const ahead = kept ?? (filed !== null && filed.size > size ? filed : null);
  if (ahead === null) return;
  throw new Error(
    `the audit log ${logId} has lost rows: the store holds ${String(size)}, but a checkpoint of ` +
      `${String(ahead.size)} rows was signed. If the data directory belongs to another store, start with ` +
      "an empty SVC_DATA_DIR. Otherwise restore the store, or continue with the remaining rows under a new " +
      "SVC_GATEWAY_ID. Keep the checkpoints: they prove the loss.",
  );
}

/**
 * Compares the last row that the checkpoint covers with the signed one. Its hash also covers all
 * rows before it.
 */
async function refuseRewrittenRows(store: Store, { logId, size, note }: LogCheckpoint): Promise<void> {
  const signed = parseCheckpoint(note);
  const row = await store.audit.row({ logId, seq: size - 1 });
  if (signed !== null && row !== null && Buffer.from(row.hash).equals(signed.hash)) return;
  throw new Error(
    `the audit log ${logId} was rewritten: its row ${String(size - 1)} is not the one that was signed. ` +
      "Verify an export of the log, and restore a store that holds what a checkpoint was signed over.",
  );
}
