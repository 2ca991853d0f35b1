import { type Figure, isMet } from "./figure.ts";
import type { Report, ScenarioReport } from "./report.ts";

const HEADINGS = ["figure", "unit", "median", "min", "max", "target", ""] as const;

/** Columns of text; the others are numbers and stand to the right. */
const TEXT_COLUMNS: ReadonlySet<number> = new Set([0, 1, 6]);

/** The report for people. */
export function renderTable(report: Report): string {
  const { machine, rounds, seconds, loadGenerator } = report;
  const hardware = `${machine.cores} x ${machine.cpu}, ${machine.memoryGib} GiB`;
  const load = `load average before: ${machine.loadBefore.toFixed(2)}`;
  const lines = [
    `${report.date}  ${hardware}, Node ${machine.node}, ${machine.platform}`,
    `${rounds} rounds, ${seconds} s of load each by ${loadGenerator}; ${load}`,
    ...(machine.dataInMemory
      ? ["WARNING: the data folder is kept in memory, so nothing was durable: see --data"]
      : []),
    "median of the rounds, with the smallest and the largest; only ratios compare across machines",
  ];
  return `${[...lines, ...report.scenarios.flatMap(scenarioLines)].join("\n")}\n`;
}

function scenarioLines({ name, title, findings }: ScenarioReport): string[] {
  const heading = ["", `${name}: ${title}`];
  if (findings.kind === "not_measured") return [...heading, `  not measured: ${findings.reason}`];
  return [
    ...heading,
    ...columns([HEADINGS, ...findings.figures.map(cells)]),
    ...findings.notes.map((note) => `  (${note})`),
  ];
}

function cells(found: Figure): string[] {
  const { summary, target } = found;
  const bound =
    target === null ? "" : `${target.bound === "at_least" ? ">=" : "<="} ${rounded(target.value)}`;
  const met = isMet(found);
  const judgement = met === null ? "" : { true: "met", false: "MISSED" }[`${met}`];
  return [
    found.name,
    found.unit,
    rounded(summary.median),
    rounded(summary.min),
    rounded(summary.max),
    bound,
    judgement,
  ];
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const padded = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return TEXT_COLUMNS.has(column) ? cell.padEnd(width) : cell.padStart(width);
    });
    return `  ${padded.join("  ")}`.trimEnd();
  });
}

/** Three digits that count, and whole numbers from a hundred on. */
function rounded(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
