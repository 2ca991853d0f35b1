import { type IndexDatabase, integer } from "../database/index-database.ts";
import { rangeValues, readIndex, type SearchRange } from "./read-index.ts";
import type { ColumnFilter } from "./search-columns.ts";

/** Entries of an index that are looked over to see how frequent a name is, as count. */
const PROBE = 256;

/** Values of one filter that are looked at. The others are taken to be as frequent. */
const MAX_PROBED = 4;

/**
 * The filter with the fewest entries near the place where the page starts. Its index is read and the other
 * filters look at what is found there: a rare name is found at once beside a frequent one. A look at the
 * index itself needs no statistics, which would be wrong for the time of the page.
 */
export async function choosePath(
  database: IndexDatabase,
  filters: readonly ColumnFilter[],
  range: SearchRange,
): Promise<ColumnFilter> {
  const [first, ...others] = filters;
  if (first === undefined) throw new Error("expected a filter to choose from");
  if (others.length === 0) return first;
  let best = { filter: first, density: await densityOf(database, first, range) };
  for (const filter of others) {
    const density = await densityOf(database, filter, range);
    if (density < best.density) best = { filter, density };
  }
  return best.filter;
}

/** Entries per millisecond; 0 when there are fewer than the probe looks over. */
async function densityOf(
  database: IndexDatabase,
  { column, values }: ColumnFilter,
  range: SearchRange,
): Promise<number> {
  const probed = values.slice(0, MAX_PROBED);
  const read = readIndex(column, ["at"], 1);
  let density = 0;
  for (const value of probed) {
    const [newest] = await database.all(read, rangeValues(value, range));
    const [last] = await database.all(`${read} OFFSET ${String(PROBE - 1)}`, rangeValues(value, range));
    if (newest === undefined || last === undefined) continue;
    // Counted from the start of the page, so that a name that went silent counts as rare.
    const from = Math.min(range.before.at, Math.max(Date.now(), integer(newest, "at")));
    density += PROBE / Math.max(1, from - integer(last, "at"));
  }
  return (density * values.length) / Math.max(1, probed.length);
}
