import { parseCheckpoint } from "@svc/audit-log/checkpoint";
import type { Excerpt } from "@svc/audit-log/excerpt";
import { emptyExcerptDigest } from "@svc/audit-log/excerpt-digest";
import { renderExcerptLine } from "@svc/audit-log/excerpt-line";
import { NO_FILTER, type RowFilter } from "@svc/audit-log/row-filter";
import { genesisHash } from "@svc/audit-log/row-hash";
import type { AuditStore, LogHead } from "@svc/store/ports/audit-store";
import { inPieces } from "./in-pieces.ts";

export interface AuditExcerptRequest {
  readonly audit: AuditStore;
  /** The organization whose rows are shown. */
  readonly org: string;
  /** Which of them. */
  readonly filter?: RowFilter;
  /** Every key that statements about removed rows were ever signed with, as text. */
  readonly verifierKeys: readonly string[];
  /** Signs the log of this writer as it stands; never rejects. */
  readonly sign: () => Promise<void>;
  /** @returns the signed note */
  readonly signExcerpt: (excerpt: Excerpt) => string;
}

/**
 * The rows of one organization in every log as it stands, as NDJSON in pieces of UTF-8. Nothing of another
 * organization's rows is in it, not even a hash. Reads on only when the next piece is asked for.
 * @throws before it signs anything about a log whose chain is broken or differs from a checkpoint.
 */
export function auditExcerpt(request: AuditExcerptRequest): AsyncGenerator<Uint8Array> {
  return inPieces(excerptBytes(request));
}

async function* excerptBytes(request: AuditExcerptRequest): AsyncGenerator<Uint8Array> {
  const { audit, org, filter = NO_FILTER, verifierKeys: keys, sign, signExcerpt } = request;
  const counts = { rows: 0, excerpts: 0 };
  const begun = (await audit.heads()).filter(({ logId }) => logId === (filter.logId ?? logId));
  await sign();
  // The header waits for the first read, so that a store that cannot be read begins no excerpt.
  let header = renderExcerptLine({ kind: "header", org, filter });
  for (const { logId, size: atLeast } of begun) {
    const target = await targetOf(audit, logId, atLeast);
    const found = { head: genesisHash(logId), digest: emptyExcerptDigest(logId, org), rows: 0, removed: 0 };
    for (let from: number | null = 0; from !== null && from < target.size; ) {
      const { head, digest } = found;
      const range = { logId, from, end: target.size, org, filter, keys, head, digest };
      const page = await audit.excerptRows(range);
      if (page.kind === "broken_chain")
        throw broken(logId, `row ${String(page.seq)} is not what was written`);
      found.head = page.head;
      found.digest = page.digest;
      found.rows += page.rows;
      found.removed += page.removed;
      yield Buffer.concat([Buffer.from(header), page.lines]);
      header = "";
      from = page.next;
    }
    if (Buffer.compare(found.head, target.hash) !== 0)
      throw broken(logId, `its first ${String(target.size)} rows have another hash than the one recorded`);
    const note = signExcerpt({ logId, org, size: target.size, filter, ...found });
    counts.rows += found.rows;
    counts.excerpts += 1;
    yield Buffer.from(header + renderExcerptLine({ kind: "excerpt", logId, note }));
    header = "";
  }
  yield Buffer.from(header + renderExcerptLine({ kind: "end", counts }));
}

/** How far the excerpt goes: to the first checkpoint that covers what was there, else to the stored head. */
async function targetOf(audit: AuditStore, logId: string, atLeast: number): Promise<Omit<LogHead, "logId">> {
  const [signed] = await audit.checkpoints(logId, atLeast - 1, 1);
  const checkpoint = signed === undefined ? null : parseCheckpoint(signed.note);
  if (checkpoint !== null) return checkpoint;
  const head = (await audit.heads()).find((candidate) => candidate.logId === logId);
  if (head === undefined) throw broken(logId, "it is no longer there");
  return head;
}

function broken(logId: string, why: string): Error {
  return new Error(`no excerpt of the log ${logId} is signed: ${why}; verify the whole log`);
}
