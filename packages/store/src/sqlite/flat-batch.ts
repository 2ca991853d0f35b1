import { claimsNothing } from "../claims/claims-nothing.ts";
import { type Claims, NO_CLAIMS } from "../ports/claims.ts";
import type { LedgerEntry } from "../ports/ledger.ts";

/**
 * A batch as it is sent to the writer's thread. Copying an object for each row and one for its claims takes
 * both threads several times as long as copying the texts.
 */
export interface FlatBatch {
  readonly rows: readonly string[];
  /** The claims by the index of their row. Rows that claim nothing are absent. */
  readonly claims: ReadonlyMap<number, Claims>;
}

export function flatBatch(entries: readonly LedgerEntry[]): FlatBatch {
  const claims = new Map<number, Claims>();
  for (const [index, entry] of entries.entries())
    if (!claimsNothing(entry.claims)) claims.set(index, entry.claims);
  return { rows: entries.map(({ row }) => row), claims };
}

export function entriesOf({ rows, claims }: FlatBatch): readonly LedgerEntry[] {
  return rows.map((row, index) => ({ row, claims: claims.get(index) ?? NO_CLAIMS }));
}
