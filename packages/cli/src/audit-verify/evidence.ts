import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { type LogCheckpoint, parseCheckpointLine } from "@svc/audit-log/checkpoint-line";
import { textLines } from "@svc/audit-log/text-lines";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { requireFile } from "../frame/read-input.ts";

/** Longest line of a checkpoint file in bytes: a note and its signatures. */
const MAX_LINE_BYTES = 64 * 1024;

/** Largest number of skipped lines that are named. */
const MAX_SKIPPED_NOTED = 20;

/** Checkpoints that were kept elsewhere. */
export interface Evidence {
  /** Ends with a CommandFailure `usage` when the file holds lines, and none of them is a checkpoint. */
  readonly checkpoints: AsyncIterable<LogCheckpoint>;
  /** Numbers of the first lines that were skipped: a full disk or a crash can leave such lines. */
  readonly skippedLines: readonly number[];
  /** True for a file without lines, such as one that was emptied. */
  readonly empty: boolean;
}

/**
 * The checkpoints that the file holds now; lines that are appended later are not read. None without a file.
 */
export async function openEvidence(path: string | null): Promise<Evidence> {
  const skippedLines: number[] = [];
  if (path === null) return { checkpoints: Readable.from([]), skippedLines, empty: false };
  try {
    const { size } = await stat(requireFile(path));
    const chunks = size === 0 ? Readable.from([]) : createReadStream(path, { end: size - 1 });
    return { checkpoints: checkpoints(chunks, path, skippedLines), skippedLines, empty: size === 0 };
  } catch (error) {
    throw new CommandFailure("usage", `--checkpoints: ${path} cannot be read: ${readFault(error)}`, error);
  }
}

/**
 * A skipped line does not weaken the check: an attacker who can damage a line could also remove it, and rows
 * without a checkpoint are reported as not signed.
 */
async function* checkpoints(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  skippedLines: number[],
): AsyncGenerator<LogCheckpoint> {
  let number = 0;
  let found = 0;
  try {
    for await (const line of textLines(chunks, MAX_LINE_BYTES, "replaced")) {
      number += 1;
      // The last line may be incomplete while the file is being appended to.
      if (!line.endsWith("\n")) break;
      const checkpoint = parseCheckpointLine(line);
      if (checkpoint !== null) {
        found += 1;
        yield checkpoint;
      } else if (skippedLines.length < MAX_SKIPPED_NOTED) skippedLines.push(number);
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure("usage", `--checkpoints: ${path}, line ${number}: ${message}`, error);
  }
  if (found === 0 && skippedLines.length > 0) {
    throw new CommandFailure(
      "usage",
      `--checkpoints: ${path}, line 1: expected a checkpoint as in checkpoints.ndjson of the server; ` +
        "no line of the file is one",
    );
  }
}
