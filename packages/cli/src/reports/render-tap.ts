import { printable } from "@svc/process/printable";
import { stringify } from "yaml";
import type { Report, ReportItem } from "./report.ts";

/** TAP 14. */
export function renderTap({ items }: Report): string {
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
