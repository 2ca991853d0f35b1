import { openPostgresAuditReader } from "@svc/store/open-postgres-audit-reader";
import { openSqliteAuditReader } from "@svc/store/open-sqlite-audit-reader";
import { openPrimaryPool } from "@svc/store/primary-pool";
import { identifyIndexFile } from "../database/identify-index-file.ts";
import { postgresIndex, QUERY_SETTINGS } from "../database/postgres-index.ts";
import { openSqliteIndex } from "../database/sqlite-index.ts";
import type { IndexPlace } from "../index-place.ts";
import { AuditQueries, type QueryParts } from "./audit-queries.ts";

/** Connections for questions, as count. A question uses one at a time. */
const MAX_CONNECTIONS = 4;

export interface QuestionSession {
  readonly queries: AuditQueries;
  /** Whether the opened index is still the current one. */
  isCurrent(): boolean;
  /** Does not wait for questions that run. */
  close(): void;
}

type Timing = Pick<QueryParts, "sleep" | "nowMs">;

/** Opens logs and index for questions. @throws DamagedIndexError when the index cannot be read. */
export function openQuestionSession(place: IndexPlace, timing: Timing): QuestionSession {
  return place.kind === "sqlite" ? openSqlite(place.dataDir, timing) : openPostgres(place.url, timing);
}

function openSqlite(dataDir: string, timing: Timing): QuestionSession {
  const file = identifyIndexFile(dataDir);
  const reader = openSqliteAuditReader(dataDir);
  try {
    const database = openSqliteIndex(dataDir);
    return {
      queries: new AuditQueries({ database, audit: reader.audit, ...timing }),
      isCurrent: () => identifyIndexFile(dataDir) === file,
      close: () => {
        database.close();
        void reader.close();
      },
    };
  } catch (error) {
    void reader.close();
    throw error;
  }
}

function openPostgres(url: string, timing: Timing): QuestionSession {
  const reader = openPostgresAuditReader(url);
  const pool = openPrimaryPool(url, { max: MAX_CONNECTIONS, settings: QUERY_SETTINGS });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    queries: new AuditQueries({ database: postgresIndex(pool), audit: reader.audit, ...timing }),
    isCurrent: () => true,
    close: () => {
      void pool.end();
      void reader.close();
    },
  };
}
