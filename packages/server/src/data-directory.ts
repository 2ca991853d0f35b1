import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, stat, truncate, unlink } from "node:fs/promises";
import { join } from "node:path";
import {
  type LogCheckpoint,
  parseCheckpointLine,
  renderCheckpointLine,
} from "@svc/audit-log/checkpoint-line";
import { generateSigningKey } from "@svc/audit-log/note-key";
import { isIdentifier } from "@svc/contract/identifier";

/** Bytes of randomness in a generated gateway id. */
const GATEWAY_ID_BYTES = 6;

/** Only the service's own user may look into the data directory: it holds the signing key. */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** Bytes read from the end of the checkpoint file at start: some hundred checkpoints. */
const TAIL_BYTES = 64 * 1024;

const NEWLINE = 0x0a;

/** The files that a server keeps beside its store. */
export interface DataDirectory {
  readonly path: string;
  /** Names this writer's audit log. */
  readonly gatewayId: string;
  /** PKCS #8 PEM of the Ed25519 key that signs checkpoints. */
  readonly signingKeyPem: string;
  /**
   * Notes a public key, unless it is noted already. @returns every key that was ever noted, oldest first:
   * what was signed before a rotation is verified with the keys of then.
   */
  notePublicKey(verifierKey: string): Promise<readonly string[]>;
  /**
   * Mends the end of the checkpoint file after a crash. Only for who owns the store: nobody else then writes.
   */
  mendCheckpointFile(): Promise<void>;
  /** Appends one checkpoint as a JSON line; resolves when it is on disk. */
  appendCheckpoint(checkpoint: LogCheckpoint): Promise<void>;
  /**
   * The newest checkpoint of this log in the file; null when there is none. @throws when a line on the way to
   * it is no checkpoint: what the file proves is then unknown, which is not the same as nothing.
   */
  newestCheckpoint(): Promise<LogCheckpoint | null>;
}

export interface DataDirectoryOptions {
  readonly path: string;
  /** From the environment; null: kept in the directory, made on first start. */
  readonly gatewayId: string | null;
}

/**
 * Opens the data directory, creating what is missing. @throws naming the file when one cannot be read or
 * written.
 */
export async function openDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  const { path } = options;
  await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
  const newId = () => `gw_${randomBytes(GATEWAY_ID_BYTES).toString("hex")}`;
  const gatewayId = options.gatewayId ?? (await readOrCreate(join(path, "gateway-id"), newId)).trim();
  if (!isIdentifier(gatewayId))
    throw new Error(`${join(path, "gateway-id")}: ${JSON.stringify(gatewayId)} is no identifier`);
  const checkpointFile = join(path, "checkpoints.ndjson");
  return {
    path,
    gatewayId,
    signingKeyPem: await readOrCreate(join(path, "signing-key.pem"), generateSigningKey),
    notePublicKey: (verifierKey) => notePublicKey(join(path, "public-keys.txt"), verifierKey),
    mendCheckpointFile: () => endLastLine(checkpointFile),
    appendCheckpoint: (checkpoint) => writeDurably(checkpointFile, renderCheckpointLine(checkpoint), "a"),
    newestCheckpoint: () => newestCheckpointOf(checkpointFile, gatewayId),
  };
}

/** Reads a small text file, or creates it whole and on disk before it is used. */
async function readOrCreate(path: string, create: () => string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const unfinished = await writeBeside(path, create());
  try {
    // Unlike a rename this fails when another process was first: its text then counts.
    await link(unfinished, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(unfinished);
  }
  return readFile(path, "utf8");
}

/** Writes a whole new file, on disk before it is used, under a name that nobody else has. */
async function writeBeside(path: string, text: string): Promise<string> {
  const beside = `${path}.${randomBytes(GATEWAY_ID_BYTES).toString("hex")}`;
  await writeDurably(beside, text, "wx");
  return beside;
}

async function notePublicKey(path: string, verifierKey: string): Promise<readonly string[]> {
  const known = (await readOrCreate(path, () => "")).split("\n").filter((line) => line !== "");
  if (known.includes(verifierKey)) return known;
  const all = [...known, verifierKey];
  await rename(await writeBeside(path, `${all.join("\n")}\n`), path);
  return all;
}

async function writeDurably(path: string, text: string, flags: "wx" | "a"): Promise<void> {
  const file = await open(path, flags, FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * A crash can leave the start of a line at the end of the file: the checkpoint that it began was never told
 * to anybody. A whole line that lacks nothing but its end is kept.
 */
async function endLastLine(path: string): Promise<void> {
  const tail = await readTail(path);
  const last = tail.subarray(tail.lastIndexOf(NEWLINE) + 1);
  if (last.byteLength === 0) return;
  if (parseCheckpointLine(`${last.toString("utf8")}\n`) !== null) return writeDurably(path, "\n", "a");
  await truncate(path, (await stat(path)).size - last.byteLength);
}

/** The newest line that tells of this log. */
async function newestCheckpointOf(path: string, logId: string): Promise<LogCheckpoint | null> {
  const tail = await readTail(path);
  // A tail that was cut out of a longer file starts somewhere in a line.
  const start = tail.length < TAIL_BYTES ? 0 : tail.indexOf(NEWLINE) + 1;
  const lines = tail.toString("utf8", start).split("\n").slice(0, -1);
  for (const line of lines.reverse()) {
    const checkpoint = parseCheckpointLine(`${line}\n`);
    if (checkpoint === null) {
      throw new Error(
        `${path}: expected a checkpoint in every line, found ${JSON.stringify(line.slice(0, 80))}. ` +
          "Restore the file, or move it away to go on (keep it: it may prove a loss).",
      );
    }
    if (checkpoint.logId === logId) return checkpoint;
  }
  return null;
}

async function readTail(path: string): Promise<Buffer> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const position = Math.max(0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - position), position });
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0);
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
