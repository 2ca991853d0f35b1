/** One file under examination; `path` is relative to the root, with forward slashes. */
export type TextFile = {
  readonly path: string;
  readonly lines: readonly string[];
};

/** One broken rule. */
export type Finding = {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly expected: string;
  readonly found: string;
};

export type Rule = (file: TextFile) => readonly Finding[];

export function renderFinding({ path, line, expected, found }: Finding): string {
  return `${path}:${line}: expected ${expected}, found ${found}`;
}

/** A rule that judges every line by itself; `judge` answers what was found, or nothing. */
export function perLine(expected: string, judge: (line: string, before: string) => string | undefined): Rule {
  return ({ path, lines }) =>
    lines.flatMap((line, index) => {
      const found = judge(line, lines[index - 1] ?? "");
      return found === undefined ? [] : [{ path, line: index + 1, expected, found }];
    });
}
