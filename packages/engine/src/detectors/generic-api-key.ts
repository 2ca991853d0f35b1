import type { Detector, Span } from "./detector.ts";
import { ValueRuns } from "./value-runs.ts";

/** Words that announce a secret, in keys of objects as well as in text. */
const ANNOUNCED_BY = "api[_-]?key|secret|token|passw(?:or)?d|credential|authorization|bearer";
const ANNOUNCEMENT = new RegExp(ANNOUNCED_BY, "i");

/** Letters, digits and what encodings add, 16 or more. */
const MIN_VALUE_LENGTH = 16;
const VALUE_CHARACTER = "[A-Za-z0-9_+/=.~-]";
const WHOLE_VALUE = new RegExp(
  `^(?:bearer |basic )?(${VALUE_CHARACTER}{${String(MIN_VALUE_LENGTH)},})$`,
  "i",
);

/** A quotation mark, or one that JSON within JSON escapes, each level doubling the backslashes. */
const QUOTE = `(?:\\\\{0,8}(?:["']|u0022|u0027))?`;

/** `api_key = value`, `"token": ["value"]`, `Authorization: Bearer value`: the value alone is the finding. */
const EQUALS = `${QUOTE}[ \\t]{0,4}[:=][ \\t]{0,4}\\[?${QUOTE}`;
const ASSIGNED = `(?:${ANNOUNCED_BY})[A-Za-z0-9_-]{0,20}${EQUALS}(?:bearer |basic )?`;
/** Ends after as much of the value as there must be: `ValueRuns` knows how far it goes on. */
const ASSIGNMENT = new RegExp(
  `(?:${ASSIGNED}|bearer[ \\t]{1,4})${VALUE_CHARACTER}{${String(MIN_VALUE_LENGTH)}}`,
  "gi",
);

/** Keys that announce themselves by how they begin. */
const PREFIXED =
  /(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{20,}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|xox[abeoprs]-[A-Za-z0-9-]{16,}|AIza[A-Za-z0-9_-]{35}|glpat-[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,}|svc_[A-Za-z0-9]{1,64}_[A-Za-z0-9_-]{32,})/g;
const PREFIX = /sk-|[rs]k_(?:live|test)_|xox[abeoprs]-|AIza|glpat-|npm_|hf_|svc_/;

export const genericApiKey: Detector = {
  mayContain: (text) => PREFIX.test(text) || ANNOUNCEMENT.test(text),
  search: (text) => {
    const prefixed = prefixedFrom(text);
    const assigned = assignedFrom(text);
    let from = 0;
    return () => {
      const found = earlier(prefixed(from), assigned(from));
      from = found?.end ?? text.length;
      return found;
    };
  },
};

/** Whether the name of a member says that a secret is below it. */
export function announcesSecret(name: string): boolean {
  return ANNOUNCEMENT.test(name);
}

/** Whether an announced value looks like a secret: long, of one piece, letters and digits mixed. */
export function isSecretValue(value: string): boolean {
  const candidate = value.length < MIN_VALUE_LENGTH ? undefined : WHOLE_VALUE.exec(value)?.[1];
  return candidate !== undefined && /[0-9]/.test(candidate) && /[A-Za-z]/.test(candidate);
}

/** The first finding that begins at or after a place; places must not go back. */
type FindFrom = (from: number) => Span | null;

function prefixedFrom(text: string): FindFrom {
  let next: Span | null = null;
  let isDone = false;
  return (from) => {
    if (isDone || (next !== null && next.start >= from)) return next;
    PREFIXED.lastIndex = from;
    const match = PREFIXED.exec(text);
    isDone = match === null;
    next = match === null ? null : { start: match.index, end: PREFIXED.lastIndex };
    return next;
  };
}

/** Here it is the announcement, not the value, that must begin at or after the place. */
function assignedFrom(text: string): FindFrom {
  const runs = new ValueRuns(text);
  let next: Span | null = null;
  let announcedAt = -1;
  let isDone = false;
  return (from) => {
    if (isDone || announcedAt >= from) return next;
    ASSIGNMENT.lastIndex = from;
    for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
      const start = ASSIGNMENT.lastIndex - MIN_VALUE_LENGTH;
      const { end, isMixed } = runs.from(start);
      announcedAt = match.index;
      next = { start, end };
      if (isMixed) return next;
      ASSIGNMENT.lastIndex = end;
    }
    isDone = true;
    next = null;
    return next;
  };
}

function earlier(left: Span | null, right: Span | null): Span | null {
  if (left === null || right === null) return left ?? right;
  return left.start <= right.start ? left : right;
}
