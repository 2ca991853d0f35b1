import { printable } from "@svc/process/printable";
import type { Report, ReportItem, ReportProblem } from "./report.ts";

/** The XML that test reporters of builds read. */
export function renderJunit({ tool, items }: Report): string {
  const groups = Map.groupBy(items, ({ group }) => group);
  const suites = [...groups].map(([group, cases]) => suite(`${tool} ${group}`, cases)).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts(items)}>\n${suites}</testsuites>\n`;
}

function suite(name: string, items: readonly ReportItem[]): string {
  const cases = items.map((item) => testCase(name, item)).join("");
  return `  <testsuite name="${escaped(name)}"${counts(items)}>\n${cases}  </testsuite>\n`;
}

function counts(items: readonly ReportItem[]): string {
  const failed = items.filter(({ outcome }) => outcome === "failed").length;
  return ` tests="${String(items.length)}" failures="${String(failed)}"`;
}

function testCase(suiteName: string, { name, outcome, problems }: ReportItem): string {
  const open = `    <testcase classname="${escaped(suiteName)}" name="${escaped(name)}"`;
  if (problems.length === 0 && outcome === "passed") return `${open}/>\n`;
  const text = escaped(problems.map(problemLines).join("\n"));
  const message = escaped(problems[0]?.message ?? "failed");
  const type = escaped(problems[0]?.code ?? "failed");
  const inner =
    outcome === "failed"
      ? `<failure message="${message}" type="${type}">${text}</failure>`
      : `<system-out>${text}</system-out>`;
  return `${open}>\n      ${inner}\n    </testcase>\n`;
}

function problemLines({ file, line, column, severity, message, detail }: ReportProblem): string {
  const first = `${file}:${String(line)}:${String(column)}: ${severity}: ${message}`;
  return detail === "" ? first : `${first}\n${detail}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Control characters are written in letters. What else XML 1.0 cannot hold becomes U+FFFD. */
function escaped(text: string): string {
  return printable(text)
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
