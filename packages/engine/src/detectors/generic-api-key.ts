import type { Detector, Span } from "./detector.ts";
import { earlier, type FindFrom, remembered } from "./find-from.ts";
import { findKnownKey, mayHoldKnownKey } from "./known-key-search.ts";
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

export const genericApiKey: Detector = {
  mayContain: (text) => mayHoldKnownKey(text) || ANNOUNCEMENT.test(text),
  search: (text) => {
    const known = remembered((from) => findKnownKey(text, from));
    const assigned = assignedFrom(text);
    let from = 0;
    return () => {
      const found = earlier(known(from), assigned(from));
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
