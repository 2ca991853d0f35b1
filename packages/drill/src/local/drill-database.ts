import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { NetConnectOpts } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { DrillFault } from "../drill-fault.ts";
import { startLocalPostgres } from "./local-postgres.ts";

/** Milliseconds in which a server that the user named must answer. */
const CONNECT_TIMEOUT_MS = 5_000;

const DEFAULT_PORT = 5432;

/** A database that nothing but the drill uses. */
export interface DrillDatabase {
  /** Where links lead to. */
  readonly target: NetConnectOpts;
  /** Its address by way of a port of this machine. */
  urlAt(port: number): string;
  /** In words, for the report. */
  readonly description: string;
  remove(): Promise<void>;
}

/** @throws DrillFault */
export async function makeDrillDatabase(
  { folder, serverUrl }: { readonly folder: string; readonly serverUrl: string | null },
  signal: AbortSignal,
): Promise<DrillDatabase> {
  if (serverUrl !== null) return databaseOf(serverUrl);
  const own = join(folder, "pg");
  mkdirSync(own);
  const postgres = await startLocalPostgres(own, signal);
  return {
    target: { path: postgres.socketPath },
    urlAt: (port) => `postgres://${postgres.user}@127.0.0.1:${String(port)}/${postgres.database}`,
    description: "a PostgreSQL that the drill started",
    remove: () => postgres.stop(),
  };
}

async function databaseOf(serverUrl: string): Promise<DrillDatabase> {
  const url = requireOneServer(serverUrl);
  const name = `svc_drill_${randomBytes(6).toString("hex")}`;
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  const port = Number(url.port || DEFAULT_PORT);
  return {
    target: { host: url.hostname, port },
    urlAt: (ownPort) => {
      const own = new URL(serverUrl);
      own.hostname = "127.0.0.1";
      own.port = String(ownPort);
      own.pathname = `/${name}`;
      return own.href;
    },
    description: `a database of its own on ${url.hostname}:${String(port)}`,
    remove: () => runOn(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

function requireOneServer(serverUrl: string): URL {
  const url = URL.parse(serverUrl);
  const expected = "--database-url: expected postgres://user@host:port/database with one host";
  if (url === null || url.hostname === "" || url.searchParams.has("host"))
    throw new DrillFault("usage", `${expected}, because the drill breaks the link to it`);
  if (url.searchParams.get("sslmode") === "verify-full")
    throw new DrillFault("usage", `${expected} and sslmode require: the drill's link has another name`);
  return url;
}

async function runOn(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({
    connectionString: serverUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: CONNECT_TIMEOUT_MS,
  });
  // Its end is reported by the query that runs.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const what = statement.split(" ").slice(0, 2).join(" ");
    throw new DrillFault("unreachable", `--database-url: ${what} failed: ${why}`);
  } finally {
    await client.end();
  }
}
