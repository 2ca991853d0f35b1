import { ControlHeadGuard } from "../control-head-guard.ts";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import { HeadGuard } from "../head-guard.ts";
import type { LogReader } from "../ports/log-reader.ts";
import { createAuditStore } from "./audit-store.ts";
import { ControlQueue } from "./control-queue.ts";
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
export async function createLogReader(
  { db, dialect }: Pick<StoreContext, "db" | "dialect">,
  close: () => Promise<void>,
): Promise<LogReader> {
  const audit = createAuditStore({ ...READ_ONLY, db, dialect });
  const { found } = await db
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
    removals: async (logId, range) => (version < REMOVALS_VERSION ? [] : storedRemovals(db, logId, range)),
    verifierKeys: async () => (version < VERIFIER_KEYS_VERSION ? [] : audit.verifierKeys()),
    close,
  };
}

/** Only writes need these parts. A write over such a connection fails in any case. */
const READ_ONLY = {
  logId: "",
  limits: DEFAULT_STORE_LIMITS,
  nowMs: Date.now,
  epoch: () => Promise.reject(new Error("the connection cannot write")),
  head: new HeadGuard({ logId: "", growth: "refused", acknowledged: null }),
  controlHead: new ControlHeadGuard(),
  controlQueue: new ControlQueue(),
} as const;

function versionOf(name: string): number {
  return MIGRATIONS.find((step) => step.name.startsWith(name))?.version ?? 0;
}
