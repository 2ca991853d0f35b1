import { spawnSync } from "node:child_process";
import { chownSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { comesTrue } from "../comes-true.ts";
import { DrillFault } from "../drill-fault.ts";
import { type KeptProcess, startKeptProcess } from "./kept-process.ts";

/** Where Debian keeps the server's programs, by version. */
const DEBIAN_VERSIONS = "/usr/lib/postgresql";

/** Milliseconds for PostgreSQL to answer after its start. */
const START_DEADLINE_MS = 30_000;

const USER = "svc";
const PORT = 5432;
/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = "nobody";

const HOW_TO_GET_ONE =
  "install the server programs (Debian: apt-get install postgresql), or name a server with --database-url";

/** A PostgreSQL of the drill's own, on a socket in a folder. */
export interface LocalPostgres {
  readonly socketPath: string;
  readonly user: string;
  readonly database: string;
  stop(): Promise<void>;
}

/** The folder of initdb and postgres; null when this machine has none. */
export function findPostgresPrograms(path: string): string | null {
  const debian = existsSync(DEBIAN_VERSIONS)
    ? readdirSync(DEBIAN_VERSIONS)
        .sort((left, right) => Number(right) - Number(left))
        .map((version) => join(DEBIAN_VERSIONS, version, "bin"))
    : [];
  const folders = [...debian, ...path.split(delimiter).filter((folder) => folder !== "")];
  const isThere = (folder: string) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name)));
  return folders.find(isThere) ?? null;
}

/**
 * @param folder an empty one; its path must be short, because it holds the path of a socket
 * @throws DrillFault when there is no PostgreSQL, or it does not start
 */
export async function startLocalPostgres(folder: string, signal: AbortSignal): Promise<LocalPostgres> {
  const programs = findPostgresPrograms(process.env["PATH"] ?? "");
  if (programs === null)
    throw new DrillFault("usage", `expected PostgreSQL on this machine, found none: ${HOW_TO_GET_ONE}`);
  const owner = ownerOf(folder);
  const data = join(folder, "data");
  const settings = ["--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust", "--no-sync", `--username=${USER}`];
  const [initdb, initdbArgs] = owner.command(join(programs, "initdb"), [...settings, "-D", data]);
  const made = spawnSync(initdb, initdbArgs, { encoding: "utf8", cwd: "/", env: ENVIRONMENT });
  if (made.status !== 0)
    throw new DrillFault(
      "unreachable",
      `initdb failed: ${made.error?.message ?? `${made.stdout}${made.stderr}`}`,
    );
  writeFileSync(join(data, "postgresql.auto.conf"), configuration(folder));
  const [postgres, args] = owner.command(join(programs, "postgres"), ["-D", data]);
  let isReady = false;
  const server = startKeptProcess(postgres, {
    args,
    env: ENVIRONMENT,
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

const ENVIRONMENT = { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8" };

async function untilReady(
  server: KeptProcess,
  { isReady, signal }: { readonly isReady: () => boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    const is = () => isReady() || server.hasEnded;
    await comesTrue(is, { withinMs: START_DEADLINE_MS, signal });
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

interface Owner {
  command(program: string, args: readonly string[]): readonly [string, readonly string[]];
}

/** As root, another user owns the folder and runs the programs; otherwise we do. */
function ownerOf(folder: string): Owner {
  if (process.getuid?.() !== 0) return { command: (program, args) => [program, args] };
  const idOf = (flag: string): number =>
    Number(spawnSync("id", [flag, UNPRIVILEGED], { encoding: "utf8" }).stdout.trim());
  const [uid, gid] = [idOf("-u"), idOf("-g")];
  chownSync(folder, uid, gid);
  const become = [`--reuid=${String(uid)}`, `--regid=${String(gid)}`, "--clear-groups"];
  return { command: (program, args) => ["setpriv", [...become, program, ...args]] };
}
