import type { JsonObject } from "@svc/text/json-value";
import { DETECTOR_NAMES } from "../detectors/detector.ts";
import type { GuardrailDetector, OwnDetector } from "../detectors/named-detector.ts";
import type { Reporter } from "../read/reporter.ts";
import { type MapEntry, quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectAtMost, expectMap, expectMembers, type MissingKey, missingKey, refuse } from "./expect.ts";
import { expectPattern, REGEX_SCHEMA } from "./expect-pattern.ts";
import { expectOneOrMore, oneOrMoreSchema } from "./expect-value.ts";
import { placeSchema } from "./json-schema.ts";
import { matchesEmptyText } from "./matches-empty-text.ts";
import { DETECTOR_LIST } from "./name-lists.ts";
import type { PatternBudget } from "./pattern-budget.ts";

/** Most detectors of one policy, and patterns of one detector, as count. */
const MAX_DETECTORS = 50;
const MAX_PATTERNS = 20;

/** Built-in names have a dot, so no later version can take the name of an own detector. */
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

export const DETECTOR_NAME_SCHEMA: JsonObject = { type: "string", pattern: NAME.source };

/** Schema of `validateDetectors`. */
export const OWN_DETECTORS_SCHEMA: JsonObject = {
  type: "object",
  propertyNames: { ...DETECTOR_NAME_SCHEMA, not: { enum: [...DETECTOR_LIST.synonyms.keys()] } },
  additionalProperties: placeSchema(
    "detector",
    { matches: oneOrMoreSchema(REGEX_SCHEMA, MAX_PATTERNS) },
    { required: ["matches"] },
  ),
  minProperties: 1,
  maxProperties: MAX_DETECTORS,
};

const MISSING_PATTERN: MissingKey = {
  place: "detector",
  key: "matches",
  expected: "a regular expression, or a list of them of which one is enough",
  fix: "add matches: with what the detector finds, such as matches: 'CHK-[0-9]+'",
};

/** By name. A detector with a fault is there without patterns, so that its uses are not reported as well. */
export type OwnDetectors = ReadonlyMap<string, OwnDetector>;

/** What rules can name beside built-in detectors, by name. */
export interface KnownDetectors {
  get(name: string): OwnDetector | GuardrailDetector | undefined;
  has(name: string): boolean;
  keys(): Iterable<string>;
}

export function validateDetectors(
  node: SourceNode | undefined,
  patterns: PatternBudget,
  reporter: Reporter,
): OwnDetectors {
  const map = node === undefined ? null : expectMap(node, "a mapping of names to detectors", reporter);
  if (map === null) return new Map();
  const items = map.entries.map(({ value }) => value);
  if (!expectAtMost({ ...map, kind: "list", items }, MAX_DETECTORS, reporter)) return new Map();
  return new Map(
    map.entries.map((entry) => [entry.key, validateDetector(entry, patterns, reporter)] as const),
  );
}

function validateDetector(entry: MapEntry, patterns: PatternBudget, reporter: Reporter): OwnDetector {
  expectOwnName(entry, reporter);
  const members = expectMembers(entry.value, "detector", reporter);
  const node = members?.get("matches");
  if (members !== null && node === undefined) missingKey(entry.value, MISSING_PATTERN, reporter);
  const texts =
    node === undefined
      ? null
      : expectOneOrMore(node, (item) => expectFinding(item, patterns, reporter), reporter, MAX_PATTERNS);
  return { name: entry.key, patterns: texts ?? [] };
}

function expectOwnName({ key, keyOffset, value }: MapEntry, reporter: Reporter): void {
  const place = { pointer: value.pointer, offset: keyOffset };
  const node: SourceNode = { kind: "scalar", value: key, text: key, ...place };
  const meant = DETECTOR_LIST.synonyms.get(key);
  if (DETECTOR_NAMES.some((name) => name === key) || meant !== undefined) {
    const builtIn = meant !== undefined && DETECTOR_NAMES.some((name) => name === meant) ? meant : key;
    refuse("policy/invalid-identifier", node, reporter, {
      message: `${quoteShort(key)} names what is built in, and a policy cannot define it again`,
      expected: "a name that no built-in detector has, in full or in short",
      fix: `write another name, such as own_${key.replaceAll(/[^a-z0-9_]/g, "_")}, or use ${builtIn}`,
    });
  } else if (!NAME.test(key)) {
    refuse("policy/invalid-identifier", node, reporter, {
      message: `${quoteShort(key)} is not a name of a detector`,
      expected: "1 to 64 characters: a lower-case letter first, then lower-case letters, digits or _",
      fix: "write a name such as check_number",
    });
  }
}

/** A pattern that finds at least one character, wherever it finds something. */
export function expectFinding(node: SourceNode, patterns: PatternBudget, reporter: Reporter): string | null {
  const pattern = expectPattern(node, patterns, reporter);
  if (pattern === null || !matchesEmptyText(pattern, patterns)) return pattern;
  return refuse("policy/invalid-regex", node, reporter, {
    message: "the regular expression matches the empty text, so it would find something everywhere",
    expected: "a pattern that needs at least one character",
    fix: "write + in place of *, or name a part that must be there",
  });
}
