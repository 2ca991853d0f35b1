import {
  detect,
  detects,
  type Finding,
  type Replacement,
  replaceDetected,
  replaceFindings,
} from "../detectors/detect.ts";
import type { DetectorName } from "../detectors/detector.ts";
import type { NamedDetector, OwnDetector } from "../detectors/named-detector.ts";
import { OwnSearches } from "./own-findings.ts";
import type { PatternSet } from "./pattern-set.ts";
import { spendOnDetectors, type TextWork } from "./text-work.ts";
import { type Truth, truthOf } from "./truth.ts";

/** Detectors that search texts with the work of one call. */
export interface TextDetectors {
  /** Whether they may find something in any text or number, however short. */
  readonly searchesAll: boolean;
  /** Whether one of them finds something. */
  readonly judge: (text: string, work: TextWork) => Truth;
  /** The text with every finding replaced; null when there is not enough work left to find them all. */
  readonly replace: (text: string, replacement: Replacement, work: TextWork) => string | null;
}

export function compileTextDetectors(
  detectors: readonly NamedDetector[],
  patterns: PatternSet,
): TextDetectors {
  const names = detectors.filter((one): one is DetectorName => typeof one === "string");
  const own = detectors.filter((one): one is OwnDetector => typeof one !== "string");
  return own.length === 0 ? builtIn(names) : withOwn(names, new OwnSearches(own, patterns));
}

function builtIn(names: readonly DetectorName[]): TextDetectors {
  return {
    searchesAll: false,
    judge: (text, work) => judgeBuiltIn(text, names, work),
    replace: (text, replacement, work) =>
      spendOnDetectors(text, names, work) ? replaceDetected(text, names, replacement) : null,
  };
}

function withOwn(names: readonly DetectorName[], own: OwnSearches): TextDetectors {
  return {
    searchesAll: true,
    judge: (text, work) => {
      const truth = names.length === 0 ? "fails" : judgeBuiltIn(text, names, work);
      return truth === "fails" ? own.judge(text, work) : truth;
    },
    replace: (text, replacement, work) => {
      if (names.length > 0 && !spendOnDetectors(text, names, work)) return null;
      const found = own.findings(text, work);
      if (found === null) return null;
      const all: readonly Finding<string>[] = [...detect(text, names), ...found];
      return replaceFindings(text, all, replacement);
    },
  };
}

function judgeBuiltIn(text: string, names: readonly DetectorName[], work: TextWork): Truth {
  return spendOnDetectors(text, names, work) ? truthOf(detects(text, names)) : "unread";
}
