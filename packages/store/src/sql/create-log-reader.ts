import type { LogReader } from "../ports/log-reader.ts";
import { createAuditStore } from "./audit-store.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { StoreContext } from "./store-context.ts";
import { storedRemovals } from "./stored-removals.ts";

/** The step of the schema that made removals of rows possible. */
const REMOVALS_VERSION = versionOf("removal of rows");

/** The step that let processes note their public keys. */
const VERIFIER_KEYS_VERSION = versionOf("public keys of every process");

/**
 * Reads logs over a connection that cannot write. The schema may be of an earlier program, and stays so.
 * @throws when it is not a database of ours, or of a newer program.
 */
export async function createLogReader(context: StoreContext, close: () => Promise<void>): Promise<LogReader> {
  const audit = createAuditStore(context);
  const { found } = await context.db
    .selectFrom("schema_migrations")
    .select((query) => query.fn.max("version").as("found"))
    .executeTakeFirstOrThrow();
  const version = Number(found ?? 0);
  const known = MIGRATIONS.at(-1)?.version ?? 0;
  if (version > known) {
    throw new Error(
      `the database has schema version ${String(version)}, this program knows up to ${String(known)}: ` +
        "use svc-cli of the same version as the server",
    );
  }
  return {
    heads: () => audit.heads(),
    rows: (logId, fromSeq, limit) => audit.rows(logId, fromSeq, limit),
    checkpoints: (logId, afterSize, limit) => audit.checkpoints(logId, afterSize, limit),
    removals: async (logId, range) =>
      version < REMOVALS_VERSION ? [] : storedRemovals(context.db, logId, range),
    verifierKeys: async () => (version < VERIFIER_KEYS_VERSION ? [] : audit.verifierKeys()),
    close,
  };
}

function versionOf(name: string): number {
  return MIGRATIONS.find((step) => step.name.startsWith(name))?.version ?? 0;
}
