import { isAlphanumericAt } from "./alphanumerics.ts";
import type { Detector, Span } from "./detector.ts";
import { isDigitAt } from "./digits.ts";

/** Longest local part and domain that mail can carry, in characters. */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

const FIRST_NON_ASCII = 0x80;

/** What a local part may hold beside letters and digits. */
const LOCAL_MARKS = "!#$%&'*+/=?^_`{|}~.-";

/** A local part in quotes may hold almost anything: `"jo doe"@b.example`. */
const QUOTED_LOCAL = /"[A-Za-z0-9\u0080-\uffff][^"\r\n]*"$/;

/** An address: looks at each `@`, and from there a bounded way to both sides. */
export const email: Detector = {
  mayContain: (text) => text.includes("@"),
  search: (text) => {
    let from = 0;
    return () => {
      for (let at = text.indexOf("@", from); at !== -1; at = text.indexOf("@", at + 1)) {
        const span = addressAround(text, at, from);
        if (span === null) continue;
        from = span.end;
        return span;
      }
      from = text.length;
      return null;
    };
  },
};

/** Of addresses that follow each other without a gap, `a@b.example@c.example`, no domain is left over. */
function addressAround(text: string, at: number, from: number): Span | null {
  const start = startOfLocal(text, at, from);
  let end = start === at ? null : endOfDomain(text, at + 1);
  if (end === null) return null;
  while (text.charAt(end) === "@") {
    const next: number | null = endOfDomain(text, end + 1);
    if (next === null) break;
    end = next;
  }
  return { start, end };
}

function startOfLocal(text: string, at: number, from: number): number {
  if (text.charAt(at - 1) === '"') {
    const before = text.slice(Math.max(from, at - MAX_LOCAL), at);
    return at - (QUOTED_LOCAL.exec(before)?.[0].length ?? 0);
  }
  let start = at;
  while (start > from && at - start < MAX_LOCAL && isLocalAt(text, start - 1)) start -= 1;
  return start;
}

/**
 * The end of the domain that starts here: letters or digits first, then at least one dot, and after its last
 * dot a label of two characters or more that begins with a letter. Null when none starts here.
 */
function endOfDomain(text: string, start: number): number | null {
  if (!isLetterOrDigitAt(text, start)) return null;
  let end = start;
  while (end - start < MAX_DOMAIN && isDomainAt(text, end)) end += 1;
  let labelEnd = end;
  for (let dot = end - 1; dot > start; dot -= 1) {
    if (text.charAt(dot) !== ".") continue;
    if (labelEnd - dot > 2 && isLetterAt(text, dot + 1)) return labelEnd;
    labelEnd = dot;
  }
  return null;
}

/** Letters of any script count: internationalised addresses are addresses. */
function isLetterOrDigitAt(text: string, at: number): boolean {
  return isAlphanumericAt(text, at) || text.charCodeAt(at) >= FIRST_NON_ASCII;
}

function isLetterAt(text: string, at: number): boolean {
  return isLetterOrDigitAt(text, at) && !isDigitAt(text, at);
}

function isDomainAt(text: string, at: number): boolean {
  const character = text.charAt(at);
  return isLetterOrDigitAt(text, at) || character === "." || character === "-";
}

function isLocalAt(text: string, at: number): boolean {
  return isLetterOrDigitAt(text, at) || LOCAL_MARKS.includes(text.charAt(at));
}
