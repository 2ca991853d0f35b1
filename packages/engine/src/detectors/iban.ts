import { alphanumericValueAt } from "./alphanumerics.ts";
import type { Detector, Span } from "./detector.ts";
import { isGroupGapAt } from "./digits.ts";

/** Shortest and longest IBAN in characters (ISO 13616 registry: Norway 15, Malta 31, room to 34). */
const MIN_LENGTH = 15;
const MAX_LENGTH = 34;

/** Country and check digits in characters: they go to the end before the division. */
const HEAD_LENGTH = 4;

/** What the four characters of the head, which are six digits, multiply the number before them by. */
const HEAD_FACTOR = 1_000_000 % 97;

const BEGINNING = /(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?=[ -]?[A-Za-z0-9])/g;
const COUNTRY_AND_CHECK = /[A-Za-z]{2}[0-9]{2}/;

/**
 * Country, two check digits and the account, alone or in groups, congruent to 1 modulo 97. Any two letters
 * count as a country: the registry grows, and a detector that does not know a new member would miss it.
 */
export const iban: Detector = {
  mayContain: (text) => COUNTRY_AND_CHECK.test(text),
  search: (text) => {
    let from = 0;
    return () => {
      BEGINNING.lastIndex = from;
      for (let match = BEGINNING.exec(text); match !== null; match = BEGINNING.exec(text)) {
        const end = endOfIbanAt(text, match.index);
        if (end === null) continue;
        from = end;
        return { start: match.index, end } satisfies Span;
      }
      from = text.length;
      return null;
    };
  },
};

/**
 * The end of the longest IBAN that starts exactly here and ends where no letter or digit follows. Reads each
 * character once, however many groups there are.
 */
function endOfIbanAt(text: string, start: number): number | null {
  const head = headRemainder(text, start);
  let longest: number | null = null;
  let length = HEAD_LENGTH;
  let account = 0;
  let at = start + HEAD_LENGTH;
  if (isGroupGapAt(text, at)) at += 1;
  let value = alphanumericValueAt(text, at);
  while (value >= 0 && length < MAX_LENGTH) {
    account = remainderWith(account, value);
    length += 1;
    at += 1;
    value = alphanumericValueAt(text, at);
    if (value >= 0) continue;
    if (length >= MIN_LENGTH && (account * HEAD_FACTOR + head) % 97 === 1) longest = at;
    if (!isGroupGapAt(text, at)) break;
    at += 1;
    value = alphanumericValueAt(text, at);
  }
  return longest;
}

function headRemainder(text: string, start: number): number {
  let remainder = 0;
  for (let at = start; at < start + HEAD_LENGTH; at += 1)
    remainder = remainderWith(remainder, alphanumericValueAt(text, at));
  return remainder;
}

/** ISO 7064: the remainder after one more character, where a letter counts as two digits, A as 10. */
function remainderWith(remainder: number, value: number): number {
  return (remainder * (value > 9 ? 100 : 10) + value) % 97;
}
