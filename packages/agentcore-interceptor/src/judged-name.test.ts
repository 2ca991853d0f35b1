import { describe, expect, it } from "vitest";
import { judgedName } from "./judged-name.ts";

describe("judgedName", () => {
  const names: readonly (readonly [string, string | null])[] = [
    ["payments___refund", "payments.refund"],
    ["Pay-1___get_order_tool", "Pay-1.get_order_tool"],
    ["a____b", "a._b"],
    ["a___b___c", "a.b___c"],
    ["a___b.c", "a.b.c"],
    ["x_amz_bedrock_agentcore_search", "x_amz_bedrock_agentcore_search"],
    ["x_amz_bedrock___search", "x_amz_bedrock___search"],
    ["a__b", null],
    ["refund", null],
    ["a.b", null],
    ["a.b___c", null],
    ["___b", null],
    ["a___", null],
    ["X_AMZ_search", null],
  ];
  it.each(names)("AGC-01: %s is judged as %s", (name, wanted) => {
    const judged = judgedName(name, "dotted");
    expect(judged.ok ? judged.value : null).toBe(wanted);
  });

  it("no two names become one", () => {
    const judged = names.flatMap(([name]) => {
      const result = judgedName(name, "dotted");
      return result.ok ? [result.value] : [];
    });
    expect(new Set(judged).size).toBe(judged.length);
  });

  it("names can be judged as they come", () => {
    for (const [name] of names) expect(judgedName(name, "as_given")).toEqual({ ok: true, value: name });
  });
});
