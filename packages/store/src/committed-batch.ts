import type { NotCommitted } from "./claims/not-committed.ts";
import type { LedgerEntry, LedgerOutcome } from "./ports/ledger.ts";

/**
 * The result of a batch: its entries got `firstSeq` and the numbers after it, in batch order, except
 * for the exceptions.
 */
export interface CommittedBatch {
  readonly firstSeq: number;
  readonly exceptions: readonly { readonly index: number; readonly outcome: NotCommitted }[];
}

export function exceptionsOf(verdicts: readonly (NotCommitted | null)[]): CommittedBatch["exceptions"] {
  return verdicts.flatMap((outcome, index) => (outcome === null ? [] : [{ index, outcome }]));
}

/** One outcome per entry, in batch order. */
export function outcomesOf(
  logId: string,
  entries: readonly LedgerEntry[],
  { firstSeq, exceptions }: CommittedBatch,
): LedgerOutcome[] {
  const notCommitted = new Map(exceptions.map(({ index, outcome }) => [index, outcome]));
  let seq = firstSeq;
  return entries.map((_, index) => {
    const outcome = notCommitted.get(index);
    if (outcome !== undefined) return outcome;
    const position = { logId, seq };
    seq += 1;
    return { kind: "committed", position };
  });
}
