import { CONTROL_LEASE_MS, DEFAULT_DECISION_TIMEOUT_MS } from "@svc/contract/limits";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../observation.ts";
import { type Check, mergeChecks, worstVerdict } from "./check.ts";
import { judgeAnswers } from "./judge-answers.ts";
import { judgeLease } from "./judge-lease.ts";
import { judgeExpiries } from "./judge-logs.ts";
import { judgeReturn } from "./judge-return.ts";
import { judgeRows } from "./judge-rows.ts";
import { judgeSilentGateway } from "./judge-silent-gateway.ts";
import { judgeTakeover } from "./judge-takeover.ts";
import { observed } from "./observations.suite.ts";

type Calls = readonly (readonly [number, Outcome])[];
const WHERE = { gateway: "gw-1", subject: "cut" };

// proves DRILL-02
describe("calls after a lease", () => {
  const end = 1_000 + CONTROL_LEASE_MS;
  it.each<[string, Calls, string]>([
    [
      "denied",
      [
        [900, "allowed"],
        [end + 1, "closed"],
      ],
      "passed",
    ],
    [
      "allowed within the lease",
      [
        [900, "allowed"],
        [end, "allowed"],
        [end + 1, "closed"],
      ],
      "passed",
    ],
    [
      "allowed after the lease",
      [
        [900, "allowed"],
        [end + 1, "allowed"],
        [end + 9, "closed"],
      ],
      "failed",
    ],
    [
      "no answer after the lease",
      [
        [900, "allowed"],
        [end + 1, "unanswered"],
      ],
      "not_measured",
    ],
    ["no allow before the fault", [[end + 1, "closed"]], "not_measured"],
    [
      "allowed after the fault",
      [
        [900, "allowed"],
        [end + 1, "closed"],
        [5_001, "allowed"],
      ],
      "passed",
    ],
  ])("%s", (_, calls, verdict) => {
    const observations = observed("gw-1", calls);
    expect(judgeLease({ ...WHERE, brokenAtMs: 1_000, mendedAtMs: 5_000, observations }).verdict).toBe(
      verdict,
    );
  });
});

// proves DRILL-02
describe("service after a fault", () => {
  it.each<[string, Calls, string]>([
    [
      "back in time",
      [
        [1_100, "closed"],
        [5_900, "allowed"],
      ],
      "passed",
    ],
    [
      "back too late",
      [
        [1_100, "closed"],
        [6_001, "closed"],
        [6_100, "allowed"],
      ],
      "failed",
    ],
    [
      "never back",
      [
        [1_100, "closed"],
        [7_000, "closed"],
      ],
      "failed",
    ],
    [
      "not asked at the time",
      [
        [1_100, "closed"],
        [6_100, "allowed"],
      ],
      "not_measured",
    ],
    ["not asked", [], "not_measured"],
    [
      "an allow of before",
      [
        [900, "allowed"],
        [1_100, "closed"],
      ],
      "not_measured",
    ],
  ])("%s", (_, calls, verdict) => {
    const observations = observed("gw-1", calls);
    expect(judgeReturn({ ...WHERE, mendedAtMs: 1_000, watchedUntilMs: 9_000, observations }).verdict).toBe(
      verdict,
    );
  });
});

// proves DRILL-03
describe("rows of answers", () => {
  const calls = observed("gw-1", [
    [1, "allowed"],
    [2, "stopped"],
  ]);
  const rows = (...entries: [string, string][]) => judgeRows("log", calls, new Map(entries)).verdict;

  it("are in the log, and an allow is an allow there", () => {
    expect(rows(["gw-1.0", "allow"], ["gw-1.1", "deny"])).toBe("passed");
    expect(rows(["gw-1.0", "allow"])).toBe("failed");
    expect(rows(["gw-1.0", "deny"], ["gw-1.1", "deny"])).toBe("failed");
  });

  it("an allow without a row fails, and without an answer nothing is measured", () => {
    const [allowed] = calls;
    if (allowed === undefined) throw new Error("two calls");
    expect(judgeRows("log", [{ ...allowed, decisionId: null }], new Map()).verdict).toBe("failed");
    expect(judgeRows("log", [], new Map()).verdict).toBe("not_measured");
  });

  it("a switch has one row about its end", () => {
    const judge = (...counts: number[]) => {
      const ids = counts.map((_, index) => String(index));
      return judgeExpiries(ids, new Map(ids.map((id, index) => [id, counts[index] ?? 0]))).verdict;
    };
    expect([judge(1, 1), judge(1, 2), judge(1, 0), judge()]).toEqual([
      "passed",
      "failed",
      "failed",
      "not_measured",
    ]);
  });
});

describe("other claims", () => {
  // proves DRILL-02
  it("a silent gateway is named, and nothing is called enforced", () => {
    const judge = (enforced: boolean, ...listed: [string, boolean][]) =>
      judgeSilentGateway({ ...WHERE, activation: { enforced, acknowledged: new Map(listed) } }).verdict;
    expect(judge(false, ["gw-1", false])).toBe("passed");
    expect(judge(true, ["gw-1", false])).toBe("failed");
    expect(judge(false, ["gw-1", true])).toBe("failed");
    expect(judge(false)).toBe("failed");
  });

  // proves DRILL-03
  it("a takeover has a limit", () => {
    const judge = (endedAtMs: number | null) =>
      judgeTakeover({ ...WHERE, dueAtMs: 1_000, endedAtMs, watchedUntilMs: 21_000 }).verdict;
    expect([judge(6_000), judge(6_001), judge(null)]).toEqual(["passed", "failed", "failed"]);
  });

  // proves DRILL-04
  it("answers come in time", () => {
    const judge = (ms: number, outcome: Outcome) =>
      judgeAnswers("slow", observed("gw-1", [[1, outcome]], ms)).verdict;
    expect(judge(DEFAULT_DECISION_TIMEOUT_MS, "closed")).toBe("passed");
    expect(judge(DEFAULT_DECISION_TIMEOUT_MS + 1, "closed")).toBe("failed");
    expect(judge(1, "unanswered")).toBe("failed");
    expect(judgeAnswers("slow", []).verdict).toBe("not_measured");
  });
});

// proves DRILL-05
describe("the verdict of a drill", () => {
  const check = (verdict: Check["verdict"], known: Partial<Check> = {}): Check => {
    return { id: "a", subject: "s", gateway: "gw-1", verdict, figures: {}, detail: verdict, ...known };
  };

  it("is that of its worst check, and not a pass without any", () => {
    expect(worstVerdict([check("passed"), check("failed"), check("not_measured")])).toBe("failed");
    expect(worstVerdict([check("passed"), check("not_measured")])).toBe("not_measured");
    expect(worstVerdict([check("passed")])).toBe("passed");
    expect(worstVerdict([])).toBe("not_measured");
  });

  it("merges rounds: the worst verdict with its sentence, the largest figures", () => {
    const merged = mergeChecks([
      check("passed", { figures: { ms: 5, none: null } }),
      check("failed", { figures: { ms: 3, none: 1 }, detail: "late" }),
      check("passed", { gateway: "gw-2" }),
    ]);
    expect(merged).toEqual([
      check("failed", { figures: { ms: 5, none: 1 }, detail: "late" }),
      check("passed", { gateway: "gw-2" }),
    ]);
    expect(
      mergeChecks([check("passed"), check("failed", { gateway: "gw-2" })], "over_gateways"),
    ).toHaveLength(1);
  });
});
