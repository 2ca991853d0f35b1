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

/** Whether every test of the framework passed. One of which no test ran has not passed. */
export function verdictOf(results: TestResults, suite: string, name: string): "passed" | "failed" {
  const ofFramework = results.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => fullName.startsWith(`${suite} ${name}:`));
  const passed = ofFramework.length > 0 && ofFramework.every(({ status }) => status === "passed");
  return passed ? "passed" : "failed";
}

export interface MatrixRow {
  readonly language: string;
  readonly name: string;
  readonly cells: Readonly<Record<Age, string>>;
}

const BEGIN = "<!-- matrix: begin -->";
const END = "<!-- matrix: end -->";

/** The document with the result of a run instead of the last one. @throws when it has no place for it */
export function withMatrix(document: string, rows: readonly MatrixRow[], day: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`expected ${BEGIN} and, after it, ${END} in the document`);
  return `${document.slice(0, begin + BEGIN.length)}\n${renderMatrix(rows, day)}${document.slice(end)}`;
}

function renderMatrix(rows: readonly MatrixRow[], day: string): string {
  const lines = rows.map(
    ({ language, name, cells }) => `| ${name} | ${language} | ${cells.oldest} | ${cells.newest} |`,
  );
  const head = ["| Framework | Language | Oldest | Newest |", "|---|---|---|---|"];
  return `Last run: ${day}.\n\n${[...head, ...lines].join("\n")}\n`;
}
