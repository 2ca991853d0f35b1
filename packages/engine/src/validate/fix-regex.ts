/** Escapes that other languages have and RE2 has not, with what says the same in RE2. */
const OTHER_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\\Z", "\\z"],
  ["\\h", "[ \\t]"],
  ["\\H", "[^ \\t]"],
  ["\\R", "(?:\\r\\n|\\r|\\n)"],
  ["\\N", "[^\\n]"],
  ["\\e", "\\x1b"],
]);

/**
 * What to write instead of a pattern that RE2 does not take.
 * @param fault what its compiler says.
 */
export function fixRegex(pattern: string, fault: string): string {
  const ending = /^\*(\.[\w.-]+)$/.exec(pattern)?.[1];
  if (ending !== undefined)
    return `write operator: ends_with and value: ${ending}; for any characters RE2 has .*`;
  if (/^[*?+]/.test(pattern)) return `write .${pattern}: a regular expression has .* for any characters`;
  if (/\(\?<?[=!]/.test(pattern))
    return "RE2 has no look-around: write each part as a condition of its own under all, or as another rule";
  if (/\(\?>/.test(pattern) || /nested repetition/.test(fault))
    return "RE2 has no atomic groups and no possessive repetition: write (?:...), and leave out the second +";
  if (/\(\?#/.test(pattern))
    return "RE2 has no comments in patterns: write it as a comment of YAML that begins with #";
  return fixEscape(pattern) ?? (/range/.test(fault) ? fixRange(pattern) : null) ?? GENERAL;
}

const GENERAL = "close every bracket and shorten repetitions; in single quotes backslashes stay as they are";

function fixEscape(pattern: string): string | null {
  for (const [escape] of pattern.matchAll(/\\(?:u[0-9A-Fa-f]{4}|c[A-Z]|[gk][<{'].|.)/gsu)) {
    if (/^\\(?:[1-9]|[gk])/.test(escape))
      return "RE2 has no back-references: write out what is to be repeated";
    if (/^\\u./.test(escape)) return `write \\x{${escape.slice(2)}} in place of ${escape}`;
    const same = OTHER_ESCAPES.get(escape);
    if (same !== undefined) return `write ${same} in place of ${escape}`;
    if (/^\\[GKXcioly]/.test(escape)) return `RE2 has no ${escape}: write the characters that it stands for`;
  }
  return null;
}

/** A range within a class whose end comes before its beginning. */
function fixRange(pattern: string): string | null {
  for (const [range, first = "", last = ""] of pattern.matchAll(/([A-Za-z0-9])-([A-Za-z0-9])/g)) {
    if (first > last) return `write ${last}-${first} in place of ${range}: a range begins with its lower end`;
  }
  return null;
}
