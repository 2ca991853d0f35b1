import { createWriteStream, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { CommandFailure } from "./exit-code.ts";
import { readFault } from "./files.ts";
import type { Terminal } from "./terminal.ts";

/** Read and written by its owner, and read by its group: evidence holds arguments of calls. */
const MODE = 0o640;

/**
 * Writes what streams in to a file, which is there only when it is whole.
 * @returns the path
 * @throws CommandFailure `usage` for a file that is there, or that cannot be written
 */
export async function writeStream(
  chunks: AsyncIterable<Uint8Array>,
  out: string,
  { workingDirectory }: Pick<Terminal, "workingDirectory">,
): Promise<string> {
  const path = resolve(workingDirectory, out);
  const unfinished = `${path}.part`;
  try {
    await pipeline(chunks, createWriteStream(unfinished, { flags: "wx", mode: MODE, flush: true }));
    renameSync(unfinished, path);
    return path;
  } catch (error) {
    if (!isTaken(error)) rmSync(unfinished, { force: true });
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure("usage", `--out: ${unfinished} cannot be written: ${readFault(error)}`, error);
  }
}

/** The file is that of another command, or of one that was killed. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
