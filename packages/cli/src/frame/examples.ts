/** The examples that a help begins with. */
export function examples(...lines: readonly string[]): string {
  return `Examples:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
