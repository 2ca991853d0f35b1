import { storeContract } from "../store-contract.suite.ts";
import { MemoryDatabase } from "./memory-store.ts";

storeContract("The store in memory", async () => {
  const database = new MemoryDatabase();
  const { connection } = database;
  return {
    open: async (options = {}) => {
      const store = database.open({ logId: "gateway-1", ...options });
      await store.check();
      return store;
    },
    tamper: async (statement) => {
      connection.exec("DROP TRIGGER IF EXISTS audit_rows_refuse_update");
      connection.exec("DROP TRIGGER IF EXISTS audit_rows_refuse_delete");
      connection.exec(statement);
    },
    remove: async () => connection.close(),
  };
});
