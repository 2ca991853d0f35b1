import { detect } from "../detectors/detect.ts";
import type { Span } from "../detectors/detector.ts";
import { OwnSearches } from "../evaluate/own-findings.ts";
import { PatternSet } from "../evaluate/pattern-set.ts";
import { compileTextDetectors } from "../evaluate/text-detectors.ts";
import { spendOnDetectors, TextWork } from "../evaluate/text-work.ts";
import type { Guardrail } from "./guardrail.ts";

/** Most findings of one trial, as count: a text of digits can have one for every few characters. */
const MAX_FINDINGS = 1_000;

export interface GuardrailTrial {
  /** Whether a condition that names the guardrail holds for the text, or cannot be judged. */
  readonly finds: boolean;
  /** False: the text needs more work than one call may take, or has more findings than are named. */
  readonly complete: boolean;
  /** By place. */
  readonly findings: readonly TriedFinding[];
}

/** What a built-in detector or a pattern of the guardrail, by its name, found in UTF-16 units. */
export interface TriedFinding {
  readonly detector: string;
  readonly start: number;
  readonly end: number;
  /** Whether the finding counts for nothing. */
  readonly allowed: boolean;
}

/** Tries a guardrail on a text. `finds` is judged as calls are; the findings say what led to it. */
export function tryGuardrail(guardrail: Guardrail, text: string): GuardrailTrial {
  const patterns = new PatternSet();
  const truth = compileTextDetectors([{ guardrail }], patterns).judge(text, new TextWork());
  const named = guardrail.patterns.map(({ name, matches }) => ({ name, patterns: [matches] }));
  const work = new TextWork();
  const builtIn = spendOnDetectors(text, guardrail.detectors, work)
    ? detect(text, guardrail.detectors)
    : null;
  const allowed = new Set(guardrail.allow);
  const isAllowed = ({ start, end }: Span) => allowed.has(text.slice(start, end));
  // As calls are judged: what begins within an allowed text is a finding of its own.
  const counting = new OwnSearches(named, patterns, allowed).findings(text, work);
  const passed = new OwnSearches(named, patterns).findings(text, new TextWork())?.filter(isAllowed) ?? null;
  const findings = [...(builtIn ?? []), ...(counting ?? []), ...(passed ?? [])]
    .toSorted((left, right) => left.start - right.start || right.end - left.end)
    .map((found) => ({ ...found, allowed: isAllowed(found) }));
  const isSearched = truth !== "unread" && builtIn !== null && counting !== null && passed !== null;
  const complete = isSearched && findings.length <= MAX_FINDINGS;
  return { finds: truth !== "fails", complete, findings: findings.slice(0, MAX_FINDINGS) };
}
