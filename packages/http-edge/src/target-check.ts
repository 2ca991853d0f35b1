/** Why a request target is refused; null: it is a plain path. */
export type TargetFault = string | null;

const SLASH = 0x2f;
const DOT = 0x2e;
const PERCENT = 0x25;
const QUESTION = 0x3f;

/** Characters that no target needs and that other parsers read differently. */
const REFUSED = new Map([
  [0x23, "a fragment"],
  [0x5c, "a backslash"],
]);

/** What an encoded octet must not hide: slash, backslash, dot, percent sign and the control characters. */
const HIDDEN = /^(?:2f|5c|2e|25|7f|[01][0-9a-f])$/i;

/**
 * Checks that a request target is in origin form and means the same to every parser on the way: one leading slash,
 * no empty and no dot segments, no encoded separators, printable ASCII only. The query is only checked for characters.
 */
export function targetFault(target: string): TargetFault {
  if (target.charCodeAt(0) !== SLASH) return "a target that does not start with /";
  let inQuery = false;
  for (let at = 0; at < target.length; at += 1) {
    const code = target.charCodeAt(at);
    if (code <= 0x20 || code >= 0x7f) return "a character outside printable ASCII";
    const refused = REFUSED.get(code);
    if (refused !== undefined) return refused;
    if (code === QUESTION) inQuery = true;
    if (inQuery) continue;
    if (code === PERCENT && HIDDEN.test(target.slice(at + 1, at + 3))) return "an encoded separator";
    if (code === SLASH && startsRefusedSegment(target, at + 1)) return "an empty or dot segment";
  }
  return null;
}

/** Whether the segment at `at` is empty with more path behind it, `.` or `..`. */
function startsRefusedSegment(target: string, at: number): boolean {
  const code = target.charCodeAt(at);
  if (code === SLASH) return true;
  if (code !== DOT) return false;
  const behind = target.charCodeAt(at + 1) === DOT ? at + 2 : at + 1;
  const end = target.charCodeAt(behind);
  return Number.isNaN(end) || end === SLASH || end === QUESTION;
}
