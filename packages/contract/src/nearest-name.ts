/** Most edits between a name and the one suggested for it, unless the caller names another bound. */
const MAX_EDITS = 2;

/** Longest name that is compared, in UTF-16 units: ours are all shorter. */
const MAX_LENGTH = 40;

/** A suggestion when a known name is close to the one found; null when none is. */
export function didYouMean(found: string, known: readonly string[]): string | null {
  const nearest = nearestName(found, known);
  return nearest === null ? null : `did you mean ${nearest}?`;
}

/**
 * The known name with the fewest edits, upper and lower case alike: at most `maxEdits`, and at most one for
 * every three letters, rounded up. Null when none is that near.
 */
export function nearestName(
  found: string,
  known: Iterable<string>,
  maxEdits: number = MAX_EDITS,
): string | null {
  if (found.length > MAX_LENGTH) return null;
  const lower = found.toLowerCase();
  let best: { readonly name: string; readonly edits: number } | null = null;
  for (const name of known) {
    // Each character more or less is an edit.
    if (Math.abs(name.length - found.length) > maxEdits) continue;
    const edits = editDistance(lower, name.toLowerCase());
    const near = edits <= maxEdits && edits <= Math.ceil(name.length / 3);
    if (near && (best === null || edits < best.edits)) best = { name, edits };
  }
  return best?.name ?? null;
}

/** Levenshtein distance, one row at a time. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
