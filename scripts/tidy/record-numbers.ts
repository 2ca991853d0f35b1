import type { Rule } from "./finding.ts";

const RECORD = /^docs\/adr\/(\d{4})-/;

/** Records of decisions have a number each: no two files share one, and the heading repeats it. */
export function recordNumberRule(paths: readonly string[]): Rule {
  const numbers = paths.flatMap((path) => RECORD.exec(path)?.[1] ?? []);
  return ({ path, lines }) => {
    const number = RECORD.exec(path)?.[1];
    if (number === undefined) return [];
    const heading = `# ${Number(number)}. `;
    const first = lines[0] ?? "";
    const findings = [];
    if (numbers.filter((other) => other === number).length > 1)
      findings.push({ path, line: 1, expected: "a number of its own", found: number });
    if (!first.startsWith(heading))
      findings.push({ path, line: 1, expected: `a heading that begins with "${heading}"`, found: first });
    return findings;
  };
}
