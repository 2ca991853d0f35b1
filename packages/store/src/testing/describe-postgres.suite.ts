import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { afterAll, beforeAll, describe } from "vitest";
import { type PostgresServer, startPostgresServer } from "./postgres-server.ts";

const START_TIMEOUT_MS = 30_000;
/** Some cases wait for locks and deadlines of seconds, on machines that do other things too. */
const CASE_TIMEOUT_MS = 30_000;

/**
 * Cases on a server of their own, shared by the file. Without PostgreSQL they are skipped with a reason, and
 * fail in CI.
 */
export function describePostgres(name: string, cases: (server: () => PostgresServer) => void): void {
  const chosen = process.env["SVC_TEST_PEERS"]?.split(",").includes("postgres") ?? true;
  const absent = !chosen || (findPostgresPrograms() === null && process.env["CI"] === undefined);
  if (absent) process.stderr.write(`${name}: skipped, PostgreSQL is not installed or does not take part\n`);
  // skip: the machine has no PostgreSQL, or the run of the tests did not choose it
  describe.skipIf(absent)(name, { timeout: CASE_TIMEOUT_MS }, () => {
    let server: PostgresServer | undefined;
    beforeAll(async () => {
      server = await startPostgresServer();
    }, START_TIMEOUT_MS);
    afterAll(async () => server?.stop(), START_TIMEOUT_MS);
    cases(() => {
      if (server === undefined) throw new Error("the server is there while cases run, not before");
      return server;
    });
  });
}
