import type { Coverage, CoveredPart } from "@svc/audit-index/audit-answers";
import type { CoverageQuery } from "@svc/audit-index/read-coverage";
import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { describe, expect, it } from "vitest";
import { testPorts } from "../testing/test-ports.ts";
import { agentCoverage } from "./agent-coverage.ts";

const DEFAULTS = DEFAULT_ROGUE_DETECTION.coverage;

const part = (known: Partial<CoveredPart>): CoveredPart => ({
  allows: 0,
  reported: 0,
  ran: 0,
  unallowed: 0,
  missingExample: null,
  unallowedExample: null,
  ...known,
});

function bench(parts: readonly CoveredPart[], answer: Partial<Coverage> = {}) {
  const ports = testPorts();
  const queries: CoverageQuery[] = [];
  const callCoverage = {
    coverage: async (query: CoverageQuery): Promise<Coverage> => {
      queries.push(query);
      return { parts, complete: true, behind: [], ...answer };
    },
  };
  const ask = async (settings = DEFAULTS) =>
    agentCoverage({ ...ports, callCoverage }, { org: "acme", agentId: "a-1", settings });
  return { ports, queries, ask };
}

const REPORTS = part({ allows: 10, reported: 7, ran: 5 });
/** An adapter that only reports calls that it did not send. */
const SILENT = part({ allows: 20, reported: 2 });

describe("the coverage of an agent", () => {
  // proves COVER-04
  it("counts only keys that reported a run in their session", async () => {
    const { ask } = bench([REPORTS, SILENT, part({ unallowed: 3 })]);
    expect(await ask()).toMatchObject({
      allows: 10,
      outcomes: 7,
      allows_without_outcome: 3,
      unreported_allows: 18,
      outcomes_without_decision: 3,
      complete: true,
    });
  });

  // proves COVER-04
  it("counts every key where outcomes are expected", async () => {
    const { ask } = bench([REPORTS, SILENT]);
    expect(await ask({ ...DEFAULTS, outcomes_expected: true })).toMatchObject({
      allows: 30,
      outcomes: 9,
      allows_without_outcome: 21,
      unreported_allows: 0,
    });
  });

  it("gives calls the time of the settings, and counts an hour before it", async () => {
    const { ask, queries, ports } = bench([]);
    const nowMs = ports.clock.now().getTime();
    const coverage = await ask({ ...DEFAULTS, outcome_within_seconds: 60 });
    const untilMs = nowMs - 60_000;
    expect(queries).toMatchObject([
      { org: "acme", agentId: "a-1", sinceMs: untilMs - 3_600_000, untilMs },
      { sinceMs: nowMs - 3_600_000, untilMs: nowMs },
    ]);
    expect(coverage).toMatchObject({ until: new Date(untilMs).toISOString() });
  });

  it("says when rows were not counted", async () => {
    const behind = [{ logId: "gw", indexed: 1, size: 2 }];
    expect(await bench([], { behind }).ask()).toMatchObject({ complete: false });
    expect(await bench([], { complete: false }).ask()).toMatchObject({ complete: false });
  });

  it("is not known while the index does not answer", async () => {
    const ports = testPorts();
    const callCoverage = { coverage: () => Promise.reject(new Error("away")) };
    const question = { org: "acme", agentId: "a-1", settings: DEFAULTS };
    expect(await agentCoverage({ ...ports, callCoverage }, question)).toBeNull();
    expect(ports.logged).toEqual(["the reported calls of an agent could not be counted"]);
  });
});
