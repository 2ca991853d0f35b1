import type { Detector, Span } from "./detector.ts";
import { DigitRun, digitExtent } from "./digit-run.ts";
import { isDigitAt } from "./digits.ts";

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** A card number begins with 2 to 6: airlines to merchants, banks and petrol. */
const FIRST_DIGIT = /[2-6]/;
const MIN_FIRST_DIGIT = 2;
const MAX_FIRST_DIGIT = 6;

/** 13 to 19 digits, alone or in groups, whose last digit is the Luhn check digit. */
export const creditCard: Detector = {
  mayContain: (text) => FIRST_DIGIT.test(text),
  search: (text) => {
    let run: DigitRun | null = nextRun(text, 0);
    let index = 0;
    return () => {
      for (; run !== null; run = nextRun(text, run.end)) {
        for (; index + MIN_DIGITS <= run.count; index += 1) {
          const digits = cardDigits(run, index);
          if (digits === null) continue;
          const start = run.placeOf(index);
          index += digits;
          return { start, end: run.placeOf(index - 1) + 1 } satisfies Span;
        }
        index = 0;
      }
      return null;
    };
  },
};

/** The next run of digits that is long enough. */
function nextRun(text: string, from: number): DigitRun | null {
  let at = from;
  while (at < text.length) {
    if (isDigitAt(text, at)) {
      const extent = digitExtent(text, at);
      if (extent.count >= MIN_DIGITS) return new DigitRun(text, extent);
      at = extent.end;
    }
    at += 1;
  }
  return null;
}

/** How many digits the longest card number has that starts exactly here and ends where no digit follows. */
function cardDigits(run: DigitRun, index: number): number | null {
  const first = run.digit(index);
  if (first < MIN_FIRST_DIGIT || first > MAX_FIRST_DIGIT || !run.beginsGroup(index)) return null;
  for (let digits = Math.min(MAX_DIGITS, run.count - index); digits >= MIN_DIGITS; digits -= 1) {
    const end = index + digits;
    if (run.passesLuhn(index, end) && run.endsGroup(end - 1)) return digits;
  }
  return null;
}
