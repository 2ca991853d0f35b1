import type { DecisionRow } from "@svc/contract/audit-row";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decisionSample } from "./golden-chain.suite.ts";
import { parseRowText } from "./parse-row-text.ts";
import { decisionRowText, rowText } from "./row-text.ts";

const text = fc.string({ unit: "grapheme" });
const nullable = fc.option(text);
const count = fc.nat();
const digest = fc.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/);
const args = fc.dictionary(text, fc.jsonValue({ stringUnit: "grapheme" })) as fc.Arbitrary<JsonObject>;

/** Members that a row has only when they say something. */
const absent = {
  evaluated_at: text,
  trace_id: text,
  requested_cost: fc.record({ trusted: fc.boolean(), usd: text }),
  session_usage: fc.record({ cost_usd: text, steps: count }),
  rego: fc.record({ deny: fc.array(text), failed: nullable, require_approval: fc.array(text) }),
};

const anyRow: fc.Arbitrary<DecisionRow> = fc
  .record({
    time: text,
    org: text,
    principal: text,
    namespace: text,
    agent_id: text,
    session_id: nullable,
    tool: text,
    args,
    args_digest: digest,
    call_digest: digest,
    shaped_args_digest: nullable,
    reason: nullable,
    rule_id: nullable,
    policy_id: nullable,
    policy_version: fc.option(count),
    approval_id: nullable,
    kill_switch_id: nullable,
    cost_usd: text,
    steps: count,
    fail_closed: fc.boolean(),
    latency_us: count,
    would_be: fc.option(
      fc
        .record({ rule_id: nullable, reason: text })
        .map((more) => ({ reason_code: "rule", ...more, decision: "deny" }) as const),
    ),
  })
  .map((members) => ({ ...decisionSample(0), ...members }))
  .chain((row) => fc.record(absent, { requiredKeys: [] }).map((more) => ({ ...row, ...more })));

describe("decisionRowText", () => {
  it("is the same text as the generic form, for any row", () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        expect(decisionRowText(row, canonicalJson(row.args))).toBe(rowText(row));
      }),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  it.each(["\ud800", "\\ud800", '"', "\u2028"])("is the same text with %j in it", (reason) => {
    const row = { ...decisionSample(0), reason, agent_id: reason };
    expect(decisionRowText(row, canonicalJson(row.args))).toBe(rowText(row));
    expect(JSON.parse(rowText(row))).toEqual(row);
  });
});

describe("parseRowText", () => {
  it("reads what was written, members of later versions included", () => {
    const row = { ...decisionSample(1), kind: "severity", added_later: [1] };
    expect(parseRowText(JSON.stringify(row))).toEqual({ kind: "row", row });
  });

  const cases: readonly [string, object][] = [
    ['{"v":2,"kind":"decision"}', { kind: "unknown_version", version: 2 }],
    ["{}", { kind: "unknown_version", version: null }],
    ['{"v":1}', { kind: "malformed" }],
    ["[]", { kind: "malformed" }],
    ["{", { kind: "malformed" }],
    ["", { kind: "malformed" }],
  ];
  it.each(cases)("reads %s", (given, reading) => {
    expect(parseRowText(given)).toEqual(reading);
  });
});
