import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { type LogCheckpoint, parseCheckpointLine } from "@svc/audit-log/checkpoint-line";
import { textLines } from "@svc/audit-log/text-lines";
import { CommandFailure } from "../exit-code.ts";

/** Longest line of a checkpoint file in bytes: a note and its signatures. */
const MAX_LINE_BYTES = 64 * 1024;

/** The checkpoints of a file as it is now: what is appended later is not read. None without a file. */
export async function openEvidence(path: string | null): Promise<AsyncIterable<LogCheckpoint>> {
  if (path === null) return checkpoints(Readable.from([]), "");
  try {
    const { size } = await stat(path);
    const chunks = size === 0 ? Readable.from([]) : createReadStream(path, { end: size - 1 });
    return checkpoints(chunks, path);
  } catch (error) {
    throw new CommandFailure("usage", `--checkpoints: ${path} cannot be read: ${String(error)}`, error);
  }
}

async function* checkpoints(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<LogCheckpoint> {
  let number = 0;
  try {
    for await (const line of textLines(chunks, MAX_LINE_BYTES)) {
      number += 1;
      // The last line of a file that is being appended to need not be whole.
      if (!line.endsWith("\n")) return;
      const checkpoint = parseCheckpointLine(line);
      if (checkpoint === null) throw new TypeError("expected a checkpoint");
      yield checkpoint;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure("usage", `--checkpoints: ${path}, line ${number}: ${message}`, error);
  }
}
