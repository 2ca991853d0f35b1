import { describe, expect, it } from "vitest";
import { parseOutcomeReport } from "./outcome.ts";
import { OUTCOME_STATUSES } from "./outcome-status.ts";

const REPORT = { decision_id: "gw-1.42", status: "succeeded" };

describe("outcome reports", () => {
  it.each(OUTCOME_STATUSES)("take %s", (status) => {
    const wanted = { decision_id: "gw-1.42", status, cost_micro_usd: null, duration_ms: null };
    expect(parseOutcomeReport({ ...REPORT, status })).toEqual({ ok: true, value: wanted });
  });

  it.each([0.25, "0.25"])("E17: read a cost of %j exactly", (cost_usd) => {
    const parsed = parseOutcomeReport({ ...REPORT, cost_usd, duration_ms: 12.5 });
    expect(parsed).toMatchObject({ ok: true, value: { cost_micro_usd: 250_000, duration_ms: 12.5 } });
  });

  it.each([
    ["/decision_id", { status: "failed" }],
    ["/decision_id", { ...REPORT, decision_id: "" }],
    ["/decision_id", { ...REPORT, decision_id: "x".repeat(257) }],
    ["/decision_id", { ...REPORT, decision_id: 42 }],
    ["/status", { ...REPORT, status: "success" }],
    ["/cost_usd", { ...REPORT, cost_usd: -1 }],
    ["/cost_usd", { ...REPORT, cost_usd: "1e3" }],
    ["/cost_usd", { ...REPORT, cost_usd: null }],
    ["/duration_ms", { ...REPORT, duration_ms: -1 }],
    ["/duration_ms", { ...REPORT, duration_ms: "5" }],
    ["/cost", { ...REPORT, cost: 1 }],
    ["", "gw-1.42"],
  ])("E17: are refused at %s: %j", (pointer, body) => {
    const parsed = parseOutcomeReport(body);
    expect(parsed).toMatchObject({ ok: false, errors: [{ pointer }] });
    expect(JSON.stringify(parsed)).not.toContain("Invalid input");
  });
});
