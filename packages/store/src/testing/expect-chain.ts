import { createHash } from "node:crypto";
import type { AuditStore, StoredRow } from "../ports/audit-store.ts";

/** Rows read at once; small enough that a test's log takes several reads. */
const ROWS_PER_READ = 500;

/**
 * Reads a whole log and recomputes it with nothing of the writer's code.
 * @returns its rows. @throws at the first row that does not follow from the one before it.
 */
export async function readChain(audit: AuditStore, logId: string): Promise<readonly StoredRow[]> {
  const all: StoredRow[] = [];
  let previous = createHash("sha256").update(`svc-audit-log/v1\n${logId}\n`).digest();
  for (;;) {
    const rows = await audit.rows(logId, all.length, ROWS_PER_READ);
    for (const row of rows) {
      if (row.seq !== all.length)
        throw new Error(`expected row ${String(all.length)}, found ${String(row.seq)}`);
      const hash = createHash("sha256").update(previous).update(row.bytes).digest();
      if (!previous.equals(row.prevHash)) throw new Error(`row ${String(row.seq)}: its link is wrong`);
      if (!hash.equals(row.hash)) throw new Error(`row ${String(row.seq)}: its hash is wrong`);
      previous = hash;
      all.push(row);
    }
    if (rows.length < ROWS_PER_READ) break;
  }
  const head = (await audit.heads()).find((candidate) => candidate.logId === logId);
  if (head === undefined || head.size !== all.length || !previous.equals(head.hash)) {
    throw new Error(`the head of ${logId} is not that of its ${String(all.length)} rows`);
  }
  return all;
}

export function rowText(row: StoredRow): string {
  return Buffer.from(row.bytes).toString("utf8");
}
