import type { Detector, Span } from "./detector.ts";

/** Longest local part and domain that mail can carry, in characters. */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

/** Letters of any script count: internationalised addresses are addresses. */
const LOCAL_CHARACTER = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uffff-]/;
const DOMAIN_CHARACTER = /[A-Za-z0-9.\u0080-\uffff-]/;
const DOMAIN = /^[A-Za-z0-9\u0080-\uffff](?:[^.]*\.)+[A-Za-z\u0080-\uffff][A-Za-z0-9\u0080-\uffff-]+/;

/** An address: looks at each `@`, and from there a bounded way to both sides. */
export const email: Detector = {
  mayContain: (text) => text.includes("@"),
  find: (text, from) => {
    for (let at = text.indexOf("@", from); at !== -1; at = text.indexOf("@", at + 1)) {
      const span = addressAround(text, at, from);
      if (span !== null) return span;
    }
    return null;
  },
};

function addressAround(text: string, at: number, from: number): Span | null {
  let start = at;
  while (start > from && at - start < MAX_LOCAL && LOCAL_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  let end = at + 1;
  while (end < text.length && end - at <= MAX_DOMAIN && DOMAIN_CHARACTER.test(text.charAt(end))) end += 1;
  const domain = DOMAIN.exec(text.slice(at + 1, end))?.[0];
  return start === at || domain === undefined ? null : { start, end: at + 1 + domain.length };
}
