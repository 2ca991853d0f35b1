import type { Diagnostic } from "@svc/engine/diagnostic";
import { jsonText, printable } from "@svc/process/printable";
import { VERSION } from "@svc/process/version";
import { stringify } from "yaml";
import type { ReportFormat } from "../frame/output.ts";

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

interface ReportProblem {
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

/** Workflow commands of GitHub Actions, one line for each problem. */
function renderGithub({ items }: Report): string {
  return items
    .flatMap(({ problems }) => problems)
    .map(lineOf)
    .join("");
}

function lineOf({ severity, code, file, line, column, message, detail }: ReportProblem): string {
  const place = `file=${property(file)},line=${String(line)},col=${String(column)},title=${property(code)}`;
  return `::${severity} ${place}::${data(detail === "" ? message : `${message}\n${detail}`)}\n`;
}

/** A line end would end the command, and begin one of the policy's author. A log is a terminal, too. */
function data(text: string): string {
  return printable(text).replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** The XML that test reporters of builds read. */
function renderJunit({ tool, items }: Report): string {
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

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** SARIF 2.1.0, as code scanners read it. */
function renderSarif({ items }: Report): string {
  const problems = items.flatMap((item) => item.problems);
  const codes = [...new Set(problems.map(({ code }) => code))].toSorted();
  const log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "svc-cli", version: VERSION, rules: codes.map((id) => ({ id })) },
        },
        columnKind: "utf16CodeUnits",
        results: problems.map((problem) => resultOf(problem, codes)),
      },
    ],
  };
  return `${jsonText(log, 2)}\n`;
}

function resultOf({ severity, code, file, line, column, message, detail }: ReportProblem, codes: string[]) {
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity,
    message: { text: detail === "" ? message : `${message}\n${detail}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line, startColumn: column },
        },
      },
    ],
  };
}

function uriOf(file: string): string {
  const path = file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? `file://${path}` : path;
}

/** TAP 14. */
function renderTap({ items }: Report): string {
  const lines = items.map((item, at) => point(item, at + 1)).join("");
  return `TAP version 14\n1..${String(items.length)}\n${lines}`;
}

function point({ group, name, outcome, problems }: ReportItem, number: number): string {
  const word = outcome === "passed" ? "ok" : "not ok";
  const first = `${word} ${String(number)} - ${description(`${group}: ${name}`)}\n`;
  if (problems.length === 0) return first;
  const block = printable(stringify({ problems })).trimEnd().split("\n");
  return `${first}  ---\n${block.map((line) => `  ${line}\n`).join("")}  ...\n`;
}

/** A hash sign would begin a directive such as `# SKIP`. */
function description(text: string): string {
  return printable(text)
    .replaceAll("\n", " ")
    .replace(/[\\#]/g, (character) => `\\${character}`);
}

/** A finding about a policy file, as a problem of a report. */
export function diagnosticProblem(name: string, diagnostic: Diagnostic): ReportProblem {
  const { severity, code, line, column, message, expected, found, fix } = diagnostic;
  const detail = `expected: ${expected}\nfound: ${found}\nfix: ${fix}`;
  return { severity, code, file: name, line, column, message, detail };
}

/** A report in every form that builds read. */
export function reportsOf(report: Report): Readonly<Record<ReportFormat, () => string>> {
  return {
    github: () => renderGithub(report),
    sarif: () => renderSarif(report),
    junit: () => renderJunit(report),
    tap: () => renderTap(report),
  };
}
