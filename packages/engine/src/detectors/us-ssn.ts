import { type Detector, patternDetector } from "./detector.ts";

/** Three, two and four digits with one kind of gap; areas 000, 666 and 9xx were never given out. */
const SSN = /(?<![0-9])(?!000|666|9)[0-9]{3}([ -])(?!00)[0-9]{2}\1(?!0000)[0-9]{4}(?![0-9])/g;
const GROUP = /[0-9][ -][0-9]{2}[ -][0-9]/;

export const usSsn: Detector = patternDetector(SSN, (text) => GROUP.test(text));
