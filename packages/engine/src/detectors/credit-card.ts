import type { Detector, Span } from "./detector.ts";
import { digitAt, isDigitAt, isGroupGapAt } from "./digits.ts";

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** A card number begins with 2 to 6: airlines to merchants, banks and petrol. */
const FIRST_DIGIT = /[2-6]/;

/** 13 to 19 digits, alone or in groups, whose last digit is the Luhn check digit. */
export const creditCard: Detector = {
  mayContain: (text) => FIRST_DIGIT.test(text),
  find: (text, from) => {
    for (let start = from; start < text.length; start += 1) {
      if (!isDigitAt(text, start) || isDigitAt(text, start - 1)) continue;
      const span = cardAt(text, start);
      if (span !== null) return span;
    }
    return null;
  },
};

/** The longest card number that starts exactly here and ends where no further digit follows. */
function cardAt(text: string, start: number): Span | null {
  if (!FIRST_DIGIT.test(text.charAt(start))) return null;
  const digits: number[] = [];
  let longest: Span | null = null;
  let at = start;
  while (digits.length < MAX_DIGITS && isDigitAt(text, at)) {
    digits.push(digitAt(text, at));
    at += 1;
    const ends = !isDigitAt(text, at);
    if (ends && digits.length >= MIN_DIGITS && passesLuhn(digits)) longest = { start, end: at };
    if (isGroupGapAt(text, at)) at += 1;
  }
  return longest;
}

/** From the right, every second digit counts twice, its own digits added; the sum ends in 0. */
function passesLuhn(digits: readonly number[]): boolean {
  let sum = 0;
  for (const [index, digit] of digits.entries()) {
    const doubled = (digits.length - index) % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum > 0 && sum % 10 === 0;
}
