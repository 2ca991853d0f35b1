import type { Detector, Span } from "./detector.ts";
import { isGroupGapAt } from "./digits.ts";

/** Shortest and longest IBAN in characters (ISO 13616 registry: Norway 15, Malta 31, room to 34). */
const MIN_LENGTH = 15;
const MAX_LENGTH = 34;

const BEGINNING = /(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?=[ -]?[A-Za-z0-9])/g;
const COUNTRY_AND_CHECK = /[A-Za-z]{2}[0-9]{2}/;
const ALPHANUMERIC = /[A-Za-z0-9]/;

/** Country, two check digits and the account, alone or in groups, congruent to 1 modulo 97. */
export const iban: Detector = {
  mayContain: (text) => COUNTRY_AND_CHECK.test(text),
  find: (text, from) => {
    BEGINNING.lastIndex = from;
    for (let match = BEGINNING.exec(text); match !== null; match = BEGINNING.exec(text)) {
      const span = ibanAt(text, match.index);
      if (span !== null) return span;
    }
    return null;
  },
};

/** The longest IBAN that starts exactly here and ends where no letter or digit follows. */
function ibanAt(text: string, start: number): Span | null {
  let compact = "";
  let longest: Span | null = null;
  let at = start;
  while (compact.length < MAX_LENGTH && ALPHANUMERIC.test(text.charAt(at))) {
    compact += text.charAt(at);
    at += 1;
    const ends = !ALPHANUMERIC.test(text.charAt(at));
    if (ends && compact.length >= MIN_LENGTH && remainder97(compact) === 1) longest = { start, end: at };
    if (isGroupGapAt(text, at)) at += 1;
  }
  return longest;
}

/** ISO 7064: the first four characters go to the end, and a letter counts as two digits, A as 10. */
function remainder97(compact: string): number {
  let remainder = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
