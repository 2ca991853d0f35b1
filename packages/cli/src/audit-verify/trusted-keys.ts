import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseVerifierKey, type VerifierKey } from "@svc/audit-log/note-key";
import { parseJson } from "@svc/text/parse-json";
import { getText, type ServerAddress } from "../connection/server-connection.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { requireFile } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

const JSON_FIX = '; write each key of the list "keys" without quotes on a line of its own';

/** How a public key begins: its name and its id. */
const KEY_FORM = /^[^+\s]+\+[0-9a-f]{8}\+/;

/**
 * Keys from the command line: a file with one per line, or the text of one. Throws CommandFailure `usage`.
 */
export async function readPinnedKeys(
  fileOrText: string,
  { workingDirectory }: Pick<Terminal, "workingDirectory">,
): Promise<readonly VerifierKey[]> {
  // The text of a key is unlikely to be the name of a file.
  const isText = KEY_FORM.test(fileOrText) && !fileOrText.split("+", 1)[0]?.includes("/");
  const text = isText ? fileOrText : await readKeyFile(resolve(workingDirectory, fileOrText));
  const lines = text.split("\n").map((line) => line.trim());
  try {
    return requireSome(lines.flatMap((line, at) => (line === "" ? [] : [keyOfLine(line, at + 1)])));
  } catch (error) {
    const fix = /^\s*\{\s*"keys"/.test(text) ? JSON_FIX : "";
    throw new CommandFailure("usage", `--public-key: ${messageOf(error)}${fix}`, error);
  }
}

/** Keys as the server names them. Throws CommandFailure `unreachable` when it names none. */
export async function fetchKeys(server: ServerAddress): Promise<readonly VerifierKey[]> {
  const text = await getText(server, "audit/public-key");
  try {
    const { keys } = parseJson(text) as { keys?: unknown };
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
    return await readFile(requireFile(path), "utf8");
  } catch (error) {
    throw new CommandFailure(
      "usage",
      `--public-key: expected a key or a readable file, found ${path}: ${readFault(error)}`,
      error,
    );
  }
}

/** A line that is not a key is not shown: the file may be that of an API key. */
function keyOfLine(line: string, number: number): VerifierKey {
  if (KEY_FORM.test(line)) return parseVerifierKey(line);
  throw new TypeError(
    `line ${String(number)}: expected a key as <name>+<8 hex digits>+<base64>, found another text of ` +
      `${String(line.length)} characters (not shown)`,
  );
}

function requireSome(keys: readonly VerifierKey[]): readonly VerifierKey[] {
  if (keys.length === 0) throw new TypeError("expected at least one key, found none");
  return keys;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Most given keys that are named, as count: a file of keys may hold those of many years. */
const MAX_NAMED_KEYS = 5;

/**
 * Why evidence cannot be judged: none of the keys signed it.
 * @param needed the keys that the evidence names, as `<name>+<id>`
 */
export function noKeyFits(what: string, given: readonly VerifierKey[], needed: readonly string[]): string {
  const named = given.slice(0, MAX_NAMED_KEYS).map(({ name, id }) => `${name}+${id}`);
  const more = given.length - named.length;
  const rest = more === 0 ? "" : ` and ${String(more)} more`;
  const keys = `given ${named.join(", ")}${rest}, needed ${needed.join(" or ")}`;
  return `${what}: ${keys}; is it the right key file?`;
}
