// peers: postgres
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { databasesAt, type PostgresDatabases } from "./postgres-server.ts";

/** What `serve-postgres.ts` tells in the folder of the run. */
export type SharedServer = { readonly directory: string; readonly psql: string } | { readonly fault: string };

export const READY_FILE = "postgres.json";

const SERVER = fileURLToPath(new URL("./serve-postgres.ts", import.meta.url));

/** Milliseconds for the server to start while both cores are busy. */
const START_DEADLINE_MS = 30_000;
const POLL_MS = 50;

/**
 * The one PostgreSQL of a run of tests, for tests that break a database at most and not the server. It starts
 * when the first file asks for it. @throws when the machine has none, or it does not start
 */
export async function sharedPostgres(): Promise<PostgresDatabases> {
  const folder = process.env["SVC_TEST_SHARED"];
  const run = process.env["SVC_TEST_RUN_PID"];
  if (folder === undefined || run === undefined) throw new Error("no run of tests shares a PostgreSQL");
  if (isFirst(folder))
    spawn(process.execPath, [SERVER, folder, run], { detached: true, stdio: "ignore" }).unref();
  const server = await untilReady(join(folder, READY_FILE));
  if ("fault" in server) throw new Error(server.fault);
  return databasesAt(server.directory, server.psql);
}

/** The URL of a new database with nothing in it, on the shared server. */
export async function freshDatabase(): Promise<string> {
  const server = await sharedPostgres();
  return server.createDatabase();
}

/** One file of a run makes the folder, and so starts the server. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, "postgres"));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function untilReady(file: string): Promise<SharedServer> {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (!existsSync(file)) {
    if (performance.now() > deadline) throw new Error("the PostgreSQL of this run did not start in time");
    await sleep(POLL_MS);
  }
  return JSON.parse(readFileSync(file, "utf8")) as SharedServer;
}
