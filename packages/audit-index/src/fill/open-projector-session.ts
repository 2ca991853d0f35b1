import { openAdvisoryLock } from "@svc/store/open-advisory-lock";
import { openPostgresAuditReader } from "@svc/store/open-postgres-audit-reader";
import { openSqliteAuditReader } from "@svc/store/open-sqlite-audit-reader";
import type { AnomalyBuffer } from "../behaviour/anomaly-buffer.ts";
import { identifyIndexFile } from "../database/identify-index-file.ts";
import { DamagedIndexError } from "../database/index-database.ts";
import { preparePostgresIndex, writablePostgresIndex } from "../database/postgres-index.ts";
import { openWritableSqliteIndex, removeSqliteIndex } from "../database/sqlite-index.ts";
import type { IndexPlace } from "../index-place.ts";
import { IndexLag } from "./index-lag.ts";
import type { ProjectorSession } from "./index-loop.ts";
import { Projector, type ProjectorParts } from "./projector.ts";

/**
 * The lock that makes one process of a database the projector. The loop asks on its connection before each
 * batch. Between two batches it rests for up to 10 s, and a batch may take several on a busy machine.
 */
const PROJECTOR_LOCK = { name: "audit index", silentMs: 20_000 };

type SessionParts = Pick<ProjectorParts, "behaviour" | "lag">;

/** Opens logs and index for the projector; null while another process is it. */
export async function openProjectorSession(
  place: IndexPlace,
  behaviour: AnomalyBuffer,
  lag = new IndexLag(),
): Promise<ProjectorSession | null> {
  const parts = { behaviour, lag };
  return place.kind === "sqlite"
    ? openSqliteSession(place.dataDir, parts)
    : openPostgresSession(place.url, parts);
}

/** Removes an index that cannot be used. In PostgreSQL the projector empties it when it opens it. */
export async function removeIndex(place: IndexPlace): Promise<void> {
  if (place.kind === "sqlite") return removeSqliteIndex(place.dataDir);
  const session = await openAdvisoryLock(place.url, PROJECTOR_LOCK);
  if (session === null) return;
  try {
    await writablePostgresIndex(session.client).reset();
  } finally {
    await session.close();
  }
}

async function openSqliteSession(dataDir: string, parts: SessionParts): Promise<ProjectorSession> {
  const reader = openSqliteAuditReader(dataDir);
  try {
    const database = openWritableSqliteIndex(dataDir);
    const file = identifyIndexFile(dataDir);
    const projector = new Projector({ database, audit: reader.audit, ...parts });
    return {
      projector,
      requireCurrent: async () => {
        if (identifyIndexFile(dataDir) !== file)
          throw new DamagedIndexError("the file of the audit index was removed or replaced");
      },
      close: async () => {
        await database.close();
        await reader.close();
      },
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

async function openPostgresSession(url: string, parts: SessionParts): Promise<ProjectorSession | null> {
  const lock = await openAdvisoryLock(url, PROJECTOR_LOCK);
  if (lock === null) return null;
  const reader = openPostgresAuditReader(url);
  const close = async (): Promise<void> => {
    await reader.close();
    await lock.close();
  };
  try {
    const database = writablePostgresIndex(lock.client);
    await preparePostgresIndex(database, lock.client);
    return {
      projector: new Projector({ database, audit: reader.audit, ...parts }),
      requireCurrent: async () => {
        await lock.client.query("SELECT 1");
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
