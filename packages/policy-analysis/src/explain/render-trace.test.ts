import type { Explanation } from "@svc/contract/policy-explanation";
import { expect, it } from "vitest";
import { renderTrace } from "./render-trace.ts";

const EXPLANATION: Explanation = {
  decided_by: "rego",
  kill_switches: { checked: [], matched: null },
  denied: [],
  session: { needed: false, named: true },
  rules: [],
  allowed: ["pay.*"],
  fail_closed: true,
  ceilings: { max_steps: null, max_usd_per_session: null },
  mode: "enforcement",
  rego: { deny: ["too much"], failed: null, require_approval: [] },
};

const RAN = { first: 3, last: 5 };
const MISSED = { first: 8, last: 8 };

it.each([
  [[RAN], [MISSED], 75, "rego coverage 75 %: of the module, lines 3-5 ran, 8 did not (trace: -o json)"],
  [[RAN, MISSED], [], 100, "rego coverage 100 %: of the module, lines 3-5, 8 ran (trace: -o json)"],
  [[], [MISSED], 0, "rego coverage 0 %: of the module, none of its lines ran, 8 did not (trace: -o json)"],
])("says which lines of a module ran: %j, not %j", (covered, notCovered, percent, line) => {
  const trace = { trace: "Enter", covered, not_covered: notCovered, percent };
  const lines = renderTrace({ ...EXPLANATION, rego_trace: trace });
  expect(lines.filter((text) => text.startsWith("rego"))).toEqual(["rego deny: too much", line]);
});

it("says nothing of lines without a trace", () => {
  expect(renderTrace(EXPLANATION).filter((text) => text.startsWith("rego"))).toEqual(["rego deny: too much"]);
});
