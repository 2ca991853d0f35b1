import { decidingDocument } from "@svc/engine/document-parts";
import { readPolicy } from "@svc/engine/read-policy";
import { callOf } from "@svc/engine/testing/compiled";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { compileExplaining } from "./compile-explaining.ts";
import { findCounterfactual } from "./counterfactual.ts";
import { simulateCall } from "./simulate-call.ts";

function explainingOf(condition: JsonObject, action: string) {
  const tools = { allowed: action === "allow" ? [] : ["*"] };
  const document = { id: "p", tools, rules: [{ id: "r", match: { condition }, action }] };
  const reading = readPolicy(JSON.stringify(document));
  if (!reading.ok) throw new Error(JSON.stringify(reading.diagnostics));
  return compileExplaining(decidingDocument(reading.document));
}

function explained(condition: JsonObject, args: JsonObject) {
  const { steps } = explainingOf(condition, "deny").explain(callOf("t", args));
  return steps.rules[0]?.conditions[0];
}

describe("an explanation", () => {
  it.each<[string, JsonObject, JsonValue]>([
    ["folders", {}, ["/srv/work"]],
    ["a base", { base: "/srv/work/repo" }, { value: ["/srv/work"], base: "/srv/work/repo" }],
    ["a base of the call", { base_field: "args.cwd" }, { value: ["/srv/work"], base_field: "args.cwd" }],
  ])("of path_within shows %s", (_, more, expected) => {
    const condition = { field: "args.path", operator: "path_within", value: "/srv/work", ...more };
    expect(explained(condition, { path: "a", cwd: "/srv" })).toMatchObject({ expected });
  });

  it.each<[string, JsonObject, JsonValue]>([
    ["hosts", {}, ["example.com"]],
    ["schemes", { schemes: "https" }, { value: ["example.com"], schemes: ["https"] }],
    ["ports", { ports: [443, 8443] }, { value: ["example.com"], ports: [443, 8443] }],
  ])("of host_within shows %s", (_, more, expected) => {
    const condition = { field: "args.url", operator: "host_within", value: "example.com", ...more };
    expect(explained(condition, { url: "https://example.com" })).toMatchObject({ expected });
  });

  it("of only_names shows the other names, and which one keeps the call from being allowed", () => {
    const explaining = explainingOf({ field: "args", operator: "only_names", value: ["to", "cc"] }, "allow");
    const call = callOf("t", { to: "a", "b.c": 1 });
    const { explanation } = simulateCall(explaining, { call, killSwitches: { checked: [], matched: null } });
    expect(explanation.rules[0]?.conditions).toEqual([
      {
        field: "args",
        operator: "only_names",
        expected: ["to", "cc"],
        truth: "fails",
        found: { to: "a", "b.c": 1 },
        read: ["b.c"],
      },
    ]);
    const masks = { isMasked: () => false, wholly: false };
    const told = { explaining, call, explanation, ruleId: null, masks };
    expect(findCounterfactual({ ...told, decision: "deny" })).toMatchObject({
      change: { field: 'args."b.c"', requirement: 'args."b.c" not_exists', decision: "allow" },
    });
  });
});
