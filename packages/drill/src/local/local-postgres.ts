import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { asOwner, giveAway, runAsOwner } from "@svc/process/postgres-owner";
import { DrillFault } from "../drill-fault.ts";
import { isTrueWithin } from "../is-true-within.ts";
import { type KeptProcess, startKeptProcess } from "./kept-process.ts";

/** Milliseconds for PostgreSQL to answer after its start. */
const START_DEADLINE_MS = 30_000;

const USER = "svc";
const PORT = 5432;

const HOW_TO_GET_ONE =
  "install the server programs (Debian: apt-get install postgresql), or name a server with --database-url";

/** A PostgreSQL of the drill's own, on a socket in a folder. */
export interface LocalPostgres {
  readonly socketPath: string;
  readonly user: string;
  readonly database: string;
  stop(): Promise<void>;
}

/**
 * @param folder an empty one; its path must be short, because it holds the path of a socket
 * @throws DrillFault when there is no PostgreSQL, or it does not start
 */
export async function startLocalPostgres(folder: string, signal: AbortSignal): Promise<LocalPostgres> {
  const programs = findPostgresPrograms();
  if (programs === null)
    throw new DrillFault("usage", `expected PostgreSQL on this machine, found none: ${HOW_TO_GET_ONE}`);
  await giveAway(folder);
  const data = join(folder, "data");
  makeData(join(programs, "initdb"), data);
  writeFileSync(join(data, "postgresql.auto.conf"), configuration(folder));
  const [postgres, args] = asOwner(join(programs, "postgres"), ["-D", data]);
  let isReady = false;
  const server = startKeptProcess(postgres, {
    args,
    env: {},
    onLine: (line) => {
      if (line.includes("ready to accept connections")) isReady = true;
    },
  });
  await untilReady(server, { isReady: () => isReady, signal });
  return {
    socketPath: join(folder, `.s.PGSQL.${String(PORT)}`),
    user: USER,
    database: "postgres",
    // Without waiting for clients or a checkpoint: the data is thrown away.
    stop: () => server.stop("SIGQUIT"),
  };
}

function makeData(initdb: string, data: string): void {
  const settings = ["--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust", "--no-sync", `--username=${USER}`];
  try {
    runAsOwner(initdb, [...settings, "-D", data]);
  } catch (error) {
    throw new DrillFault("unreachable", error instanceof Error ? error.message : String(error));
  }
}

async function untilReady(
  server: KeptProcess,
  { isReady, signal }: { readonly isReady: () => boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    const is = () => isReady() || server.hasEnded;
    await isTrueWithin(is, { withinMs: START_DEADLINE_MS, signal });
    if (isReady() && !server.hasEnded) return;
    throw new DrillFault("unreachable", `PostgreSQL did not start: ${server.output()}`);
  } catch (error) {
    await server.stop("SIGKILL");
    throw error;
  }
}

function configuration(folder: string): string {
  return [
    "listen_addresses = ''",
    `unix_socket_directories = '${folder}'`,
    `port = ${String(PORT)}`,
    "fsync = on",
    "max_connections = 200",
    "shared_buffers = 32MB",
    "",
  ].join("\n");
}
