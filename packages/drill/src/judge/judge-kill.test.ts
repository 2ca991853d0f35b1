import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../observation.ts";
import { type Activation, judgePropagation, judgeReported, judgeStop } from "./judge-kill.ts";
import { observed } from "./observations.suite.ts";

const ACTIVATION: Activation = {
  sentAtMs: 1_000,
  answeredAtMs: 1_020,
  propagationMs: 15,
  enforced: true,
  acknowledged: new Map([["gw-1", true]]),
};
const SILENT: Activation = { ...ACTIVATION, enforced: false, acknowledged: new Map([["gw-1", false]]) };

type Calls = readonly (readonly [number, Outcome])[];

function windowOf(calls: Calls, activation = ACTIVATION) {
  const observations = observed("gw-1", calls);
  return { gateway: "gw-1", subject: "agent", activation, endedAtMs: 9_000, observations };
}

describe("calls after a kill", () => {
  // proves DRILL-01
  it.each<[string, Calls, Activation, string]>([
    [
      "denied after the answer",
      [
        [900, "allowed"],
        [1_030, "stopped"],
      ],
      ACTIVATION,
      "passed",
    ],
    [
      "allowed before the answer",
      [
        [900, "allowed"],
        [1_019, "allowed"],
        [1_030, "stopped"],
      ],
      ACTIVATION,
      "passed",
    ],
    [
      "allowed after the answer",
      [
        [900, "allowed"],
        [1_030, "allowed"],
        [1_040, "stopped"],
      ],
      ACTIVATION,
      "failed",
    ],
    [
      "ruled by a policy after the answer",
      [
        [900, "ruled"],
        [1_030, "ruled"],
      ],
      ACTIVATION,
      "failed",
    ],
    [
      "no call after the answer",
      [
        [900, "allowed"],
        [1_010, "stopped"],
      ],
      ACTIVATION,
      "not_measured",
    ],
    [
      "no answer after the answer",
      [
        [900, "allowed"],
        [1_030, "unanswered"],
      ],
      ACTIVATION,
      "not_measured",
    ],
    [
      "no allow before the kill",
      [
        [900, "closed"],
        [1_030, "stopped"],
      ],
      ACTIVATION,
      "not_measured",
    ],
    ["no call", [], ACTIVATION, "not_measured"],
    [
      "allowed when the switch was over",
      [
        [900, "allowed"],
        [1_030, "stopped"],
        [9_001, "allowed"],
      ],
      ACTIVATION,
      "passed",
    ],
    [
      "silent, allowed within its lease",
      [
        [900, "allowed"],
        [1_500, "allowed"],
        [2_600, "closed"],
      ],
      SILENT,
      "passed",
    ],
    [
      "silent, allowed after its lease",
      [
        [900, "allowed"],
        [2_600, "allowed"],
      ],
      SILENT,
      "failed",
    ],
    [
      "not listed, allowed after a lease",
      [
        [900, "allowed"],
        [2_600, "allowed"],
      ],
      { ...SILENT, acknowledged: new Map() },
      "failed",
    ],
  ])("%s", (_, calls, activation, verdict) => {
    expect(judgeStop(windowOf(calls, activation)).verdict).toBe(verdict);
  });

  it("says how late the first call was", () => {
    const { detail, figures } = judgeStop(
      windowOf([
        [900, "allowed"],
        [1_050, "allowed"],
        [1_060, "allowed"],
      ]),
    );
    expect(detail).toBe("gw-1 decided a call as allowed that was sent 30 ms after the answer that named it");
    expect(figures).toEqual({ calls_after: 2, open_after: 2, denied_after: 0 });
  });

  it("gives a silent gateway its lease from the answer on", () => {
    const lastMs = SILENT.answeredAtMs + CONTROL_LEASE_MS;
    const verdictAt = (ms: number) =>
      judgeStop(
        windowOf(
          [
            [900, "allowed"],
            [ms, "allowed"],
            [8_000, "closed"],
          ],
          SILENT,
        ),
      ).verdict;
    expect([verdictAt(lastMs), verdictAt(lastMs + 1)]).toEqual(["passed", "failed"]);
  });
});

describe("how long a gateway let calls go on", () => {
  // proves DRILL-01
  it.each<[string, Calls, string]>([
    [
      "surely in time",
      [
        [900, "allowed"],
        [1_050, "stopped"],
      ],
      "passed",
    ],
    [
      "surely late",
      [
        [900, "allowed"],
        [1_110, "allowed"],
        [1_120, "stopped"],
      ],
      "failed",
    ],
    [
      "not sure",
      [
        [900, "allowed"],
        [1_200, "stopped"],
      ],
      "not_measured",
    ],
    [
      "late before it was early",
      [
        [900, "allowed"],
        [1_010, "stopped"],
        [1_300, "allowed"],
        [1_310, "stopped"],
      ],
      "failed",
    ],
    [
      "never stopped",
      [
        [900, "allowed"],
        [1_050, "closed"],
      ],
      "not_measured",
    ],
    ["never open", [[1_050, "stopped"]], "not_measured"],
  ])("%s", (_, calls, verdict) => {
    expect(judgePropagation(windowOf(calls), 100).verdict).toBe(verdict);
  });

  it("names both bounds", () => {
    const { figures } = judgePropagation(
      windowOf([
        [900, "allowed"],
        [1_040, "allowed"],
        [1_050, "stopped"],
      ]),
      100,
    );
    expect(figures).toEqual({ at_least_ms: 35, at_most_ms: 52, target_ms: 100 });
  });
});

describe("what the server reports", () => {
  const judge = (known: Partial<Activation>, gateways = ["gw-1"]) =>
    judgeReported({ activation: { ...ACTIVATION, ...known }, subject: "agent" }, { gateways, targetMs: 100 });

  it.each<[string, Partial<Activation>, readonly string[], string]>([
    ["all in time", {}, ["gw-1"], "passed"],
    ["late", { propagationMs: 101 }, ["gw-1"], "failed"],
    ["no time", { propagationMs: null }, ["gw-1"], "failed"],
    ["one not listed", {}, ["gw-1", "gw-2"], "failed"],
    ["not enforced", SILENT, ["gw-1"], "failed"],
    ["enforced beside a silent one", { acknowledged: new Map([["gw-1", false]]) }, ["gw-1"], "failed"],
  ])("%s", (_, known, gateways, verdict) => {
    expect(judge(known, [...gateways]).verdict).toBe(verdict);
  });
});
