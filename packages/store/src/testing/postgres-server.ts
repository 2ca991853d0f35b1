// peers: postgres
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { asOwner, giveAway, runAsOwner } from "@svc/process/postgres-owner";

/** Databases of a real PostgreSQL server with fsync. */
export interface PostgresDatabases {
  /** Connection URL of a database with nothing in it. */
  readonly url: string;
  /** Folder of its socket. */
  readonly directory: string;
  /** Makes another empty database and resolves with its URL. */
  createDatabase(): Promise<string>;
  /** URL of a database by its name. */
  urlOf(database: string): string;
  /** Runs a statement as superuser. @throws when it fails */
  query(text: string): Promise<string>;
}

/** A server of one test, on a socket in a directory of its own, to be broken. */
export interface PostgresServer extends PostgresDatabases {
  /** Process id of the postmaster, for faults; another one after `restart`. */
  readonly pid: number;
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

/** A folder in memory, and the bytes that must be free there for the databases of a whole run of tests. */
const MEMORY = "/dev/shm";
const MEMORY_NEEDED = 4 * 1024 ** 3;

/** Milliseconds for the server to answer after its start, and to end. */
const START_DEADLINE_MS = 20_000;
const POLL_MS = 20;

const READY = /ready to accept (?:read-only )?connections/;

const SUPERUSER = "svc";
const PORT = 5432;

export interface PostgresServerOptions {
  /**
   * Its data is in memory where the machine has enough: no commit waits for a disk that something else keeps
   * busy, such as an installation. For tests in which the disk plays no part.
   */
  readonly inMemory?: boolean;
  /** Starts a standby that streams from this server. It accepts no writes until it is promoted. */
  readonly standbyOf?: PostgresServer;
  /** Further lines of its configuration. */
  readonly settings?: readonly string[];
  /** Lines of pg_hba.conf; without them everybody is trusted. */
  readonly access?: readonly string[];
}

/** @throws when the machine has no PostgreSQL or it does not start; its output is in the message. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const programs = findPostgresPrograms();
  if (programs === null) throw new Error("no PostgreSQL programs: expected initdb and postgres on PATH");
  const directory = mkdtempSync(join(options.inMemory === true ? memoryFolder() : PARENT, "svc-pg-"));
  const data = join(directory, "data");
  try {
    await giveAway(directory);
    if (options.standbyOf === undefined) makeData(programs, data);
    else copyData(programs, data, options.standbyOf);
    writeFileSync(
      join(data, "postgresql.auto.conf"),
      `${recoveryLines(data)}${settings(directory)}${(options.settings ?? []).join("\n")}\n`,
    );
    if (options.access !== undefined)
      writeFileSync(join(data, "pg_hba.conf"), `${options.access.join("\n")}\n`);
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

function memoryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_NEEDED ? MEMORY : PARENT;
  } catch {
    // A system without such a folder.
    return PARENT;
  }
}

function makeData(programs: string, data: string): void {
  const args = [
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--auth=trust",
    `--username=${SUPERUSER}`,
    "--no-sync",
  ];
  runAsOwner(join(programs, "initdb"), [...args, "-D", data]);
}

function copyData(programs: string, data: string, { directory }: PostgresServer): void {
  const from = ["-h", directory, "-p", String(PORT), "-U", SUPERUSER];
  const how = ["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"];
  runAsOwner(join(programs, "pg_basebackup"), [...from, ...how, "-D", data]);
}

/** Where a standby streams from, as pg_basebackup wrote it; empty for a primary. */
function recoveryLines(data: string): string {
  const path = join(data, "postgresql.auto.conf");
  const lines = readFileSync(path, "utf8").split("\n");
  return lines
    .filter((line) => line.startsWith("primary_conninfo"))
    .map((line) => `${line}\n`)
    .join("");
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
  while (!(READY.test(output) && (await canConnect(socketPath)))) {
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

/** @param psql path of the client program */
export function databasesAt(directory: string, psql: string): PostgresDatabases {
  const urlOf = (database: string): string =>
    `postgres://${SUPERUSER}@localhost/${database}?host=${encodeURIComponent(directory)}&port=${String(PORT)}`;
  const query = async (text: string): Promise<string> => {
    const args = ["-h", directory, "-p", String(PORT), "-U", SUPERUSER, "-d", "postgres"];
    const run = promisify(execFile);
    return (await run(psql, [...args, "-v", "ON_ERROR_STOP=1", "-qtAc", text])).stdout.trim();
  };
  return {
    url: urlOf("postgres"),
    urlOf,
    directory,
    query,
    createDatabase: async () => {
      const name = `test_${randomBytes(6).toString("hex")}`;
      await query(`CREATE DATABASE ${name}`);
      return urlOf(name);
    },
  };
}

interface HandleParts {
  readonly directory: string;
  readonly psql: string;
  readonly start: () => Promise<ChildProcess>;
}

function handle(first: ChildProcess, { directory, psql, start }: HandleParts): PostgresServer {
  let server = first;
  return {
    ...databasesAt(directory, psql),
    get pid() {
      if (server.pid === undefined) throw new Error("PostgreSQL has no process id");
      return server.pid;
    },
    signal: (signal) => signalFamily(server.pid ?? 0, signal),
    crash: () => end(server, "SIGKILL"),
    restart: async () => {
      server = await startAgain(start);
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

/** What a start says while processes of a killed server are still there. They end by themselves. */
const NOT_ENDED = "pre-existing shared memory block";

async function startAgain(start: HandleParts["start"]): Promise<ChildProcess> {
  const deadline = performance.now() + START_DEADLINE_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isEarly = error instanceof Error && error.message.includes(NOT_ENDED);
      if (!isEarly || performance.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
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
