import { createHash, type Hash } from "node:crypto";
import type { LogCheckpoint } from "@svc/audit-log/checkpoint-line";
import type { LogReport } from "@svc/audit-log/log-report";
import type { VerifierKey } from "@svc/audit-log/note-key";
import { getStream, type ServerAddress } from "../connection/server-connection.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/read-fault.ts";
import { openInput } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import { fetchKeys } from "./trusted-keys.ts";
import { verifySource } from "./verify-source.ts";

/**
 * Where the keys come from. Pinned keys are evidence. The keys of a server, a data directory or a database
 * prove only that it agrees with itself.
 */
export type KeysFrom = "pinned" | "server" | "data_directory" | "database";

/** Where the rows come from. The advice about a finding depends on it. */
export type ExportFrom = "file" | "server" | "store";

/** How much is verified, and beside what. */
export interface Verifying {
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
