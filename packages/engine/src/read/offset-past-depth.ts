const OPENING: ReadonlySet<string> = new Set(["[", "{"]);
const CLOSING: ReadonlySet<string> = new Set(["]", "}"]);
const INDICATORS: ReadonlySet<string> = new Set(["-", "?"]);

/**
 * Where more than `limit` brackets are open, or more than `limit` lists begin on one line (`- - -`), as an
 * offset in UTF-16 units; null when that is nowhere. It does not look for quotes and comments: what it counts
 * too many there is far below any limit of use.
 */
export function offsetPastDepth(source: string, limit: number): number | null {
  let depth = 0;
  let begun = 0;
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (OPENING.has(character)) depth += 1;
    else if (CLOSING.has(character) && depth > 0) depth -= 1;
    if (INDICATORS.has(character) && source.charAt(at + 1) === " ") begun += 1;
    else if (character !== " ") begun = 0;
    if (depth > limit || begun > limit) return at;
  }
  return null;
}
