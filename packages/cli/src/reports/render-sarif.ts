import { jsonText } from "@svc/process/printable";
import { VERSION } from "@svc/process/version";
import type { Report, ReportProblem } from "./report.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** SARIF 2.1.0, as code scanners read it. */
export function renderSarif({ items }: Report): string {
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
