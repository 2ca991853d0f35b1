import { afterAll, beforeAll, describe } from "vitest";
import { findPostgresPrograms, type PostgresServer, startPostgresServer } from "./postgres-server.ts";

const START_TIMEOUT_MS = 30_000;
/** Some cases wait for locks and deadlines of seconds, on machines that do other things too. */
const CASE_TIMEOUT_MS = 30_000;

/**
 * Cases on a server of their own, shared by the file. Without PostgreSQL: skipped with a reason, failing in
 * CI.
 */
export function describePostgres(name: string, cases: (server: () => PostgresServer) => void): void {
  const absent = findPostgresPrograms() === null && process.env["CI"] === undefined;
  if (absent) process.stderr.write(`${name}: skipped, no initdb and postgres on this machine\n`);
  // skip: the machine has no PostgreSQL; continuous integration installs it and fails without.
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
