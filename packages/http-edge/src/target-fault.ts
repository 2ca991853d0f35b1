/** Why a request target is refused; null: it is a plain path. */
export type TargetFault = string | null;

const SLASH = 0x2f;
const DOT = 0x2e;
const PERCENT = 0x25;
const QUESTION = 0x3f;
const HASH = 0x23;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const DELETE = 0x7f;

/**
 * What `%2F`, `%5C` and `%25` in a path mean. `in_segment`: a slash, a backslash and a percent sign inside of
 * one segment, for a server that splits paths before it decodes. The path must then be plain when they are
 * decoded, too, as a proxy might do, and some take a backslash for a slash.
 */
export type EncodedSlash = "refused" | "in_segment";

/**
 * Checks that a request target is in origin form and means the same to every parser on the way: one leading
 * slash, no empty and no dot segments, no encoded separators, printable ASCII only. One pass, whatever the
 * target.
 * A query may hold any printable ASCII but `#` and a backslash, and its escapes must be whole.
 */
export function targetFault(target: string, encodedSlash: EncodedSlash = "refused"): TargetFault {
  if (target.charCodeAt(0) !== SLASH) return "no slash at its start";
  const isPlain = encodedSlash === "refused" || !/%[25]/.test(target);
  return plainTargetFault(isPlain ? target : withoutEncodedMarks(target));
}

/** An encoded percent sign before anything but two hexadecimal digits, themselves encoded or not. */
const LONE_PERCENT = /%25(?!(?:[0-9a-f]|%3[0-9]|%[46][1-6]){2})/gi;

/** As a proxy that decodes these would pass it on. A percent sign that begins an escape then stays. */
function withoutEncodedMarks(target: string): string {
  const end = target.indexOf("?");
  const path = end === -1 ? target : target.slice(0, end);
  const decoded = path.replaceAll(/%(?:2f|5c)/gi, "/").replaceAll(LONE_PERCENT, "_");
  return decoded + target.slice(path.length);
}

function plainTargetFault(target: string): TargetFault {
  let inQuery = false;
  for (let at = 0; at < target.length; at += 1) {
    const code = target.charCodeAt(at);
    if (code <= SPACE || code >= DELETE) return "a character outside printable ASCII";
    if (code === HASH) return "a fragment";
    if (code === BACKSLASH) return "a backslash";
    if (code === QUESTION) inQuery = true;
    else if (code === PERCENT) {
      const octet = octetAt(target, at + 1);
      if (octet === null) return "a percent sign without two hexadecimal digits";
      if (!inQuery && isHidden(octet)) return "an encoded separator or control character";
    } else if (code === SLASH && !inQuery && startsRefusedSegment(target, at + 1)) {
      return "an empty or dot segment";
    }
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

/** What an escape must not hide in a path: separators, dots, a further escape, control characters. */
function isHidden(octet: number): boolean {
  if (octet < SPACE || octet === DELETE) return true;
  return octet === SLASH || octet === BACKSLASH || octet === DOT || octet === PERCENT;
}

function octetAt(target: string, at: number): number | null {
  const high = hexDigit(target.charCodeAt(at));
  const low = hexDigit(target.charCodeAt(at + 1));
  return high < 0 || low < 0 ? null : high * 16 + low;
}

/** The value of a hexadecimal digit, -1 for any other character and for none. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}
