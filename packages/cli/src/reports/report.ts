/** What a command checked, for the tools that run in builds. Every form is rendered from it. */
export interface Report {
  /** Name of the command. */
  readonly tool: string;
  readonly items: readonly ReportItem[];
}

/** One thing that was checked: a policy file, or a test case. */
export interface ReportItem {
  /** What it belongs to: the file. */
  readonly group: string;
  readonly name: string;
  readonly outcome: "passed" | "failed";
  /** What is wrong, or doubtful. Empty for most that passed. */
  readonly problems: readonly ReportProblem[];
}

export interface ReportProblem {
  readonly severity: "error" | "warning";
  /** Stable: `policy/unknown-key`, `test/unexpected-decision`. */
  readonly code: string;
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly column: number;
  /** A sentence. */
  readonly message: string;
  /** Further lines; empty when there are none. */
  readonly detail: string;
}
