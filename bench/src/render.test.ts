import { describe, expect, it } from "vitest";
import { atLeast, atMost, figure } from "./figure.ts";
import { renderJson } from "./render-json.ts";
import { renderTable } from "./render-table.ts";
import type { Report } from "./report.ts";

const report: Report = {
  date: "2026-11-21",
  machine: {
    cores: 2,
    cpu: "Some CPU",
    memoryGib: 24,
    node: "v24.0.0",
    platform: "linux x64",
    loadBefore: 0.25,
    dataInMemory: false,
  },
  rounds: 3,
  seconds: 5,
  loadGenerator: "wrk",
  scenarios: [
    {
      name: "execute",
      title: "Execute beside bare",
      findings: {
        kind: "measured",
        figures: [
          figure("requests/s", "ratio", [0.55, 0.5, 0.7], atLeast(0.6)),
          figure("p99", "ratio", [2, 2.5, 2.25], atMost(3)),
          figure("bare", "1/s", [41_234.5]),
        ],
        notes: ["same disk"],
      },
    },
    { name: "opa", title: "Beside OPA", findings: { kind: "not_measured", reason: "no opa on PATH" } },
  ],
};

describe("renderTable", () => {
  const lines = renderTable(report).split("\n");

  it.each([
    ["a missed target", /^ {2}requests\/s +ratio +0\.55 +0\.5 +0\.7 +>= 0\.6 +MISSED$/],
    ["a met target", /^ {2}p99 +ratio +2\.25 +2 +2\.5 +<= 3 +met$/],
    ["a figure without a target", /^ {2}bare +1\/s +41,235 +41,235 +41,235$/],
    ["what was not measured, and why", /^ {2}not measured: no opa on PATH$/],
    ["the notes", /^ {2}\(same disk\)$/],
    ["the generator and what else was going on", /by wrk; load average before: 0\.25$/],
  ])("shows %s", (_, wanted) => {
    expect(lines.filter((line) => wanted.test(line))).toHaveLength(1);
  });

  it("warns of data that is kept in memory", () => {
    const inMemory = { ...report, machine: { ...report.machine, dataInMemory: true } };
    expect(renderTable(inMemory)).toContain("WARNING: the data folder is kept in memory");
    expect(renderTable(report)).not.toContain("WARNING");
  });
});

describe("renderJson", () => {
  it("says of each figure whether its target is met", () => {
    const { scenarios } = JSON.parse(renderJson(report));
    expect(scenarios[0].figures.map(({ met }: { met: unknown }) => met)).toEqual([false, true, null]);
    expect(scenarios[0].figures[0]).toMatchObject({
      median: 0.55,
      min: 0.5,
      max: 0.7,
      samples: 3,
      unit: "ratio",
    });
    expect(scenarios[1]).toEqual({ name: "opa", title: "Beside OPA", not_measured: "no opa on PATH" });
  });
});
