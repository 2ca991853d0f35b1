import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { LogCheckpoint } from "@svc/audit-log/checkpoint-line";
import { generateSigningKey } from "@svc/audit-log/note-key";
import { isIdentifier } from "@svc/contract/identifier";
import { CheckpointFile, type FileDamage } from "./checkpoint-file.ts";

/** Bytes of randomness in a generated gateway id. */
const GATEWAY_ID_BYTES = 6;

/** Only the service's own user may open the data directory, because it holds the signing key. */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** The files that a server keeps beside its store. */
export interface DataDirectory {
  readonly path: string;
  /** Names this writer's audit log. */
  readonly gatewayId: string;
  /** PKCS #8 PEM of the Ed25519 key that signs checkpoints. */
  readonly signingKeyPem: string;
  /**
   * Records a public key, unless it is recorded already. @returns every recorded key, oldest first.
   * Checkpoints from before a rotation are verified with the earlier keys.
   */
  notePublicKey(verifierKey: string): Promise<readonly string[]>;
  /**
   * Repairs the end of the checkpoint file after a crash. Only for the owner of the store: no other
   * process writes then.
   */
  mendCheckpointFile(): Promise<void>;
  /** Appends one checkpoint as a JSON line; resolves when it is on disk. */
  appendCheckpoint(checkpoint: LogCheckpoint): Promise<void>;
  /** The newest checkpoint of this log in the file; null when there is none. Damaged lines are skipped. */
  newestCheckpoint(): Promise<LogCheckpoint | null>;
}

export interface DataDirectoryOptions {
  readonly path: string;
  /** From the environment; null: the first start makes one and keeps it in the directory. */
  readonly gatewayId: string | null;
  /** Called once, when the checkpoint file holds lines that are not checkpoints. */
  readonly onDamage: (damage: FileDamage) => void;
}

/**
 * Opens the data directory and creates the files that are missing. @throws naming the file that cannot be
 * read or written.
 */
export async function openDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  const { path } = options;
  await mkdir(path, { recursive: true, mode: DIRECTORY_MODE }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`SVC_DATA_DIR: expected a directory that can be made: ${why}`, { cause: error });
  });
  const newId = () => `gw_${randomBytes(GATEWAY_ID_BYTES).toString("hex")}`;
  const gatewayId = options.gatewayId ?? (await readOrCreate(join(path, "gateway-id"), newId)).trim();
  if (!isIdentifier(gatewayId))
    throw new Error(`${join(path, "gateway-id")}: ${JSON.stringify(gatewayId)} is not an identifier`);
  const { onDamage } = options;
  const checkpoints = new CheckpointFile({ path: join(path, "checkpoints.ndjson"), onDamage });
  return {
    path,
    gatewayId,
    signingKeyPem: await readOrCreate(join(path, "signing-key.pem"), generateSigningKey),
    notePublicKey: (verifierKey) => notePublicKey(join(path, "public-keys.txt"), verifierKey),
    mendCheckpointFile: () => checkpoints.mend(),
    appendCheckpoint: (checkpoint) => checkpoints.append(checkpoint),
    newestCheckpoint: () => checkpoints.newest(gatewayId),
  };
}

/** Reads a small text file, or creates it. A new file is complete and on disk before it is used. */
async function readOrCreate(path: string, create: () => string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const unfinished = await writeBeside(path, create());
  try {
    // Unlike a rename, this fails when another process was first. The text of that process then counts.
    await link(unfinished, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(unfinished);
  }
  return readFile(path, "utf8");
}

/** Writes a new file under a unique name. Resolves when it is on disk. */
async function writeBeside(path: string, text: string): Promise<string> {
  const beside = `${path}.${randomBytes(GATEWAY_ID_BYTES).toString("hex")}`;
  try {
    await writeDurably(beside, text, "wx");
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    // The message of a full disk names no file.
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} cannot be written: ${why}`, { cause: error });
  }
  return beside;
}

async function notePublicKey(path: string, verifierKey: string): Promise<readonly string[]> {
  const known = (await readOrCreate(path, () => "")).split("\n").filter((line) => line !== "");
  if (known.includes(verifierKey)) return known;
  const all = [...known, verifierKey];
  await rename(await writeBeside(path, `${all.join("\n")}\n`), path);
  return all;
}

async function writeDurably(path: string, text: string, flags: "wx"): Promise<void> {
  const file = await open(path, flags, FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
