import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { callOf, compiled, OWN_DETECTORS } from "../testing/compiled.suite.ts";
import { dataFile } from "../testing/data-files.suite.ts";

interface OperatorCases {
  operator: string;
  value: JsonValue;
  holds: JsonValue[];
  fails: JsonValue[];
  unsure: JsonValue[];
}

const TRUTHS = { holds: ["deny", "allow"], fails: ["allow", "deny"], unsure: ["deny", "deny"] } as const;

/** How a restricting and an allowing rule of one condition decide. */
function decisions(condition: { operator: string; value?: JsonValue }, args: { x?: JsonValue }): string[] {
  const match = { condition: { field: "args.x", ...condition } };
  const restricting = compiled({
    id: "p",
    tools: { allowed: ["*"] },
    detectors: OWN_DETECTORS,
    rules: [{ id: "r", match, action: "deny" }],
  });
  const allowing = compiled({
    id: "p",
    detectors: OWN_DETECTORS,
    rules: [{ id: "r", match, action: "allow" }],
  });
  return [restricting, allowing].map((policy) => policy.evaluate(callOf("t", args)).decision);
}

describe("E8, E12: operators", () => {
  const rows = dataFile<OperatorCases[]>("operators.yaml").flatMap(({ operator, value, ...values }) =>
    (["holds", "fails", "unsure"] as const).flatMap((truth) =>
      values[truth].map((found) => ({ operator, value, found, truth, name: JSON.stringify(found) })),
    ),
  );
  // proves POL-19, POL-53
  it.each(rows)("$operator $value of $name: $truth", ({ operator, value, found, truth }) => {
    expect(decisions({ operator, value }, { x: found })).toEqual(TRUTHS[truth]);
  });

  // proves POL-19, POL-29
  it.each(dataFile<OperatorCases[]>("operators.yaml"))(
    "$operator of a missing field restricts",
    ({ operator, value }) => {
      expect(decisions({ operator, value }, {})).toEqual(TRUTHS.unsure);
    },
  );

  it("exists and not_exists judge presence alone, also of null", () => {
    expect(decisions({ operator: "exists" }, { x: null })).toEqual(TRUTHS.holds);
    expect(decisions({ operator: "exists" }, {})).toEqual(TRUTHS.fails);
    expect(decisions({ operator: "not_exists" }, {})).toEqual(TRUTHS.holds);
    expect(decisions({ operator: "not_exists" }, { x: 0 })).toEqual(TRUTHS.fails);
  });
});
