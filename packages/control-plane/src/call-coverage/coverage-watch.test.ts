import type { CoveredPart } from "@svc/audit-index/audit-answers";
import type { ObservedAnomaly } from "@svc/audit-index/observed-anomaly";
import type { CoverageQuery } from "@svc/audit-index/read-coverage";
import type { CoverageSettings } from "@svc/contract/coverage-settings";
import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { describe, expect, it } from "vitest";
import { FakeTime } from "../testing/fake-time.ts";
import { CoverageWatch } from "./coverage-watch.ts";

const call = (namespace = "default") => ({
  position: { logId: "gw", seq: 7 },
  namespace,
  agentId: "a-1",
  sessionId: "s-1",
  tool: "payments.wire",
});

const part = (known: Partial<CoveredPart>): CoveredPart => ({
  allows: 0,
  reported: 0,
  ran: 0,
  unallowed: 0,
  missingExample: null,
  unallowedExample: null,
  ...known,
});

const LACKING = part({ allows: 40, reported: 35, ran: 30, missingExample: call() });

function bench(parts: readonly CoveredPart[], known: Partial<CoverageSettings> = {}) {
  const time = new FakeTime();
  const queries: CoverageQuery[] = [];
  const recorded: ObservedAnomaly[] = [];
  const logged: string[] = [];
  const state = { leads: true, fails: false };
  const settings = {
    ...DEFAULT_ROGUE_DETECTION,
    coverage: { ...DEFAULT_ROGUE_DETECTION.coverage, ...known },
  };
  const note = (_fields: unknown, message: string) => void logged.push(message);
  const watch = new CoverageWatch({
    index: {
      activeOrgs: async () => ["acme"],
      coverage: async (query) => {
        if (state.fails) throw new Error("the index is away");
        queries.push(query);
        return { parts, complete: true, behind: [] };
      },
    },
    settings: { of: () => settings, every: () => [{ org: "acme", namespace: "default", settings }] },
    record: async (observed) => void recorded.push(observed),
    leads: () => state.leads,
    clock: time,
    timers: time,
    log: { warn: note, info: note },
  });
  return { watch, recorded, queries, logged, state, time };
}

const found = async (parts: readonly CoveredPart[], known: Partial<CoverageSettings> = {}) => {
  const { watch, recorded } = bench(parts, known);
  await watch.look();
  return recorded.map(({ anomaly }) => anomaly);
};

describe("CoverageWatch", () => {
  // proves COVER-05
  it("reports a session whose allowed calls lack outcomes, with what shows it", async () => {
    const { watch, recorded, time } = bench([LACKING]);
    await watch.look();
    expect(recorded).toEqual([
      {
        org: "acme",
        namespace: "default",
        agentId: "a-1",
        sessionId: "s-1",
        anomaly: "outcome_missing",
        subject: "s-1",
        atMs: time.now().getTime(),
        quietMs: 3_600_000,
        explanation: "no outcome of 5 of 40 allowed calls in an hour was reported within 900 seconds",
        evidence: { allows: 40, without_outcome: 5, decision_ids: ["gw.7"], tool: "payments.wire" },
      },
    ]);
  });

  // proves COVER-05
  it.each<[string, Partial<CoveredPart>, Partial<CoverageSettings>]>([
    ["below the threshold", { reported: 36 }, {}],
    ["few beside many calls", { allows: 400, reported: 395 }, {}],
    ["of a key that never reports a run", { ran: 0 }, {}],
    ["where the threshold is off", {}, { missing_outcomes: null }],
  ])("does not report missing outcomes %s", async (_name, known, settings) => {
    expect(await found([{ ...LACKING, ...known }], settings)).toEqual([]);
  });

  // proves COVER-05
  it("reports missing outcomes of every key where outcomes are expected", async () => {
    expect(await found([{ ...LACKING, ran: 0 }], { outcomes_expected: true })).toEqual(["outcome_missing"]);
  });

  // proves COVER-06
  it("reports calls that ran although they were not allowed", async () => {
    const ran = part({ unallowed: 2, unallowedExample: call() });
    const { watch, recorded } = bench([ran]);
    await watch.look();
    expect(recorded).toMatchObject([
      {
        anomaly: "outcome_without_decision",
        explanation: "reports say that 2 calls ran in the last hour without an allow",
        evidence: { ran: 2, decision_ids: ["gw.7"] },
      },
    ]);
    expect(await found([ran], { unallowed_runs: 3 })).toEqual([]);
    expect(await found([ran], { unallowed_runs: null })).toEqual([]);
  });

  it.each<[Partial<CoveredPart>, Partial<CoverageSettings>, string]>([
    [
      { allows: 21, reported: 0 },
      { outcome_within_seconds: 1 },
      "no outcome of all 21 allowed calls in an hour was reported within 1 second",
    ],
    [
      { allows: 1, reported: 0 },
      { missing_outcomes: 1, outcome_within_seconds: 60 },
      "no outcome of the one allowed call in an hour was reported within 60 seconds",
    ],
    [
      { allows: 0, reported: 0, ran: 0, missingExample: null, unallowed: 1, unallowedExample: call() },
      {},
      "reports say that 1 call ran in the last hour without an allow",
    ],
  ])("counts in words: %j", async (known, settings, explanation) => {
    const { watch, recorded } = bench([{ ...LACKING, ...known }], settings);
    await watch.look();
    expect(recorded.map((each) => each.explanation)).toEqual([explanation]);
  });

  it("gives calls the time of their namespace, once for each different time", async () => {
    const { watch, queries, time } = bench([LACKING], { outcome_within_seconds: 60 });
    await watch.look();
    const nowMs = time.now().getTime();
    expect(queries.map(({ untilMs }) => nowMs - untilMs)).toEqual([900_000, 60_000, 0]);
  });

  it("does nothing while another process leads, and goes on after a failure", async () => {
    const { watch, recorded, state, logged, time } = bench([LACKING]);
    state.leads = false;
    watch.start();
    await time.advance(30_000);
    expect(recorded).toEqual([]);
    state.leads = true;
    state.fails = true;
    await time.advance(30_000);
    state.fails = false;
    await time.advance(15_000);
    expect(recorded).toHaveLength(1);
    expect(logged).toEqual([
      "calls could not be compared with reports",
      "calls are compared with reports again",
    ]);
    await watch.stop();
    await time.advance(60_000);
    expect(recorded).toHaveLength(1);
  });
});
