import { parseCheckpoint } from "./checkpoint.ts";
import { CheckpointFeed } from "./checkpoint-feed.ts";
import type { LogCheckpoint } from "./checkpoint-line.ts";
import type { LogReport } from "./log-report.ts";
import { LogVerifier, type VerifiableRow } from "./log-verifier.ts";
import type { VerifierKey } from "./note-key.ts";

/** Rows between two calls of `onProgress`. */
export const PROGRESS_ROWS = 10_000;

export interface VerifyLogOptions {
  readonly logId: string;
  /** All rows, ascending from sequence number 0. */
  readonly rows: AsyncIterable<VerifiableRow>;
  /** Notes by ascending size. They are read only as far as the rows have come. */
  readonly checkpoints: AsyncIterable<string> | Iterable<string>;
  /** Every key that may have signed checkpoints of this log, retired ones included. */
  readonly keys: readonly VerifierKey[];
  readonly onProgress?: (rows: number) => void;
}

/** Verifies one log in bounded memory. Rejects only when reading its rows or checkpoints does. */
export async function verifyLog(options: VerifyLogOptions): Promise<LogReport> {
  const { logId } = options;
  const verifier = new LogVerifier(logId, options.keys);
  const feed = new CheckpointFeed(named(logId, options.checkpoints), ({ note }) =>
    verifier.addCheckpoint(note),
  );
  for await (const row of options.rows) {
    if (feed.isBehind(logId, verifier.rows)) await feed.advance(logId, verifier.rows);
    verifier.addRow(row);
    if (verifier.rows % PROGRESS_ROWS === 0) options.onProgress?.(verifier.rows);
  }
  await feed.finish();
  return verifier.report();
}

/** A note that cannot be read is handed on at once: size 0 holds up nothing. */
async function* named(logId: string, notes: VerifyLogOptions["checkpoints"]): AsyncGenerator<LogCheckpoint> {
  for await (const note of notes) yield { logId, size: parseCheckpoint(note)?.size ?? 0, note };
}
