import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { VerifierKey } from "@svc/audit-log/note-key";
import { CommandFailure } from "../exit-code.ts";
import { getStream, type ServerAddress } from "../server-connection.ts";
import type { Terminal } from "../terminal.ts";
import { fetchKeys } from "./trusted-keys.ts";

/**
 * Where the keys come from. Pinned keys are evidence. The server's own keys prove only that the server
 * agrees with itself.
 */
export type KeysFrom = "pinned" | "server";

/** Where the export comes from. The advice about a finding depends on it. */
export type ExportFrom = "file" | "server";

/** An export as it streams in, and the keys to verify it with. */
export interface VerificationSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly keys: readonly VerifierKey[];
  readonly keysFrom: KeysFrom;
  readonly exportFrom: ExportFrom;
}

export async function onlineSource(
  server: ServerAddress,
  pinned: readonly VerifierKey[] | null,
): Promise<VerificationSource> {
  const chunks = getStream(server, "audit/export");
  if (pinned !== null) return { chunks, keys: pinned, keysFrom: "pinned", exportFrom: "server" };
  return { chunks, keys: await fetchKeys(server), keysFrom: "server", exportFrom: "server" };
}

/** `-` is stdin. */
export function fileSource(
  path: string,
  keys: readonly VerifierKey[],
  terminal: Terminal,
): VerificationSource {
  const stream =
    path === "-"
      ? terminal.stdin
      : (createReadStream(resolve(terminal.workingDirectory, path)) as AsyncIterable<Uint8Array>);
  return { chunks: readable(path, stream), keys, keysFrom: "pinned", exportFrom: "file" };
}

async function* readable(path: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new CommandFailure("usage", `--file: ${path} cannot be read: ${String(error)}`, error);
  }
}
