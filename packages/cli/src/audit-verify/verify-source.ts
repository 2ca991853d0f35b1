import type { LogCheckpoint } from "@svc/audit-log/checkpoint-line";
import { EXCERPT_FORMAT } from "@svc/audit-log/excerpt-line";
import type { LogReport } from "@svc/audit-log/log-report";
import type { VerifierKey } from "@svc/audit-log/note-key";
import { parseExcerpt } from "@svc/audit-log/parse-excerpt";
import { parseExport } from "@svc/audit-log/parse-export";
import { verifyExcerpt } from "@svc/audit-log/verify-excerpt";
import { verifyExport } from "@svc/audit-log/verify-export";

interface VerifySourceOptions {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly evidence: AsyncIterable<LogCheckpoint>;
  readonly keys: readonly VerifierKey[];
  readonly onProgress: (rows: number) => void;
}

/** How the first line of an excerpt begins. Every other text is read as an export of whole logs. */
const EXCERPT_START = `{"format":"${EXCERPT_FORMAT}"`;

/** Verifies an export of whole logs, or the excerpt of one organization. */
export async function verifySource(options: VerifySourceOptions): Promise<readonly LogReport[]> {
  const { start, all } = await peek(options.chunks, EXCERPT_START.length);
  return start === EXCERPT_START
    ? verifyExcerpt({ ...options, records: parseExcerpt(all) })
    : verifyExport({ ...options, records: parseExport(all) });
}

/** The first bytes as text, and all chunks as they came. */
async function peek(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ readonly start: string; readonly all: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let found = 0;
  while (found < length) {
    const next = await iterator.next();
    if (next.done === true) break;
    read.push(next.value);
    found += next.value.length;
  }
  const start = Buffer.concat(read).subarray(0, length).toString("latin1");
  return { start, all: resumed(read, iterator) };
}

async function* resumed(
  read: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
