/** Which releases of a framework the adapters were run with, oldest or newest of those that are supported. */
export type Age = "oldest" | "newest";

export interface MatrixFramework {
  readonly name: string;
  /** What the file that pins it asked for: `langchain 1.0.0`. */
  readonly release: string;
}

/** What vitest's JSON report says of single tests. */
export interface TestResults {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** What titles of tests begin with that are about all frameworks at once. */
const EVERY = "every framework";

/** Whether every test of the framework passed. One of which no test ran has not passed. */
export function verdictOf(results: TestResults, suite: string, name: string): "passed" | "failed" {
  const all = results.testResults.flatMap(({ assertionResults }) => assertionResults);
  const titled = (title: string) => all.filter(({ fullName }) => fullName.startsWith(`${suite} ${title}:`));
  const own = titled(name);
  const passed = own.length > 0 && [...own, ...titled(EVERY)].every(({ status }) => status === "passed");
  return passed ? "passed" : "failed";
}

/** Matches the tests of these frameworks, in the form that `vitest -t` has for their full names. */
export function testNames(suite: string, names: Iterable<string>): string {
  return `^${suite} > (${[EVERY, ...names].join("|")}):`;
}

export interface MatrixRow {
  readonly language: string;
  readonly name: string;
  /** `langchain 1.0.0: passed` */
  readonly cells: Readonly<Record<Age, string>>;
  /** When it was run: 2026-11-23. */
  readonly day: string;
}

/** The row of a framework: no other has this key. */
export function keyOf({ language, name }: Pick<MatrixRow, "language" | "name">): string {
  return `${language} ${name}`;
}

const BEGIN = "<!-- matrix: begin -->";
const END = "<!-- matrix: end -->";

/** The rows of the table in a document. */
export function matrixIn(document: string): readonly MatrixRow[] {
  const { begin, end } = placeIn(document);
  const lines = document.slice(begin, end).trim().split("\n").slice(HEAD.length);
  return lines.map((line) => {
    const [, name = "", language = "", oldest = "", newest = "", day = ""] = line.split(/ *\| */);
    return { language, name, cells: { oldest, newest }, day };
  });
}

/** The document with these rows. @throws when it has no place for them */
export function withMatrix(document: string, rows: readonly MatrixRow[]): string {
  const { begin, end } = placeIn(document);
  const lines = rows.map(
    ({ language, name, cells, day }) =>
      `| ${name} | ${language} | ${cells.oldest} | ${cells.newest} | ${day} |`,
  );
  return `${document.slice(0, begin)}\n${[...HEAD, ...lines].join("\n")}\n${document.slice(end)}`;
}

const HEAD = ["| Framework | Language | Oldest | Newest | Last run |", "|---|---|---|---|---|"];

function placeIn(document: string): { readonly begin: number; readonly end: number } {
  const begin = document.indexOf(BEGIN) + BEGIN.length;
  const end = document.indexOf(END);
  if (begin < BEGIN.length || end < begin)
    throw new Error(`expected ${BEGIN} and, after it, ${END} in the document`);
  return { begin, end };
}
