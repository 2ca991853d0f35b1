/** A bracket that is open at the end of a piece of text. */
export interface OpenBracket {
  readonly bracket: "{" | "[";
  readonly offset: number;
}

/** The last bracket before a place that nothing has closed, outside quotes and comments; null for none. */
export function unclosedBracket(source: string, end: number): OpenBracket | null {
  const open: OpenBracket[] = [];
  for (let at = 0; at < end; at += 1) {
    const character = source[at] ?? "";
    const before = source[at - 1] ?? "\n";
    if (character === "#" && /\s/.test(before)) at = lineEnd(source, at);
    else if ((character === '"' || character === "'") && /[\s,[{:]/.test(before)) at = quoteEnd(source, at);
    else if (character === "{" || character === "[") open.push({ bracket: character, offset: at });
    else if (character === "}" || character === "]") open.pop();
  }
  return open.at(-1) ?? null;
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
}

function quoteEnd(source: string, from: number): number {
  const quote = source[from];
  for (let at = from + 1; at < source.length; at += 1) {
    if (quote === '"' && source[at] === "\\") at += 1;
    else if (source[at] === quote) return at;
  }
  return source.length;
}
