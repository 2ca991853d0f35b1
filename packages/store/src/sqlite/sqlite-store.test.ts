import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeContract } from "../store-contract.suite.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

storeContract("SQLite", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-store-"));
  return {
    open: async (options = {}) => openSqliteStore({ dataDir, logId: "gateway-1", ...options }),
    remove: async () => rm(dataDir, { recursive: true }),
  };
});
