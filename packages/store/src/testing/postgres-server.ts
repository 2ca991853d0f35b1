// peers: postgres
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chown } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPostgresPrograms } from "./find-postgres-programs.ts";

/** A PostgreSQL server of one test: real, with fsync, on a socket in a directory of its own. */
export interface PostgresServer {
  /** Connection URL of a database with nothing in it. */
  readonly url: string;
  /** Process id of the postmaster, for faults; another one after `restart`. */
  readonly pid: number;
  /** Makes another empty database and resolves with its URL. */
  createDatabase(): Promise<string>;
  /** Sends a signal to the server and to the processes of its connections, such as SIGSTOP and SIGCONT. */
  signal(signal: NodeJS.Signals): void;
  /** Ends the postmaster as a loss of power would: nothing is flushed, nobody is told. */
  crash(): Promise<void>;
  /** Starts the server again over the same data after `crash`; resolves when it answers. */
  restart(): Promise<void>;
  /** Stops the server and removes its directory. */
  stop(): Promise<void>;
}

/** A socket path longer than about 100 bytes is refused by the kernel, so the directory's is short. */
const PARENT = "/tmp";

/** Milliseconds for the server to answer after its start, and to end. */
const START_DEADLINE_MS = 20_000;
const POLL_MS = 20;

const SUPERUSER = "svc";
/** The server refuses to run as root. */
const UNPRIVILEGED = "nobody";
const PORT = 5432;

/** @throws when the machine has no PostgreSQL or it does not start; its output is in the message. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const programs = findPostgresPrograms();
  if (programs === null) throw new Error("no PostgreSQL programs: expected initdb and postgres on PATH");
  const directory = mkdtempSync(join(PARENT, "svc-pg-"));
  const data = join(directory, "data");
  try {
    await giveAway(directory);
    runAsOwner(join(programs, "initdb"), [
      "--encoding=UTF8",
      "--locale=C.UTF-8",
      "--auth=trust",
      `--username=${SUPERUSER}`,
      "--no-sync",
      "-D",
      data,
    ]);
    writeFileSync(join(data, "postgresql.auto.conf"), settings(directory));
    const start = async (): Promise<ChildProcess> => {
      const server = startServer(join(programs, "postgres"), data);
      await untilReady(server, join(directory, `.s.PGSQL.${String(PORT)}`));
      return server;
    };
    return handle(await start(), { directory, psql: join(programs, "psql"), start });
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

function settings(directory: string): string {
  return [
    "listen_addresses = ''",
    `unix_socket_directories = '${directory}'`,
    `port = ${String(PORT)}`,
    "fsync = on",
    "max_connections = 60",
    "shared_buffers = 32MB",
    "",
  ].join("\n");
}

async function giveAway(directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = idsOf(UNPRIVILEGED);
  await chown(directory, uid, gid);
}

function idsOf(user: string): { uid: number; gid: number } {
  const read = (flag: string): number =>
    Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout.trim());
  return { uid: read("-u"), gid: read("-g") };
}

/** As root, through setpriv; otherwise as who we are. A bare environment keeps PG* variables out. */
function asOwner(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  const bare = ["env", "-i", `PATH=${process.env["PATH"] ?? ""}`, "LC_ALL=C.UTF-8", program, ...args];
  if (process.getuid?.() !== 0) return ["/usr/bin/env", bare.slice(1)];
  const { uid, gid } = idsOf(UNPRIVILEGED);
  return ["setpriv", [`--reuid=${String(uid)}`, `--regid=${String(gid)}`, "--clear-groups", ...bare]];
}

function runAsOwner(program: string, args: readonly string[]): void {
  const [command, commandArgs] = asOwner(program, args);
  const { status, stdout, stderr, error } = spawnSync(command, commandArgs, { encoding: "utf8", cwd: "/" });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}

function startServer(program: string, data: string): ChildProcess {
  // setpriv and env replace themselves, so the child is the postmaster.
  const [command, args] = asOwner(program, ["-D", data]);
  return spawn(command, args, { cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
}

async function untilReady(server: ChildProcess, socketPath: string): Promise<void> {
  let output = "";
  server.stderr?.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  const deadline = performance.now() + START_DEADLINE_MS;
  while (!(output.includes("ready to accept connections") && (await canConnect(socketPath)))) {
    if (server.exitCode !== null || performance.now() > deadline) {
      server.kill("SIGKILL");
      throw new Error(`PostgreSQL did not start: ${output}`);
    }
    await sleep(POLL_MS);
  }
}

async function canConnect(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}

interface HandleParts {
  readonly directory: string;
  readonly psql: string;
  readonly start: () => Promise<ChildProcess>;
}

function handle(first: ChildProcess, { directory, psql, start }: HandleParts): PostgresServer {
  let server = first;
  const urlOf = (database: string): string =>
    `postgres://${SUPERUSER}@localhost/${database}?host=${encodeURIComponent(directory)}&port=${String(PORT)}`;
  return {
    url: urlOf("postgres"),
    get pid() {
      if (server.pid === undefined) throw new Error("PostgreSQL has no process id");
      return server.pid;
    },
    createDatabase: async () => {
      const name = `test_${randomBytes(6).toString("hex")}`;
      const args = ["-h", directory, "-p", String(PORT), "-U", SUPERUSER, "-d", "postgres"];
      const { status, stderr } = spawnSync(psql, [...args, "-qc", `CREATE DATABASE ${name}`], {
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`CREATE DATABASE failed: ${stderr}`);
      return Promise.resolve(urlOf(name));
    },
    signal: (signal) => signalFamily(server.pid ?? 0, signal),
    crash: () => end(server, "SIGKILL"),
    restart: async () => {
      server = await start();
    },
    stop: async () => {
      // SIGQUIT: without waiting for clients or a checkpoint; the data is thrown away. A stopped server must
      // wake first.
      server.kill("SIGCONT");
      await end(server, "SIGQUIT");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The postmaster comes first: stopped, it starts no further process. */
function signalFamily(postmaster: number, signal: NodeJS.Signals): void {
  process.kill(postmaster, signal);
  const children = readFileSync(`/proc/${String(postmaster)}/task/${String(postmaster)}/children`, "utf8");
  for (const pid of children.split(" ").filter((text) => text.trim() !== "")) {
    try {
      process.kill(Number(pid), signal);
    } catch (error) {
      // That connection has ended meanwhile.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.kill(signal);
  await exited;
}
