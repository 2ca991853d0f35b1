// peers: postgres
import { Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { deadlinePool } from "./deadline-pool.ts";

describePostgres("a pool with deadlines", (server) => {
  // The error of such a connection reaches no query: without a listener it ends the process.
  it("L5: outlives a connection that dies between two queries of a transaction", async () => {
    const pool = new Pool({ connectionString: await server().createDatabase(), max: 1 });
    const other = new Pool({ connectionString: server().url, max: 1 });
    onTestFinished(async () => {
      await Promise.all([pool.end(), other.end()]);
    });
    const died = Promise.withResolvers<void>();
    pool.on("connect", (client) => client.once("end", () => died.resolve()));
    const guarded = deadlinePool(pool);

    const client = await guarded.connect();
    await client.query("BEGIN", []);
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid", []);
    await other.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    await died.promise;
    await expect(client.query("SELECT 1", [])).rejects.toThrow();
    client.release();

    const next = await guarded.connect();
    expect((await next.query("SELECT 1 AS one", [])).rows).toEqual([{ one: 1 }]);
    next.release();
  });
});
