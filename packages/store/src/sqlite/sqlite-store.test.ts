// long: it runs the whole contract of a store on a disk
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { storeContract } from "../store-contract.suite.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

storeContract("SQLite", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-store-"));
  return {
    open: async (options = {}) => openSqliteStore({ dataDir, logId: "gateway-1", ...options }),
    tamper: async (statement) => {
      const other = new DatabaseSync(join(dataDir, "svc.db"));
      other.exec("DROP TRIGGER IF EXISTS audit_rows_refuse_update");
      other.exec("DROP TRIGGER IF EXISTS audit_rows_refuse_delete");
      other.exec(statement);
      other.close();
      return Promise.resolve();
    },
    remove: async () => rm(dataDir, { recursive: true }),
  };
});
