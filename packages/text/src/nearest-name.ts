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
    const atMost = Math.min(maxEdits, Math.ceil(name.length / 3), best === null ? maxEdits : best.edits - 1);
    if (atMost < 0) break;
    // Each character more or less is an edit.
    if (Math.abs(name.length - found.length) > atMost) continue;
    const edits = editsBetween(lower, name.toLowerCase(), atMost);
    if (edits !== null) best = { name, edits };
  }
  return best?.name ?? null;
}

/** Levenshtein distance; null when it is above `atMost`. What both begin with needs no edit. */
function editsBetween(left: string, right: string, atMost: number): number | null {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  return editDistance(left.slice(same), right.slice(same), atMost);
}

/**
 * The same for texts that may begin alike. One row at a time, and of each row only the cells that
 * so few edits can reach: most names differ in their first letters, and are given up there.
 */
function editDistance(left: string, right: string, atMost: number): number | null {
  const beyond = atMost + 1;
  let row: number[] = [];
  let next: number[] = [];
  for (let j = 0; j <= right.length; j += 1) {
    row.push(j);
    next.push(beyond);
  }
  for (let i = 1; i <= left.length; i += 1) {
    const from = Math.max(1, i - atMost);
    const to = Math.min(right.length, i + atMost);
    let before = from === 1 ? i : beyond;
    let least = before;
    next[from - 1] = before;
    for (let j = from; j <= to; j += 1) {
      const substitution = (row[j - 1] ?? beyond) + (left[i - 1] === right[j - 1] ? 0 : 1);
      before = Math.min(substitution, (row[j] ?? beyond) + 1, before + 1);
      next[j] = before;
      if (before < least) least = before;
    }
    if (least > atMost) return null;
    if (to < right.length) next[to + 1] = beyond;
    const used = row;
    row = next;
    next = used;
  }
  const edits = row[right.length] ?? beyond;
  return edits > atMost ? null : edits;
}
