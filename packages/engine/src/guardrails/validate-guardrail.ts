import { GUARDRAIL_ID, GUARDRAIL_ID_EXPECTATION } from "@svc/contract/guardrail";
import {
  MAX_ALLOWED_TEXTS,
  MAX_GUARDRAIL_DESCRIPTION,
  MAX_GUARDRAIL_PATTERNS,
  MAX_GUARDRAIL_TEXT,
  MAX_PATTERN_SAMPLES,
} from "@svc/contract/guardrail-limits";
import { DETECTOR_NAMES, type DetectorName } from "../detectors/detector.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import {
  expectFilledList,
  expectMembers,
  expectName,
  expectText,
  type Members,
  type MissingKey,
  missingKey,
  refuse,
} from "../validate/expect.ts";
import { DETECTOR_LIST } from "../validate/name-lists.ts";
import type { PatternBudget } from "../validate/pattern-budget.ts";
import { expectFinding } from "../validate/validate-detectors.ts";
import type { Guardrail, GuardrailPattern } from "./guardrail.ts";

/** A guardrail as it is written, with its samples and without its place among others. */
export interface WrittenGuardrail extends Omit<Guardrail, "id" | "version" | "patterns"> {
  readonly description: string | null;
  readonly patterns: readonly WrittenPattern[];
}

export interface WrittenPattern extends GuardrailPattern {
  /** Where the pattern itself stands. */
  readonly node: SourceNode;
  readonly mustMatch: readonly Sample[];
  readonly mustNotMatch: readonly Sample[];
}

/** A text to try a pattern on, and where it stands. */
export interface Sample {
  readonly text: string;
  readonly node: SourceNode;
}

const MISSING_PART: MissingKey = {
  place: "guardrail",
  key: "detectors or patterns",
  expected: "detectors, patterns, or both: a guardrail that looks for nothing protects nothing",
  fix: "add detectors: [pii.credit_card], or patterns: with what to look for",
};

const MISSING_NAME: MissingKey = {
  place: "guardrail_pattern",
  key: "name",
  expected: GUARDRAIL_ID_EXPECTATION,
  fix: "add name: with a name such as member_number",
};

const MISSING_MATCHES: MissingKey = {
  place: "guardrail_pattern",
  key: "matches",
  expected: "a regular expression in RE2 syntax",
  fix: "add matches: with what the pattern finds, such as matches: 'CHK-[0-9]+'",
};

/** Types a guardrail and reports every fault. The result counts only while the reporter holds no error. */
export function validateGuardrail(
  node: SourceNode,
  patterns: PatternBudget,
  reporter: Reporter,
): WrittenGuardrail | null {
  const members = expectMembers(node, "guardrail", reporter);
  if (members === null) return null;
  if (!members.has("detectors") && !members.has("patterns")) return missingKey(node, MISSING_PART, reporter);
  return {
    description: descriptionOf(members, reporter),
    detectors: listOf(members.get("detectors"), DETECTOR_NAMES.length, reporter, (item) =>
      expectName<DetectorName>(item, DETECTOR_LIST, reporter),
    ),
    patterns: patternsOf(members, patterns, reporter),
    allow: listOf(members.get("allow"), MAX_ALLOWED_TEXTS, reporter, (item) => textOf(item, reporter)),
  };
}

/** Reports a name that no guardrail can have. */
export function expectGuardrailId(node: SourceNode, id: string, reporter: Reporter): boolean {
  if (GUARDRAIL_ID.test(id)) return true;
  refuse("policy/invalid-identifier", node, reporter, {
    message: `${quoteShort(id)} is not an id of a guardrail`,
    expected: GUARDRAIL_ID_EXPECTATION,
    fix: "write an id such as pci or customer-data",
  });
  return false;
}

function descriptionOf(members: Members, reporter: Reporter): string | null {
  const node = members.get("description");
  const text = node === undefined ? null : expectText(node, "a text", reporter);
  if (node === undefined || text === null || text.length <= MAX_GUARDRAIL_DESCRIPTION) return text;
  return refuse("policy/invalid-text", node, reporter, {
    message: "the description is too long",
    expected: `at most ${String(MAX_GUARDRAIL_DESCRIPTION)} characters`,
    fix: "say in a sentence what the guardrail is for",
  });
}

function listOf<T>(
  node: SourceNode | undefined,
  most: number,
  reporter: Reporter,
  expectOne: (item: SourceNode) => T | null,
): readonly T[] {
  if (node === undefined) return [];
  const list = expectFilledList(node, { expected: "a list of values", most }, reporter);
  return list?.items.flatMap((item) => expectOne(item) ?? []) ?? [];
}

function textOf(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a text, in quotes", reporter);
  if (text === null || (text !== "" && text.length <= MAX_GUARDRAIL_TEXT)) return text;
  return refuse("policy/invalid-text", node, reporter, {
    message: text === "" ? "the text is empty" : "the text is too long",
    expected: `1 to ${String(MAX_GUARDRAIL_TEXT)} characters`,
    fix: "write the text itself, and no more than it needs",
  });
}

function patternsOf(members: Members, budget: PatternBudget, reporter: Reporter): readonly WrittenPattern[] {
  const names = new Set<string>();
  return listOf(members.get("patterns"), MAX_GUARDRAIL_PATTERNS, reporter, (item) => {
    const pattern = patternOf(item, budget, reporter);
    if (pattern === null) return null;
    if (names.has(pattern.name)) {
      return refuse("policy/duplicate-id", item, reporter, {
        message: `two patterns have the name ${quoteShort(pattern.name)}`,
        expected: "a name that no other pattern of the guardrail has",
        fix: "write another name",
      });
    }
    names.add(pattern.name);
    return pattern;
  });
}

function patternOf(node: SourceNode, budget: PatternBudget, reporter: Reporter): WrittenPattern | null {
  const members = expectMembers(node, "guardrail_pattern", reporter);
  if (members === null) return null;
  const [name, matches] = [members.get("name"), members.get("matches")];
  if (name === undefined) return missingKey(node, MISSING_NAME, reporter);
  if (matches === undefined) return missingKey(node, MISSING_MATCHES, reporter);
  const text = expectText(name, "a text", reporter);
  const pattern = expectFinding(matches, budget, reporter);
  const samples = (key: string) =>
    listOf(members.get(key), MAX_PATTERN_SAMPLES, reporter, (item) => {
      const sample = textOf(item, reporter);
      return sample === null ? null : { text: sample, node: item };
    });
  const [mustMatch, mustNotMatch] = [samples("must_match"), samples("must_not_match")];
  if (text === null || pattern === null || !expectPatternName(name, text, reporter)) return null;
  return { name: text, matches: pattern, node: matches, mustMatch, mustNotMatch };
}

function expectPatternName(node: SourceNode, name: string, reporter: Reporter): boolean {
  if (GUARDRAIL_ID.test(name)) return true;
  refuse("policy/invalid-identifier", node, reporter, {
    message: `${quoteShort(name)} is not a name of a pattern`,
    expected: GUARDRAIL_ID_EXPECTATION,
    fix: "write a name such as member_number",
  });
  return false;
}
