import type { AuditStore } from "@svc/store/ports/audit-store";
import { readFacts } from "../read-facts.ts";

/**
 * The number of the first row that is not older than `sinceMs`, in a log of `size` rows whose times rise;
 * `size` when all are older. A row without a readable time counts as old.
 */
export async function firstRowSince(
  audit: Pick<AuditStore, "row">,
  { logId, size }: { readonly logId: string; readonly size: number },
  sinceMs: number,
): Promise<number> {
  let from = 0;
  let end = size;
  while (from < end) {
    const middle = Math.floor((from + end) / 2);
    const row = await audit.row({ logId, seq: middle });
    const atMs = row === null ? null : (readFacts(row.bytes)?.at ?? null);
    if (atMs === null || atMs < sinceMs) from = middle + 1;
    else end = middle;
  }
  return from;
}
