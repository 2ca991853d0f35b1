import { CheckpointFeed } from "./checkpoint-feed.ts";
import type { LogCheckpoint } from "./checkpoint-line.ts";
import { ExportError } from "./framed-lines.ts";
import type { LogReport } from "./log-report.ts";
import { LogVerifier } from "./log-verifier.ts";
import type { VerifierKey } from "./note-key.ts";
import type { ExportRecord } from "./parse-export.ts";
import { PROGRESS_ROWS } from "./verify-log.ts";

export interface VerifyExportOptions {
  readonly records: AsyncIterable<ExportRecord>;
  /**
   * Checkpoints kept elsewhere, ascending by size within each log. Only they show that the end of a log was
   * cut off together with its checkpoints, or that a whole log is gone.
   */
  readonly evidence: AsyncIterable<LogCheckpoint>;
  readonly keys: readonly VerifierKey[];
  readonly onProgress?: (rows: number) => void;
}

/** Lines of the export were changed, removed or added. What was found before may name the place. */
export class ChangedExportError extends ExportError {
  override readonly name = "ChangedExportError";
  /** By log id, as far as the export could be read. */
  readonly logs: readonly LogReport[];

  constructor(cause: ExportError, logs: readonly LogReport[]) {
    super(cause.code, cause.message, cause);
    this.logs = logs;
  }
}

/**
 * Verifies all logs of an export in one pass; reports by log id. Rejects with ChangedExportError when its
 * lines were changed, and else only when a side cannot be read.
 */
export async function verifyExport(options: VerifyExportOptions): Promise<readonly LogReport[]> {
  const logs = new LogVerifiers(options.keys);
  const feed = new CheckpointFeed(options.evidence, ({ logId, note }) => logs.of(logId).addCheckpoint(note));
  try {
    await addRecords(options, logs, feed);
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== "malformed") throw error;
    throw new ChangedExportError(error, logs.reports());
  }
  await feed.finish();
  return logs.reports();
}

async function addRecords(
  options: VerifyExportOptions,
  logs: LogVerifiers,
  feed: CheckpointFeed,
): Promise<void> {
  let rows = 0;
  for await (const record of options.records) {
    if (record.kind === "checkpoint") {
      logs.of(record.logId).addCheckpoint(record.note);
      continue;
    }
    if (record.kind === "removal") {
      logs.of(record.logId).addRemoval(record.note);
      continue;
    }
    const { logId } = record.row;
    const verifier = logs.of(logId);
    if (feed.isBehind(logId, verifier.rows)) await feed.advance(logId, verifier.rows);
    verifier.addRow(record.row);
    rows += 1;
    if (rows % PROGRESS_ROWS === 0) options.onProgress?.(rows);
  }
}

class LogVerifiers {
  readonly #keys: readonly VerifierKey[];
  readonly #byLogId = new Map<string, LogVerifier>();

  constructor(keys: readonly VerifierKey[]) {
    this.#keys = keys;
  }

  of(logId: string): LogVerifier {
    const known = this.#byLogId.get(logId);
    if (known !== undefined) return known;
    const verifier = new LogVerifier(logId, this.#keys);
    this.#byLogId.set(logId, verifier);
    return verifier;
  }

  reports(): readonly LogReport[] {
    const byLogId = [...this.#byLogId].sort(([left], [right]) => (left < right ? -1 : 1));
    return byLogId.map(([, verifier]) => verifier.report());
  }
}
