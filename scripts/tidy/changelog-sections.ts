import type { Finding, Rule } from "./finding.ts";

/** A version in the changelog has each section once, and each entry once: merges like to repeat both. */
export const changelogSectionRule: Rule = ({ path, lines }) => {
  if (path !== "CHANGELOG.md") return [];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("## ")) seen.clear();
    if (!line.startsWith("### ") && !line.startsWith("- ")) continue;
    if (seen.has(line)) {
      findings.push({ path, line: index + 1, expected: "each section and entry once", found: line });
    }
    seen.add(line);
  }
  return findings;
};
