import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path/posix";
import type { LogCheckpoint } from "@svc/audit-log/checkpoint-line";
import type { LogReport } from "@svc/audit-log/log-report";
import { parseVerifierKey, renderVerifierKey, type VerifierKey } from "@svc/audit-log/note-key";
import { verifyExport } from "@svc/audit-log/verify-export";
import { openLogDatabase } from "@svc/store/open-log-database";
import { openLogFile } from "@svc/store/open-log-file";
import type { LogReader } from "@svc/store/ports/log-reader";
import { getStream, type ServerAddress } from "../connection/server-connection.ts";
import { readDatabaseUrl } from "../connection/server-options.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { openInput } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import { logRecords } from "./log-records.ts";
import { fetchKeys, readPinnedKeys } from "./trusted-keys.ts";
import { verifySource } from "./verify-source.ts";

/**
 * Where the keys come from. Pinned keys are evidence. The keys of a server, a data directory or a database
 * prove only that it agrees with itself.
 */
export type KeysFrom = "pinned" | "server" | "data_directory" | "database";

/** Where the rows come from. The advice about a finding depends on it. */
export type ExportFrom = "file" | "server" | "store";

/** How much is verified, and beside what. */
interface Verifying {
  /** Checkpoints kept elsewhere. */
  readonly evidence: AsyncIterable<LogCheckpoint>;
  readonly onProgress: (rows: number) => void;
}

/** What is verified, and the keys to verify it with. */
export interface VerificationSource {
  readonly verify: (verifying: Verifying) => Promise<readonly LogReport[]>;
  readonly keys: readonly VerifierKey[];
  readonly keysFrom: KeysFrom;
  readonly exportFrom: ExportFrom;
  /** `sha256:` and hex of a file once it was read; null when it was not read to its end. */
  readonly digest?: () => string | null;
}

export async function onlineSource(
  server: ServerAddress,
  pinned: readonly VerifierKey[] | null,
): Promise<VerificationSource> {
  const chunks = getStream(server, "audit/export");
  const keys = pinned ?? (await fetchKeys(server));
  const keysFrom = pinned === null ? "server" : "pinned";
  const verify = (verifying: Verifying) => verifySource({ ...verifying, chunks, keys });
  return { verify, keys, keysFrom, exportFrom: "server" };
}

/** `-` is stdin. */
export function fileSource(
  path: string,
  keys: readonly VerifierKey[],
  terminal: Terminal,
): VerificationSource {
  const hash = createHash("sha256");
  let digest: string | null = null;
  const chunks = hashed(readable(path, terminal), hash, () => (digest = `sha256:${hash.digest("hex")}`));
  const verify = (verifying: Verifying) => verifySource({ ...verifying, chunks, keys });
  return { verify, keys, keysFrom: "pinned", exportFrom: "file", digest: () => digest };
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  hash: Hash,
  onEnd: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  onEnd();
}

async function* readable(path: string, terminal: Terminal): AsyncGenerator<Uint8Array> {
  try {
    yield* openInput(path, terminal);
  } catch (error) {
    throw new CommandFailure("usage", `--file: ${path} cannot be read: ${readFault(error)}`, error);
  }
}

interface StoreAddress {
  /** Where the database is, or where keys and checkpoints of `databaseUrl` are. */
  readonly dataDir: string | undefined;
  /** True: in the environment. */
  readonly databaseUrl: string | true | undefined;
  readonly pinned: readonly VerifierKey[] | null;
}

const DATABASE_FILE = "svc.db";
const KEYS_FILE = "public-keys.txt";

/** Reads the logs where the server keeps them, whether it runs or not. */
export async function storeSource(address: StoreAddress, terminal: Terminal): Promise<VerificationSource> {
  const { dataDir, databaseUrl, pinned } = address;
  const directory = dataDir === undefined ? null : resolve(terminal.workingDirectory, dataDir);
  const open = openerOf(directory, databaseUrl, terminal);
  const { keys, keysFrom } = await keysOf(open, { directory, pinned }, terminal);
  return { verify: (verifying) => verifyStore(open, keys, verifying), keys, keysFrom, exportFrom: "store" };
}

interface KeyPlaces {
  readonly directory: string | null;
  readonly pinned: readonly VerifierKey[] | null;
}

/** Pinned keys, else those of the directory, else those that the processes noted in the database. */
async function keysOf(
  open: () => Promise<LogReader>,
  { directory, pinned }: KeyPlaces,
  terminal: Terminal,
): Promise<Pick<VerificationSource, "keys" | "keysFrom">> {
  if (pinned !== null) return { keys: pinned, keysFrom: "pinned" };
  const file = directory === null ? null : join(directory, KEYS_FILE);
  const own = file !== null && existsSync(file) ? await readPinnedKeys(file, terminal) : [];
  const noted = await readNotedKeys(open);
  const known = new Set(own.map(renderVerifierKey));
  const keys = [...own, ...noted.filter((key) => !known.has(renderVerifierKey(key)))];
  if (keys.length === 0)
    throw new CommandFailure("usage", "--public-key: expected the public keys, because the store holds none");
  return { keys, keysFrom: keys.length > own.length ? "database" : "data_directory" };
}

async function readNotedKeys(open: () => Promise<LogReader>): Promise<readonly VerifierKey[]> {
  const reader = await open();
  try {
    return (await reader.verifierKeys()).map(parseVerifierKey);
  } catch (error) {
    throw new CommandFailure("unreachable", `the public keys cannot be read: ${messageOf(error)}`, error);
  } finally {
    await reader.close();
  }
}

function openerOf(
  directory: string | null,
  databaseUrl: string | true | undefined,
  terminal: Terminal,
): () => Promise<LogReader> {
  if (databaseUrl !== undefined) {
    const url = readDatabaseUrl(databaseUrl, terminal);
    return () => openLogDatabase(url).catch(refuseDatabase);
  }
  if (directory === null || !existsSync(join(directory, DATABASE_FILE)))
    throw new CommandFailure(
      "usage",
      `--data-dir: expected the directory of a server, found no ${DATABASE_FILE} in ${String(directory)}`,
    );
  return () =>
    openLogFile(directory).catch((error: unknown) => {
      throw new CommandFailure("usage", `--data-dir: ${messageOf(error)}`, error);
    });
}

async function verifyStore(
  open: () => Promise<LogReader>,
  keys: readonly VerifierKey[],
  { evidence, onProgress }: Verifying,
) {
  const reader = await open();
  try {
    const reports = await verifyExport({ records: logRecords(reader), evidence, keys, onProgress });
    await reader.close();
    return reports;
  } catch (error) {
    await reader.close().catch(() => undefined);
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure("unreachable", `the rows could not be read: ${messageOf(error)}`, error);
  }
}

/** PostgreSQL's class of codes for credentials that are refused. */
const INVALID_AUTHORIZATION = "28";
function refuseDatabase(error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const exit = code.startsWith(INVALID_AUTHORIZATION) ? "refused" : "unreachable";
  throw new CommandFailure(exit, `--database-url: the database cannot be read: ${messageOf(error)}`, error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
