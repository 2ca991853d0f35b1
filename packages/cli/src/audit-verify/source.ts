import { createReadStream } from "node:fs";
import type { VerifierKey } from "@svc/audit-log/note-key";
import { CommandFailure } from "../exit-code.ts";
import { getStream, type ServerAddress } from "../server-connection.ts";
import type { Terminal } from "../terminal.ts";
import { fetchKeys } from "./trusted-keys.ts";

/**
 * Where the keys come from: pinned ones are evidence, the server's own say only that it agrees with itself.
 */
export type KeysFrom = "pinned" | "server";

/** An export as it streams in, and the keys to verify it with. */
export interface VerificationSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly keys: readonly VerifierKey[];
  readonly keysFrom: KeysFrom;
}

export async function onlineSource(
  server: ServerAddress,
  pinned: readonly VerifierKey[] | null,
): Promise<VerificationSource> {
  const chunks = getStream(server, "audit/export");
  if (pinned !== null) return { chunks, keys: pinned, keysFrom: "pinned" };
  return { chunks, keys: await fetchKeys(server), keysFrom: "server" };
}

/** `-` is stdin. */
export function fileSource(
  path: string,
  keys: readonly VerifierKey[],
  terminal: Terminal,
): VerificationSource {
  const stream = path === "-" ? terminal.stdin : (createReadStream(path) as AsyncIterable<Uint8Array>);
  return { chunks: readable(path, stream), keys, keysFrom: "pinned" };
}

async function* readable(path: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new CommandFailure("usage", `--file: ${path} cannot be read: ${String(error)}`, error);
  }
}
