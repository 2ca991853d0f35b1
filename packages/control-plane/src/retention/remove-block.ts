import type { Removal, SeqRange } from "@svc/audit-log/removal";
import type { RetentionStore, RowRemoval } from "@svc/store/ports/retention-store";
import { retentionRow } from "./retention-row.ts";

export interface RemoveBlockParts {
  readonly retention: RetentionStore;
  /** @returns the signed note */
  readonly signRemoval: (removal: Removal) => string;
  readonly days: number;
}

export interface BlockOfLog {
  readonly logId: string;
  readonly block: number;
  readonly now: Date;
}

/**
 * `removed`: so many rows went. `kept`: nothing of the block may go now. `young`: nothing of a later block
 * may go either. `again`: something changed meanwhile, so look again. `busy`: another process removes rows.
 */
export type BlockOutcome =
  | { readonly kind: "removed"; readonly rows: number; readonly ranges: readonly SeqRange[] }
  | { readonly kind: "kept" | "young" | "again" | "busy" }
  | { readonly kind: "damaged"; readonly seq: number };

/** Removes the rows of one block that nothing keeps. @throws when the store does not answer. */
export async function removeBlock(
  { retention, signRemoval, days }: RemoveBlockParts,
  { logId, block, now }: BlockOfLog,
): Promise<BlockOutcome> {
  const finding = await retention.removable({ logId, block, days, nowMs: now.getTime() });
  if (finding.kind !== "removable") return finding;
  const time = now.toISOString();
  const removals = finding.removables.map((removable): RowRemoval => {
    const { org, ranges, digest } = removable;
    const note = signRemoval({ logId, org, ranges, digest, removedAt: time, days });
    return { ...removable, note, auditRow: retentionRow({ logId, removable, time, days }) };
  });
  const outcome = await retention.remove({ logId, guard: finding.guard, removals });
  switch (outcome) {
    case "removed":
      return {
        kind: "removed",
        rows: removals.reduce((sum, { rows }) => sum + rows, 0),
        ranges: removals.flatMap(({ ranges }) => ranges),
      };
    case "changed":
      return { kind: "again" };
    case "busy":
      return { kind: "busy" };
  }
}
