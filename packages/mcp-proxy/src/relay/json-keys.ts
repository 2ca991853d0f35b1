import { parseJson } from "@svc/text/parse-json";

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/**
 * Whether an object within the first levels of a text has a member twice. Some parsers take its first value,
 * others its last.
 * @param text valid JSON
 * @param levels how many levels are searched: 1 is the outermost object alone
 */
export function repeatsKey(text: string, levels: number): boolean {
  const keysByLevel: Set<string>[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth <= levels) keysByLevel[depth] = new Set();
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      if (depth <= levels && isKey(text, end)) {
        const keys = keysByLevel[depth];
        const key = keyIn(text.slice(at, end));
        if (keys?.has(key) === true) return true;
        keys?.add(key);
      }
      at = end - 1;
    }
  }
  return false;
}

function keyIn(quoted: string): string {
  return quoted.includes("\\") ? (parseJson(quoted) as string) : quoted.slice(1, -1);
}

/** The index after the closing quote. A quote after an odd number of backslashes is escaped. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === COLON;
}
