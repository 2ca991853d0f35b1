import { printable } from "@svc/process/printable";
import type { Report, ReportProblem } from "./report.ts";

/** Workflow commands of GitHub Actions, one line for each problem. */
export function renderGithub({ items }: Report): string {
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
