import { callOf, compiled } from "@svc/engine/testing/compiled";
import { dataFile } from "@svc/engine/testing/data-files";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { compileExamined } from "../testing/compile-examined.suite.ts";
import { describeWitness } from "./witness/describe-witness.ts";

interface Tempting {
  readonly row: string;
  readonly policy: string;
  readonly finding?: string;
  readonly refused?: string;
  readonly witness?: string;
  readonly calls?: { readonly tool: string; readonly args: JsonObject; readonly want: string };
}

const rows = dataFile<Tempting[]>("tempting-policies.yaml");

describe("a policy that looks right", () => {
  // proves POL-84
  it.each(rows)("$row", ({ policy, finding, refused, witness, calls }) => {
    const result = compileExamined(policy);
    const found = result.ok ? result.warnings : result.diagnostics;
    const [code] = [finding, refused].filter((wanted) => wanted !== undefined);
    expect([result.ok, found.map((one) => one.code)]).toEqual([
      refused === undefined,
      code === undefined ? [] : [code],
    ]);
    const shown = found[0]?.witness ?? null;
    if (witness !== undefined) expect(shown === null ? null : describeWitness(shown)).toBe(witness);

    if (calls === undefined) return;
    const { decision, shapedArgs } = compiled(policy).evaluate(callOf(calls.tool, calls.args));
    expect([decision, ...(shapedArgs === null ? [] : [JSON.stringify(shapedArgs)])].join(" ")).toBe(
      calls.want,
    );
  });
});
