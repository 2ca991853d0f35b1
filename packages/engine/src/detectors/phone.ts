import { type Detector, patternDetector } from "./detector.ts";

/** `+` or `00` and 8 to 15 digits, with a little punctuation between them. */
const INTERNATIONAL = "(?:\\+|(?<![0-9][ -]?)00)[1-9](?:[ ().\\/-]{0,3}[0-9]){7,14}(?![0-9])";

/** Ten digits as North America writes them; without punctuation they could be any number. */
const NORTH_AMERICAN =
  "(?<![0-9])(?:\\([2-9][0-9]{2}\\)[ -]?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4}(?![0-9])";

const DIGIT = /[0-9]/;

export const phone: Detector = patternDetector(
  new RegExp(`${INTERNATIONAL}|${NORTH_AMERICAN}`, "g"),
  (text) => DIGIT.test(text),
);
