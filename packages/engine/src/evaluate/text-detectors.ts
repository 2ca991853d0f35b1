import { detect, detects, type Finding, type Replacement, replaceFindings } from "../detectors/detect.ts";
import type { DetectorName } from "../detectors/detector.ts";
import {
  type GuardrailDetector,
  type NamedDetector,
  nameOfDetector,
  type OwnDetector,
} from "../detectors/named-detector.ts";
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

/** Some detectors, compiled together. */
interface Searches {
  readonly judge: (text: string, work: TextWork) => Truth;
  /** Null: there is not enough work left to find them all. */
  readonly findings: (text: string, work: TextWork) => readonly Finding<string>[] | null;
}

export function compileTextDetectors(
  detectors: readonly NamedDetector[],
  patterns: PatternSet,
): TextDetectors {
  const names = detectors.filter((one): one is DetectorName => typeof one === "string");
  const named = detectors.filter((one) => typeof one !== "string");
  const own = named.filter((one): one is OwnDetector => !("guardrail" in one));
  const guardrails = named.filter((one): one is GuardrailDetector => "guardrail" in one);
  const parts: readonly Searches[] = [
    ...(names.length === 0 ? [] : [builtIn(names)]),
    ...(own.length === 0 ? [] : [byPatterns(new OwnSearches(own, patterns))]),
    ...guardrails.map((one) => searchesOf(one, patterns)),
  ];
  const searches = together(parts);
  return {
    searchesAll: own.length > 0 || guardrails.some(({ guardrail }) => guardrail.patterns.length > 0),
    judge: searches.judge,
    replace: (text, replacement, work) => {
      const found = searches.findings(text, work);
      return found === null ? null : replaceFindings(text, found, replacement);
    },
  };
}

function builtIn(names: readonly DetectorName[]): Searches {
  return {
    judge: (text, work) => (spendOnDetectors(text, names, work) ? truthOf(detects(text, names)) : "unread"),
    findings: (text, work) => (spendOnDetectors(text, names, work) ? detect(text, names) : null),
  };
}

function byPatterns(own: OwnSearches): Searches {
  return { judge: (text, work) => own.judge(text, work), findings: (text, work) => own.findings(text, work) };
}

/** The first part that finds something, or that there was no work for, answers for all. */
function together(parts: readonly Searches[]): Searches {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return {
    judge: (text, work) => {
      for (const part of parts) {
        const truth = part.judge(text, work);
        if (truth !== "fails") return truth;
      }
      return "fails";
    },
    findings: (text, work) => {
      const all: Finding<string>[] = [];
      for (const part of parts) {
        const found = part.findings(text, work);
        if (found === null) return null;
        all.push(...found);
      }
      return all;
    },
  };
}

/** All that a guardrail finds has the name of the guardrail. */
function searchesOf(detector: GuardrailDetector, patterns: PatternSet): Searches {
  const name = nameOfDetector(detector);
  const { detectors, patterns: written, allow } = detector.guardrail;
  const allowed = new Set(allow);
  const own: OwnDetector = { name, patterns: written.map(({ matches }) => matches) };
  const parts: readonly Searches[] = [
    ...(detectors.length === 0 ? [] : [builtIn(detectors)]),
    ...(written.length === 0 ? [] : [byPatterns(new OwnSearches([own], patterns, allowed))]),
  ];
  const { judge, findings } = together(parts);
  const counted = (text: string, work: TextWork): readonly Finding<string>[] | null => {
    const found = findings(text, work)?.filter(({ start, end }) => !allowed.has(text.slice(start, end)));
    return found?.map(({ start, end }) => ({ detector: name, start, end })) ?? null;
  };
  if (allowed.size === 0) return { judge, findings: counted };
  return {
    judge: (text, work) => {
      const found = counted(text, work);
      return found === null ? "unread" : truthOf(found.length > 0);
    },
    findings: counted,
  };
}
