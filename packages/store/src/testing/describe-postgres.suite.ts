import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { afterAll, beforeAll, describe } from "vitest";
import { type PostgresDatabases, type PostgresServer, startPostgresServer } from "./postgres-server.ts";
import { sharedPostgres } from "./shared-postgres.ts";

const START_TIMEOUT_MS = 30_000;
/** Some cases wait for locks and deadlines of seconds, on machines that do other things too. */
const CASE_TIMEOUT_MS = 30_000;

/**
 * Cases on the server that all files of a run share. Without PostgreSQL they are skipped with a reason, and
 * fail in CI.
 */
export function describePostgres(name: string, cases: (databases: () => PostgresDatabases) => void): void {
  describeOn(name, async () => ({ server: await sharedPostgres(), stop: async () => {} }), cases);
}

/** Cases that stop, end or configure a server: one of their own, shared by the file. */
export function describeOwnPostgres(name: string, cases: (server: () => PostgresServer) => void): void {
  const start = async () => {
    const server = await startPostgresServer();
    return { server, stop: () => server.stop() };
  };
  describeOn(name, start, cases);
}

interface Started<Server> {
  readonly server: Server;
  stop(): Promise<void>;
}

function describeOn<Server>(
  name: string,
  start: () => Promise<Started<Server>>,
  cases: (server: () => Server) => void,
): void {
  const chosen = process.env["SVC_TEST_PEERS"]?.split(",").includes("postgres") ?? true;
  const absent = !chosen || (findPostgresPrograms() === null && process.env["CI"] === undefined);
  if (absent) process.stderr.write(`${name}: skipped, PostgreSQL is not installed or does not take part\n`);
  // skip: the machine has no PostgreSQL, or the run of the tests did not choose it
  describe.skipIf(absent)(name, { timeout: CASE_TIMEOUT_MS }, () => {
    let started: Started<Server> | undefined;
    beforeAll(async () => {
      started = await start();
    }, START_TIMEOUT_MS);
    afterAll(async () => started?.stop(), START_TIMEOUT_MS);
    cases(() => {
      if (started === undefined) throw new Error("the server is there while cases run, not before");
      return started.server;
    });
  });
}
