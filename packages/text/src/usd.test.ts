import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "./json-value.ts";
import { MAX_COST_MICRO_USD } from "./limits.ts";
import { runs } from "./testing/runs.ts";
import { loadVectors } from "./testing/vectors.suite.ts";
import { formatUsd, parseUsd } from "./usd.ts";

interface Vector {
  readonly value: JsonValue;
  readonly micro_usd: number | null;
  readonly text?: string;
}

const amounts = fc.integer({ min: 0, max: MAX_COST_MICRO_USD });

describe("amounts of USD", () => {
  it.each(loadVectors<Vector>("money"))(
    "E17: $value is $micro_usd micro-USD",
    ({ value, micro_usd, text }) => {
      expect(parseUsd(value)).toBe(micro_usd);
      if (micro_usd !== null) expect(formatUsd(micro_usd)).toBe(text);
    },
  );

  it("E17: every amount survives being written and read, as text and as a number", () => {
    fc.assert(
      fc.property(amounts, (microUsd) => {
        expect(parseUsd(formatUsd(microUsd))).toBe(microUsd);
        expect(parseUsd(Number(formatUsd(microUsd)))).toBe(microUsd);
      }),
      { numRuns: runs(2_000, 20_000) },
    );
  });

  it("E17: whatever is read is an integer from 0 to the largest cost", () => {
    const inputs = fc.oneof(
      fc.double(),
      fc.float(),
      fc.string({ unit: fc.constantFrom(...Array.from("0123456789.-e+ ")) }),
      fc.anything(),
    );
    fc.assert(
      fc.property(inputs, (input) => {
        const microUsd = parseUsd(input);
        if (microUsd === null) return;
        expect(Number.isSafeInteger(microUsd)).toBe(true);
        expect(microUsd).toBeGreaterThanOrEqual(0);
        expect(microUsd).toBeLessThanOrEqual(MAX_COST_MICRO_USD);
      }),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  it("writes differences with their sign", () => {
    expect(formatUsd(-1_500_000)).toBe("-1.5");
  });
});
