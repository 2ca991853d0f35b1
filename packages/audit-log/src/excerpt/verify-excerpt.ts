import type { LogCheckpoint } from "../checkpoint-line.ts";
import { ExportError } from "../framed-lines.ts";
import type { LogReport } from "../log-report.ts";
import type { VerifierKey } from "../note-key.ts";
import { ChangedExportError } from "../verify-export.ts";
import { PROGRESS_ROWS } from "../verify-log.ts";
import { ExcerptVerifier } from "./excerpt-verifier.ts";
import type { ExcerptRecord } from "./parse-excerpt.ts";
import { NO_FILTER, type RowFilter } from "./row-filter.ts";

export interface VerifyExcerptOptions {
  readonly records: AsyncIterable<ExcerptRecord>;
  /** Checkpoints kept elsewhere. Only they show that the end of a log was cut off. */
  readonly evidence: AsyncIterable<LogCheckpoint>;
  readonly keys: readonly VerifierKey[];
  readonly onProgress?: (rows: number) => void;
}

/**
 * Verifies an excerpt in one pass; reports by log id. Rejects with ChangedExportError when its lines were
 * changed, and else only when a side cannot be read.
 */
export async function verifyExcerpt(options: VerifyExcerptOptions): Promise<readonly LogReport[]> {
  const logs = new ExcerptVerifiers(options.keys);
  try {
    await addRecords(options, logs);
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== "malformed") throw error;
    throw new ChangedExportError(error, logs.reports());
  }
  for await (const { logId, note } of options.evidence) logs.of(logId).addCheckpoint(note);
  return logs.reports();
}

async function addRecords(
  { records, onProgress }: VerifyExcerptOptions,
  logs: ExcerptVerifiers,
): Promise<void> {
  let rows = 0;
  for await (const record of records) {
    switch (record.kind) {
      case "header":
        logs.org = record.org;
        logs.filter = record.filter;
        break;
      case "excerpt":
        logs.of(record.logId).addStatement(record.note);
        break;
      case "row":
        logs.of(record.row.logId).addRow(record.row);
        rows += 1;
        if (rows % PROGRESS_ROWS === 0) onProgress?.(rows);
        break;
    }
  }
}

class ExcerptVerifiers {
  /** As the header says, which comes first. */
  org = "";
  filter: RowFilter = NO_FILTER;
  readonly #keys: readonly VerifierKey[];
  readonly #byLogId = new Map<string, ExcerptVerifier>();

  constructor(keys: readonly VerifierKey[]) {
    this.#keys = keys;
  }

  of(logId: string): ExcerptVerifier {
    const known = this.#byLogId.get(logId) ?? new ExcerptVerifier({ ...this.#asked(), logId });
    this.#byLogId.set(logId, known);
    return known;
  }

  #asked() {
    return { org: this.org, filter: this.filter, keys: this.#keys };
  }

  reports(): readonly LogReport[] {
    const byLogId = [...this.#byLogId].sort(([left], [right]) => (left < right ? -1 : 1));
    return byLogId.map(([, verifier]) => verifier.report());
  }
}
