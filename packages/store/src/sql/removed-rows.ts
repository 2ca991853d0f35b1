import { parseVerifierKey } from "@svc/audit-log/note-key";
import {
  blockOf,
  REMOVAL_BLOCK_ROWS,
  type Removal,
  removedSeqs,
  verifyRemoval,
} from "@svc/audit-log/removal";
import { emptyRemovalDigest, nextRemovalDigest } from "@svc/audit-log/removal-digest";
import type { StoreContext } from "./store-context.ts";
import { storedRemovals } from "./stored-removals.ts";

/** Says whose a row was that retention removed; null when no valid statement names it. */
export type OwnerOfRemoved = (seq: number) => Promise<string | null>;

/** Reads statements block by block as rows without content come up. Blocks without such rows cost nothing. */
export function ownersOfRemoved(
  db: StoreContext["db"],
  logId: string,
  keys: readonly string[],
): OwnerOfRemoved {
  const verifierKeys = keys.map(parseVerifierKey);
  let block = -1;
  let owners: ReadonlyMap<number, string> = new Map();
  return async (seq) => {
    if (blockOf(seq) !== block) {
      block = blockOf(seq);
      owners = new Map();
      const from = block * REMOVAL_BLOCK_ROWS;
      const range = { from, to: from + REMOVAL_BLOCK_ROWS - 1 };
      const verdicts = (await storedRemovals(db, logId, range)).map(({ note }) =>
        verifyRemoval(note, verifierKeys),
      );
      const valid = verdicts.flatMap((verdict) => (verdict.kind === "valid" ? [verdict.removal] : []));
      owners = await ownersIn(db, logId, range, valid);
    }
    return owners.get(seq) ?? null;
  };
}

async function ownersIn(
  db: StoreContext["db"],
  logId: string,
  { from, to }: { readonly from: number; readonly to: number },
  removals: readonly Removal[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom("audit_rows")
    .select(["seq", "hash"])
    .where("log_id", "=", logId)
    .where("seq", ">=", from)
    .where("seq", "<=", to)
    .execute();
  const hashes = new Map(rows.map(({ seq, hash }) => [seq, hash]));
  const fitting = removals.filter((removal) => removal.logId === logId && fits(removal, hashes));
  return new Map(
    fitting.flatMap((removal) => [...removedSeqs(removal)].map((seq) => [seq, removal.org] as const)),
  );
}

function fits(removal: Removal, hashes: ReadonlyMap<number, Uint8Array>): boolean {
  let digest = emptyRemovalDigest(removal.logId, removal.org);
  for (const seq of removedSeqs(removal)) {
    const hash = hashes.get(seq);
    if (hash === undefined) return false;
    digest = nextRemovalDigest(digest, seq, hash);
  }
  return Buffer.compare(digest, removal.digest) === 0;
}
