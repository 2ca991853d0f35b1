import { readFile } from "node:fs/promises";
import { parseVerifierKey, type VerifierKey } from "@svc/audit-log/note-key";
import { CommandFailure } from "../exit-code.ts";
import { getText, type ServerAddress } from "../server-connection.ts";

/**
 * Keys from the command line: a file with one per line, or the text of one. Throws CommandFailure `usage`.
 */
export async function readPinnedKeys(fileOrText: string): Promise<readonly VerifierKey[]> {
  // A key's text is no likely file name, and a file name no key's text.
  const text = /^[^+/]+\+[0-9a-f]{8}\+/.test(fileOrText) ? fileOrText : await readKeyFile(fileOrText);
  const lines = text.split("\n").map((line) => line.trim());
  try {
    return requireSome(lines.filter((line) => line !== "").map(parseVerifierKey));
  } catch (error) {
    throw new CommandFailure("usage", `--public-key: ${messageOf(error)}`, error);
  }
}

/** Keys as the server names them. Throws CommandFailure `unreachable` when it names none. */
export async function fetchKeys(server: ServerAddress): Promise<readonly VerifierKey[]> {
  const text = await getText(server, "audit/public-key");
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    if (!Array.isArray(keys)) throw new TypeError(`expected {"keys": [...]}, found ${text.slice(0, 100)}`);
    return requireSome(keys.map((key) => parseVerifierKey(String(key))));
  } catch (error) {
    throw new CommandFailure(
      "unreachable",
      `the server's public keys cannot be read: ${messageOf(error)}`,
      error,
    );
  }
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new CommandFailure(
      "usage",
      `--public-key: expected a key or a readable file, found ${path}`,
      error,
    );
  }
}

function requireSome(keys: readonly VerifierKey[]): readonly VerifierKey[] {
  if (keys.length === 0) throw new TypeError("expected at least one key, found none");
  return keys;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
