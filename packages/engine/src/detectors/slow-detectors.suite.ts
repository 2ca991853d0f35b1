import type { Span } from "./detector.ts";
import { digitAt, isDigitAt, isGroupGapAt } from "./digits.ts";
import { ALPHABETS, type KeyPart } from "./key-form.ts";
import { KNOWN_KEYS } from "./known-keys.ts";

/**
 * Detectors in their plainest form, far too slow for long texts: what the fast ones must agree with. Each
 * gives the first finding that starts at or after a place.
 */
export const SLOW_DETECTORS: Readonly<Record<string, (text: string, from: number) => Span | null>> = {
  "pii.credit_card": findCard,
  "pii.iban": findIban,
  "pii.email": findAddress,
  "secret.generic_api_key": (text, from) => earlier(findKnown(text, from), findAssigned(text, from)),
  "secret.url_password": findUrlPassword,
};

/** Every finding of a slow detector. */
export function slowFindings(name: string, text: string): Span[] {
  const find = SLOW_DETECTORS[name];
  const findings: Span[] = [];
  for (let span = find?.(text, 0) ?? null; span !== null; span = find?.(text, span.end) ?? null)
    findings.push({ start: span.start, end: span.end });
  return findings;
}

function findCard(text: string, from: number): Span | null {
  for (let start = from; start < text.length; start += 1) {
    if (!isDigitAt(text, start) || isDigitAt(text, start - 1)) continue;
    const span = cardAt(text, start);
    if (span !== null) return span;
  }
  return null;
}

function cardAt(text: string, start: number): Span | null {
  if (!/[2-6]/.test(text.charAt(start))) return null;
  const digits: number[] = [];
  let longest: Span | null = null;
  let at = start;
  while (digits.length < 19 && isDigitAt(text, at)) {
    digits.push(digitAt(text, at));
    at += 1;
    if (!isDigitAt(text, at) && digits.length >= 13 && passesLuhn(digits)) longest = { start, end: at };
    if (isGroupGapAt(text, at)) at += 1;
  }
  return longest;
}

function passesLuhn(digits: readonly number[]): boolean {
  let sum = 0;
  for (const [index, digit] of digits.entries()) {
    const doubled = (digits.length - index) % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum > 0 && sum % 10 === 0;
}

function findIban(text: string, from: number): Span | null {
  const beginning = /(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?=[ -]?[A-Za-z0-9])/g;
  beginning.lastIndex = from;
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const span = ibanAt(text, match.index);
    if (span !== null) return span;
  }
  return null;
}

function ibanAt(text: string, start: number): Span | null {
  const alphanumeric = /[A-Za-z0-9]/;
  let compact = "";
  let longest: Span | null = null;
  let at = start;
  while (compact.length < 34 && alphanumeric.test(text.charAt(at))) {
    compact += text.charAt(at);
    at += 1;
    const ends = !alphanumeric.test(text.charAt(at));
    if (ends && compact.length >= 15 && remainder97(compact) === 1) longest = { start, end: at };
    if (isGroupGapAt(text, at)) at += 1;
  }
  return longest;
}

function remainder97(compact: string): number {
  let remainder = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

const LOCAL = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uffff-]/;
const DOMAIN_RUN = /[A-Za-z0-9.\u0080-\uffff-]*/y;
const DOMAIN = /^[A-Za-z0-9\u0080-\uffff](?:[^.]*\.)+[A-Za-z\u0080-\uffff][A-Za-z0-9\u0080-\uffff-]+/;

function findAddress(text: string, from: number): Span | null {
  for (let at = text.indexOf("@", from); at !== -1; at = text.indexOf("@", at + 1)) {
    let start = at;
    const quoted = /"[A-Za-z0-9\u0080-\uffff][^"\r\n]*"$/.exec(text.slice(Math.max(from, at - 64), at));
    if (quoted !== null) start -= quoted[0].length;
    else while (start > from && at - start < 64 && LOCAL.test(text.charAt(start - 1))) start -= 1;
    let end = at;
    for (let next = domainAt(text, end + 1); next !== ""; next = domainAt(text, end + 1)) {
      end += 1 + next.length;
      if (text.charAt(end) !== "@") break;
    }
    if (start < at && end > at) return { start, end };
  }
  return null;
}

function domainAt(text: string, at: number): string {
  DOMAIN_RUN.lastIndex = at;
  const run = DOMAIN_RUN.exec(text)?.[0] ?? "";
  return DOMAIN.exec(run.slice(0, 253))?.[0] ?? "";
}

const ANNOUNCED_BY = "api[_-]?key|secret|token|passw(?:or)?d|credential|authorization|bearer";
const QUOTE = `(?:\\\\{0,8}(?:["']|u0022|u0027))?`;
const EQUALS = `${QUOTE}[ \\t]{0,4}[:=][ \\t]{0,4}\\[?${QUOTE}`;
const ASSIGNED = `(?:${ANNOUNCED_BY})[A-Za-z0-9_-]{0,20}${EQUALS}(?:bearer |basic )?`;
const ASSIGNMENT = new RegExp(`(?:${ASSIGNED}|bearer[ \\t]{1,4})([A-Za-z0-9_+/=.~-]{16,})`, "gi");

function findKnown(text: string, from: number): Span | null {
  for (let start = from; start < text.length; start += 1) {
    if (/[A-Za-z0-9]/.test(text.charAt(start - 1))) continue;
    for (const { parts } of KNOWN_KEYS.flatMap(({ forms }) => forms)) {
      const end = endOfParts(text, start, parts);
      if (end !== null) return { start, end };
    }
  }
  return null;
}

/** The farthest end that lets all parts follow each other. */
function endOfParts(text: string, at: number, [part, ...rest]: readonly KeyPart[]): number | null {
  if (part === undefined) return at;
  if (part.kind === "fixed")
    return text.startsWith(part.text, at) ? endOfParts(text, at + part.text.length, rest) : null;
  const member = new RegExp(`[${ALPHABETS[part.of]}]`);
  let length = 0;
  while (length < (part.most ?? text.length) && member.test(text.charAt(at + length))) length += 1;
  for (; length >= part.least; length -= 1) {
    const end = endOfParts(text, at + length, rest);
    if (end !== null) return end;
  }
  return null;
}

function findUrlPassword(text: string, from: number): Span | null {
  for (let at = text.indexOf("://", from); at !== -1; at = text.indexOf("://", at + 1)) {
    const authority = text.slice(at + 3).split(/[\s/?#"'<>`\\]/)[0] ?? "";
    const [, before = "", password = ""] = /^([^:]*:)(.+)@/s.exec(authority) ?? [];
    const start = at + 3 + before.length;
    if (password !== "" && start >= from) return { start, end: start + password.length };
  }
  return null;
}

function findAssigned(text: string, from: number): Span | null {
  ASSIGNMENT.lastIndex = from;
  for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
    const value = match[1] ?? "";
    const end = match.index + match[0].length;
    if (/[0-9]/.test(value) && /[A-Za-z]/.test(value)) return { start: end - value.length, end };
  }
  return null;
}

function earlier(left: Span | null, right: Span | null): Span | null {
  if (left === null || right === null) return left ?? right;
  return left.start <= right.start ? left : right;
}
