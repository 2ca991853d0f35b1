import type { RE2JS } from "re2js";
import type { Finding } from "../detectors/detect.ts";
import type { OwnDetector } from "../detectors/named-detector.ts";
import type { PatternSet } from "./pattern-set.ts";
import type { TextWork } from "./text-work.ts";
import { type Truth, truthOf } from "./truth.ts";

/** What a text counts for beside its length: looking at it at all. */
const START_LENGTH = 8;

/** Work to know where a finding begins and ends, as a multiple of that to know whether there is one. */
const PLACE_WEIGHT = 2;

interface Search {
  readonly detector: string;
  readonly regex: RE2JS;
  readonly size: number;
}

/** No text at all. */
const NOTHING: ReadonlySet<string> = new Set();

/** Detectors that patterns define, compiled. */
export class OwnSearches {
  readonly #searches: readonly Search[];
  readonly #allowed: ReadonlySet<string>;

  /** @param allowed texts that count for nothing when they are all of a finding */
  constructor(
    detectors: readonly OwnDetector[],
    patterns: PatternSet,
    allowed: ReadonlySet<string> = NOTHING,
  ) {
    this.#allowed = allowed;
    this.#searches = detectors.flatMap(({ name, patterns: texts }) =>
      texts.map((text) => {
        const regex = patterns.compiled(text, false);
        return { detector: name, regex, size: regex.programSize() };
      }),
    );
  }

  /** Whether one of them finds something. */
  judge(text: string, work: TextWork): Truth {
    if (this.#allowed.size > 0) {
      const found = this.findings(text, work);
      return found === null ? "unread" : truthOf(found.length > 0);
    }
    for (const { regex, size } of this.#searches) {
      if (!work.spend(text.length + START_LENGTH, size)) return "unread";
      if (regex.test(text)) return "holds";
    }
    return truthOf(false);
  }

  /**
   * Every finding. Each search for the next one may read all that is left of the text, so each is paid for as
   * if it did. Null: there is not enough work left.
   */
  findings(text: string, work: TextWork): readonly Finding<string>[] | null {
    const found: Finding<string>[] = [];
    for (const search of this.#searches) {
      if (!work.spend(text.length + START_LENGTH, search.size)) return null;
      if (!search.regex.test(text)) continue;
      if (!collect(search, text, { work, found, allowed: this.#allowed })) return null;
    }
    return found;
  }
}

interface Collection {
  readonly work: TextWork;
  readonly found: Finding<string>[];
  readonly allowed: ReadonlySet<string>;
}

/** @returns false when there is not enough work left. */
function collect(
  { detector, regex, size }: Search,
  text: string,
  { work, found, allowed }: Collection,
): boolean {
  const matcher = regex.matcher(text);
  let from = 0;
  while (work.spend(text.length - from + START_LENGTH, size * PLACE_WEIGHT)) {
    if (!matcher.find(from)) return true;
    const [start, end] = [matcher.start(), matcher.end()];
    // Validation refuses patterns that match nothing. What is not understood is not searched.
    if (end <= start) return false;
    if (allowed.has(text.slice(start, end))) {
      // What begins within an allowed text may be a finding of its own.
      from = start + ((text.codePointAt(start) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1);
      if (from >= text.length) return true;
      continue;
    }
    found.push({ detector, start, end });
    from = end;
    if (from >= text.length) return true;
  }
  return false;
}

/** The last character that is one UTF-16 unit. */
const LAST_OF_ONE_UNIT = 0xffff;
