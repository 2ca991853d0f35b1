import type { JsonObject } from "@svc/contract/json-value";
import { MAX_BODY_BYTES } from "@svc/contract/limits";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";
import { dataFile } from "../testing/data-files.suite.ts";

interface MaskCase {
  why: string;
  rules: JsonObject[];
  args: JsonObject;
  row: JsonObject;
}

const numbered = (rules: readonly JsonObject[]): JsonObject => ({
  id: "p",
  tools: { allowed: ["*"] },
  rules: rules.map((rule, at) => ({ id: `r${String(at)}`, match: { tool: "*" }, ...rule })),
});

describe("the row of a call", () => {
  // proves AUD-50
  it.each(dataFile<MaskCase[]>("row-masks.yaml"))("$why", ({ rules, args, row }) => {
    const before = JSON.stringify(args);
    const { maskRow } = compiled(numbered(rules));
    expect(maskRow?.(callOf("t", args)) ?? args).toEqual(row);
    expect(JSON.stringify(args)).toBe(before);
  });

  it("costs nothing where no rule redacts, or every one keeps", () => {
    expect(compiled({ id: "p", tools: { allowed: ["*"] } }).maskRow).toBeNull();
    const keep = { action: "redact", redact: { fields: ["args.a"], audit: "keep" } };
    expect(compiled(numbered([keep])).maskRow).toBeNull();
  });

  it("is the same object where nothing is masked", () => {
    const args = { b: 1 };
    const { maskRow } = compiled(numbered([{ action: "redact", redact: { fields: ["args.a"] } }]));
    expect(maskRow?.(callOf("t", args))).toBe(args);
  });

  // proves AUD-50, POL-46
  it("keeps no argument where they take more work to search than one call may", () => {
    const rule = { action: "redact", redact: { detectors: ["pii.iban"] } };
    const policy = compiled(numbered(Array.from({ length: 50 }, () => rule)));
    const args = { text: "de12 ".repeat(MAX_BODY_BYTES / 6), token: "hunter2" };
    expect(JSON.stringify(policy.maskRow?.(callOf("t", args)))).toMatch(/^\{"\[masked\]":"[^"]*"\}$/);
  });
});
