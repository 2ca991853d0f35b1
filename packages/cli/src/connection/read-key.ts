import { closeSync, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { requireFile } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

/** Longest key in bytes. */
const MAX_KEY_BYTES = 4_096;

/** Permissions that let somebody else read or change the file. */
const OF_OTHERS = 0o077;

/** Permissions to change the file: those of all, and those of others than its owner. */
const OF_WRITERS = 0o222;
const OF_OTHER_WRITERS = 0o022;

/** A key is header-safe text. @throws an Error that says so */
export function parseApiKey(text: string): string {
  if (!/^[!-~]+$/.test(text)) throw new Error("visible ASCII characters without spaces");
  return text;
}

/** What is called so where another secret is not named. */
const API_KEY = "an API key";

/** Reads a key from a file that its owner alone can read. @throws CommandFailure `usage` */
export function readKeyFile(path: string, what = API_KEY): string {
  return readChecked(path, what, checkedKey);
}

/** The same for a secret of another form, which may have spaces in it. @throws CommandFailure `usage` */
export function readTextFile(path: string, what: string): string {
  return readChecked(path, what, (text) => text.trim());
}

function readChecked(path: string, what: string, check: (text: string) => string): string {
  try {
    return check(readPrivateFile(path, requireOwnersAlone));
  } catch (error) {
    throw new CommandFailure(
      "usage",
      `${path}: expected a file of mode 600 with ${what}: ${readFault(error)}`,
      error,
    );
  }
}

/**
 * Reads the file that a variable such as SVC_API_KEY_FILE names. It may also be a secret that a container
 * runtime mounts: a file of another user, or one that nobody may write. @throws an Error that says why not
 */
export function readSecretFile(path: string): string {
  return readPrivateFile(path, (stats) => {
    const isMounted = stats.uid !== process.getuid?.() || (stats.mode & OF_WRITERS) === 0;
    if (!isMounted || (stats.mode & OF_OTHER_WRITERS) !== 0) requireOwnersAlone(stats);
  });
}

function readPrivateFile(path: string, requireMode: (stats: Stats) => void): string {
  const file = openSync(requireFile(path), "r");
  try {
    const stats = fstatSync(file);
    requireMode(stats);
    if (stats.size > MAX_KEY_BYTES) throw new Error(`more than ${String(MAX_KEY_BYTES)} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function requireOwnersAlone({ mode }: Stats): void {
  if ((mode & OF_OTHERS) !== 0)
    throw new Error(`its mode is ${(mode & 0o777).toString(8)}: run chmod 600 on it`);
}

/** Reads the key that stands alone on stdin. @throws CommandFailure `usage` */
export async function readKeyFromStdin(
  { stdin }: Pick<Terminal, "stdin">,
  { option, what } = { option: "--api-key-stdin", what: API_KEY },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_KEY_BYTES) break;
  }
  try {
    if (length > MAX_KEY_BYTES) throw new Error(`more than ${String(MAX_KEY_BYTES)} bytes`);
    return checkedKey(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    throw new CommandFailure("usage", `${option}: expected ${what} on stdin, found another text`, error);
  }
}

/** The text is not repeated: it may be a key all the same. */
function checkedKey(text: string): string {
  const key = text.trim();
  if (key === "") throw new Error("it is empty");
  return parseApiKey(key);
}
