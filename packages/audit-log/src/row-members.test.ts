import type { DecisionRow } from "@svc/contract/audit-row";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowMembersWithoutArgs } from "./row-members.ts";
import { decisionRowText } from "./row-text.ts";

function rowBytes(args: JsonObject, reason: string | null = null): Buffer {
  const row = {
    v: 1,
    kind: "decision",
    time: "2026-01-01T00:00:00.000Z",
    org: "default",
    principal: "key-1",
    namespace: "default",
    agent_id: "agent-1",
    session_id: "s-1",
    tool: "payments.refund",
    args,
    args_digest: "hmac-sha256:00",
    call_digest: "hmac-sha256:01",
    shaped_args_digest: null,
    decision: "allow",
    would_be: { decision: "deny", reason: reason ?? "-", reason_code: "rule", rule_id: "r" },
    mode: "shadow",
    reason,
    reason_code: null,
    rule_id: null,
    policy_id: "p",
    policy_version: 1,
    approval_id: null,
    kill_switch_id: null,
    trigger_source: null,
    cost_usd: "2",
    steps: 1,
    fail_closed: false,
    latency_us: 1,
  } satisfies DecisionRow;
  return Buffer.from(decisionRowText(row, canonicalJson(args)));
}

const HOSTILE = [
  { args_digest: "sha256:ff", agent_id: "other", steps: 0 },
  { a: { args: { args: 1 }, args_digest: "x" } },
  { text: ',"args_digest":"sha256:ff","cost_usd":"0","steps":0}' },
  { ',"args":': ',"args_digest":"' },
];

describe("rowMembersWithoutArgs", () => {
  it.each(HOSTILE)("is not misled by the arguments %j", (args) => {
    const { args: _args, ...others } = JSON.parse(rowBytes(args).toString()) as JsonObject;
    expect(rowMembersWithoutArgs(rowBytes(args))).toEqual(others);
  });

  it("reads what is behind any arguments and reason", () => {
    const texts = fc.oneof(fc.string(), fc.constantFrom(',"args":', ',"args_digest":"', '"'));
    const args = fc.dictionary(
      texts,
      fc.oneof(texts, fc.dictionary(texts, texts)) as fc.Arbitrary<JsonValue>,
    );
    fc.assert(
      fc.property(args, texts, (known, reason) => {
        const bytes = rowBytes(known, reason);
        const { args: _args, ...others } = JSON.parse(bytes.toString()) as JsonObject;
        expect(rowMembersWithoutArgs(bytes)).toEqual(others);
      }),
    );
  });

  it.each([
    ['{"kind":"key","org":"default"}', { kind: "key", org: "default" }],
    ["[1]", null],
    ["{", null],
    ["", null],
  ])("reads %j as %j", (text, expected) => {
    expect(rowMembersWithoutArgs(Buffer.from(text))).toEqual(expected);
  });
});
