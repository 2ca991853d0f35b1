import { readFileSync } from "node:fs";
import type { Evaluation } from "@svc/engine/evaluation";
import { callOf, compiled } from "@svc/engine/testing/compiled";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { compileExamined } from "./testing/compile-examined.suite.ts";

const POLICIES = new URL("../../../policies/", import.meta.url);
const source = readFileSync(new URL("demo.yaml", POLICIES), "utf8");

describe("policies", () => {
  // proves POL-85
  it.each(["demo.yaml", "demo-proxies.yaml"])("%s has no finding", (file) => {
    const result = compileExamined(readFileSync(new URL(file, POLICIES), "utf8"));
    expect(result.ok ? result.warnings : result.diagnostics).toEqual([]);
  });
});

describe("policies/demo.yaml", () => {
  it("is valid without a warning and binds demo-agent", () => {
    const result = compileExamined(source);
    expect(result.ok && result.warnings).toEqual([]);
    expect(compiled(source)).toMatchObject({
      id: "demo",
      agentId: "demo-agent",
      mode: "enforcement",
      maxSteps: 1_000,
    });
  });

  it.each<[string, JsonObject, Partial<Evaluation>]>([
    ["payments.refund", { amount: 20 }, { decision: "allow" }],
    ["payments.refund", { amount: 500.01 }, { decision: "pause", ruleId: "large-refund" }],
    ["payments.refund", { amount: "20" }, { decision: "pause", ruleId: "large-refund" }],
    ["payments.transfer", { amount: 50_000 }, { decision: "allow", shapedArgs: { amount: 10_000 } }],
    ["db.drop_table", { table: "users" }, { decision: "deny", reasonCode: "tool_denied" }],
    ["db.read", {}, { decision: "deny", reasonCode: "not_allowed" }],
    [
      "crm.update",
      { note: "card 4111 1111 1111 1111" },
      { decision: "allow", shapedArgs: { note: "card ****1111" } },
    ],
    ["mail.send", { body: "AKIAIOSFODNN7EXAMPLE" }, { decision: "deny", ruleId: "no-secrets-by-mail" }],
    ["mail.send", { body: "hello" }, { decision: "allow", shapedArgs: null }],
  ])("%s %j", (tool, args, wanted) => {
    expect(compiled(source).evaluate(callOf(tool, args))).toMatchObject(wanted);
  });
});
