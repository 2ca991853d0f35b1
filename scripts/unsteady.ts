import type { Finding } from "./tidy/finding.ts";

/** One file of tests whose failure does not fail a run, for a while. */
export interface UnsteadyFile {
  /** From the root. */
  readonly path: string;
  /** The day of its entry, as YYYY-MM-DD. */
  readonly since: string;
  readonly reason: string;
}

export interface UnsteadyList {
  readonly files: readonly UnsteadyFile[];
  /** What is wrong with the list. A run with a wrong list fails. */
  readonly findings: readonly Finding[];
}

/** Where the list is, from the root. */
export const UNSTEADY_LIST = "e2e/unsteady.txt";

/** Most entries, as count: with more, the tests say nothing. */
const MAX_FILES = 5;

/** Days until an entry expires: long enough to find a cause, too short to forget it. */
const MAX_DAYS = 14;

const DAY_MS = 86_400_000;

const ENTRY = /^(?<path>\S+) +(?<since>\d{4}-\d{2}-\d{2}) +(?<reason>\S.*)$/;

interface Surroundings {
  readonly nowMs: number;
  readonly exists: (path: string) => boolean;
}

/** Reads the list: a path, the day of the entry and a reason on each line; a `#` begins a comment. */
export function parseUnsteady(text: string, surroundings: Surroundings): UnsteadyList {
  const files: UnsteadyFile[] = [];
  const findings: Finding[] = [];
  for (const [index, content] of text.split("\n").entries()) {
    if (content.trim() === "" || content.startsWith("#")) continue;
    const entry = ENTRY.exec(content)?.groups as UnsteadyFile | undefined;
    const expected =
      files.length < MAX_FILES ? whatIsWrong(entry, surroundings) : `at most ${MAX_FILES} files`;
    if (expected !== null) findings.push({ path: UNSTEADY_LIST, line: index + 1, expected, found: content });
    else if (entry !== undefined) files.push(entry);
  }
  return { files, findings };
}

/** What was expected instead; null when the entry is right. */
function whatIsWrong(entry: UnsteadyFile | undefined, { nowMs, exists }: Surroundings): string | null {
  if (entry === undefined) return "a path, a day as YYYY-MM-DD and a reason";
  const days = (nowMs - Date.parse(entry.since)) / DAY_MS;
  if (!(days >= 0)) return "a day that is not in the future";
  if (days > MAX_DAYS)
    return `an entry of the last ${String(MAX_DAYS)} days: mend the test, or what it found`;
  return exists(entry.path) ? null : "the path of a file";
}
