import type { Requirement } from "./requirement.ts";

/** A file that holds tests, or the cases that a table test runs. */
export interface TestSource {
  readonly path: string;
  readonly text: string;
}

/** One place that says it proves a promise. `line` counts from 1. */
export interface Citation {
  readonly id: string;
  readonly path: string;
  readonly line: number;
}

const PROVES = /^\s*\/\/ proves (.+)$/;
const CASE_FILE = /\/testdata\/cases\/[^/]+\.yaml$/;
const CASE_PROVES = /^\s*- \{proves: \[(.+?)\]/;
const COMMENT = /^\s*\/\//;
const TEST = /^\s*(?:it|test|describe)\b(?!\.(?:skip|todo)\b)/;
const SKIPPED = /\.(?:skip|todo)\b/;
const ID = /\b[A-Z]{2,5}-[0-9]{2}\b/g;
const LIST_OF_IDS = /^[A-Z]{2,5}-[0-9]{2}(?:, [A-Z]{2,5}-[0-9]{2})*$/;

/**
 * Finds citations: ids in the code of a test file (names of tests and of table rows), in comment lines
 * `// proves KILL-07, KILL-19` above a test, and in `proves: [POL-07]` of a case file. An id whose group is
 * unknown counts only in the last two: in a name it may be a UTF-16.
 */
export function citationsOf({ path, text }: TestSource, groups: ReadonlySet<string>): readonly Citation[] {
  return text.split("\n").flatMap((content, index) => {
    const ids = listOfProofs(path, content)?.match(ID) ?? idsInNames(path, content, groups);
    return ids.map((id) => ({ id, path, line: index + 1 }));
  });
}

/** Lists of proofs that hold something other than ids, and comments that are not above a running test. */
export function misplacedProofs({ path, text }: TestSource): readonly string[] {
  const lines = text.split("\n");
  return lines.flatMap((content, index) => {
    const list = listOfProofs(path, content);
    if (list === undefined) return [];
    const place = `${path}:${index + 1}`;
    if (!LIST_OF_IDS.test(list)) return [`${place}: expected ids such as KILL-07, KILL-19, found ${list}`];
    if (CASE_FILE.test(path)) return [];
    const below = lines.slice(index + 1).find((line) => !COMMENT.test(line)) ?? "";
    return TEST.test(below) ? [] : [`${place}: expected a test that runs below, found ${below.trim()}`];
  });
}

/** Files that only the long run of the tests has. */
export const LONG_FILE = /\.long\.test\.ts$/;

/** Most promises that only the long run proves, as count: the others are proved for each change. */
const MAX_LONG = 15;

/** What is wrong between the promises and the tests that cite them; empty when every state is true. */
export function contradictions(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
): readonly string[] {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const cited = new Set(citations.filter(({ path }) => !LONG_FILE.test(path)).map(({ id }) => id));
  const citedLong = new Set(citations.filter(({ path }) => LONG_FILE.test(path)).map(({ id }) => id));
  const long = requirements.filter(({ state }) => state === "tested_long");
  const duplicated = requirements.filter((requirement) => byId.get(requirement.id) !== requirement);
  const unproven = requirements.filter(({ id, state }) => state === "tested" && !cited.has(id));
  return [
    ...duplicated.map(({ id }) => `${id}: the id is given to more than one promise`),
    ...unproven.map(({ id, promise }) => `${id}: marked tested, but no test cites it: ${promise}`),
    ...long.flatMap(({ id }) => {
      if (cited.has(id)) return [`${id}: marked tested_long, but a test of each run cites it`];
      return citedLong.has(id) ? [] : [`${id}: marked tested_long, but no test of the long run cites it`];
    }),
    ...(long.length > MAX_LONG ? [`expected at most ${String(MAX_LONG)} promises of the long run`] : []),
    ...citations.flatMap(({ id, path, line }) => {
      const state = byId.get(id)?.state ?? "unknown";
      if (state === "tested" || state === "tested_long") return [];
      return [
        `${path}:${line}: cites ${id}, which is ${state === "unknown" ? "not a promise" : "marked not_yet"}`,
      ];
    }),
  ];
}

/** The groups of a list of promises: `KILL` of `KILL-07`. */
export function groupsOf(requirements: readonly Requirement[]): ReadonlySet<string> {
  return new Set(requirements.map(({ id }) => groupOf(id)));
}

export function groupOf(id: string): string {
  return id.slice(0, id.indexOf("-"));
}

function listOfProofs(path: string, content: string): string | undefined {
  return (CASE_FILE.test(path) ? CASE_PROVES : PROVES).exec(content)?.[1];
}

function idsInNames(path: string, content: string, groups: ReadonlySet<string>): readonly string[] {
  if (CASE_FILE.test(path) || COMMENT.test(content) || SKIPPED.test(content)) return [];
  return (content.match(ID) ?? []).filter((id) => groups.has(groupOf(id)));
}
