import type { Detector, Span } from "./detector.ts";

/** Words that announce a secret, in keys of objects as well as in text. */
const ANNOUNCED_BY = "api[_-]?key|secret|token|passw(?:or)?d|credential|authorization|bearer";
const ANNOUNCEMENT = new RegExp(ANNOUNCED_BY, "i");

/** Letters, digits and what encodings add, 16 or more. */
const VALUE = "[A-Za-z0-9_+/=.~-]{16,}";
const WHOLE_VALUE = new RegExp(`^(?:bearer |basic )?(${VALUE})$`, "i");

/** `api_key = value`, `"token": "value"`, `Authorization: Bearer value`: the value alone is the finding. */
const EQUALS = `["']?[ \\t]{0,4}[:=][ \\t]{0,4}["']?`;
const ASSIGNED = `(?:${ANNOUNCED_BY})[A-Za-z0-9_-]{0,20}${EQUALS}(?:bearer |basic )?`;
const ASSIGNMENT = new RegExp(`(?:${ASSIGNED}|bearer[ \\t]{1,4})(${VALUE})`, "gi");

/** Keys that announce themselves by how they begin. */
const PREFIXED =
  /(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{20,}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|xox[abeoprs]-[A-Za-z0-9-]{16,}|AIza[A-Za-z0-9_-]{35}|glpat-[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,}|svc_[A-Za-z0-9]{1,64}_[A-Za-z0-9_-]{32,})/g;
const PREFIX = /sk-|[rs]k_(?:live|test)_|xox[abeoprs]-|AIza|glpat-|npm_|hf_|svc_/;

export const genericApiKey: Detector = {
  mayContain: (text) => PREFIX.test(text) || ANNOUNCEMENT.test(text),
  find: (text, from) => earlier(findPrefixed(text, from), findAssigned(text, from)),
};

/**
 * Whether the value of a key that announces a secret looks like one: long, of one piece, letters and digits
 * mixed.
 */
export function isAnnouncedSecret(key: string, value: string): boolean {
  const candidate = ANNOUNCEMENT.test(key) ? WHOLE_VALUE.exec(value)?.[1] : undefined;
  return candidate !== undefined && isMixed(candidate);
}

function findPrefixed(text: string, from: number): Span | null {
  PREFIXED.lastIndex = from;
  const match = PREFIXED.exec(text);
  return match === null ? null : { start: match.index, end: match.index + match[0].length };
}

function findAssigned(text: string, from: number): Span | null {
  ASSIGNMENT.lastIndex = from;
  for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
    const value = match[1] ?? "";
    const end = match.index + match[0].length;
    if (isMixed(value)) return { start: end - value.length, end };
  }
  return null;
}

/** Words and numbers alone are prose and identifiers; keys mix both. */
function isMixed(value: string): boolean {
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}

function earlier(left: Span | null, right: Span | null): Span | null {
  if (left === null || right === null) return left ?? right;
  return left.start <= right.start ? left : right;
}
