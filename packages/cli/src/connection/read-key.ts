import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/read-fault.ts";
import type { Terminal } from "../frame/terminal.ts";

/** Longest key in bytes. */
const MAX_KEY_BYTES = 4_096;

/** Permissions that let somebody else read or change the file. */
const OF_OTHERS = 0o077;

/** A key is header-safe text. @throws an Error that says so */
export function parseApiKey(text: string): string {
  if (!/^[!-~]+$/.test(text)) throw new Error("visible ASCII characters without spaces");
  return text;
}

/** Reads a key from a file that its owner alone can read. @throws CommandFailure `usage` */
export function readKeyFile(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const { mode, size } = fstatSync(file);
      if ((mode & OF_OTHERS) !== 0)
        throw new Error(`its mode is ${(mode & 0o777).toString(8)}: run chmod 600 on it`);
      if (size > MAX_KEY_BYTES) throw new Error(`more than ${String(MAX_KEY_BYTES)} bytes`);
      return checkedKey(readFileSync(file, "utf8"));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new CommandFailure(
      "usage",
      `${path}: expected a file of mode 600 with an API key: ${readFault(error)}`,
      error,
    );
  }
}

/** Reads the key that stands alone on stdin. @throws CommandFailure `usage` */
export async function readKeyFromStdin({ stdin }: Pick<Terminal, "stdin">): Promise<string> {
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
    throw new CommandFailure(
      "usage",
      "--api-key-stdin: expected an API key on stdin, found another text",
      error,
    );
  }
}

/** The text is not repeated: it may be a key all the same. */
function checkedKey(text: string): string {
  const key = text.trim();
  if (key === "") throw new Error("it is empty");
  return parseApiKey(key);
}
