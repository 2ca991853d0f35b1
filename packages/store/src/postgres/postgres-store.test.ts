// peers: postgres
// long: runs the suite of all stores, with a database for each test
import { Client } from "pg";
import { storeContract } from "../store-contract.suite.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres("PostgreSQL store, by contract", (server) => {
  storeContract("PostgreSQL", async () => {
    const url = await server().createDatabase();
    return {
      open: async (options = {}) => openPostgresStore({ url, logId: "gateway-1", ...options }),
      tamper: async (statement) => {
        const client = new Client({ connectionString: url });
        await client.connect();
        await client.query(`SET session_replication_role = replica; ${statement}`);
        await client.end();
      },
      // Databases go with the server at the end of the file.
      remove: async () => Promise.resolve(),
    };
  });
});
