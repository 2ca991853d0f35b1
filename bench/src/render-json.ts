import { isMet } from "./figure.ts";
import type { Report, ScenarioReport } from "./report.ts";

/** The report for programs, names in snake_case. `met` is null for figures without a target. */
export function renderJson(report: Report): string {
  const { machine } = report;
  const document = {
    date: report.date,
    machine: {
      cores: machine.cores,
      cpu: machine.cpu,
      memory_gib: machine.memoryGib,
      node: machine.node,
      platform: machine.platform,
      load_before: machine.loadBefore,
      data_in_memory: machine.dataInMemory,
    },
    rounds: report.rounds,
    seconds: report.seconds,
    load_generator: report.loadGenerator,
    scenarios: report.scenarios.map(scenario),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function scenario({ name, title, findings }: ScenarioReport): object {
  if (findings.kind === "not_measured") return { name, title, not_measured: findings.reason };
  const figures = findings.figures.map((found) => ({
    name: found.name,
    unit: found.unit,
    ...found.summary,
    target: found.target,
    met: isMet(found),
  }));
  return { name, title, figures, notes: findings.notes };
}
