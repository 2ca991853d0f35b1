import fc from "fast-check";
import { expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";
import { runs } from "./testing/runs.ts";

/** Levenshtein distance by its definition. */
function distance(left: string, right: string): number {
  if (left === "" || right === "") return left.length + right.length;
  const [first, second] = [left.slice(1), right.slice(1)];
  if (left[0] === right[0]) return distance(first, second);
  return 1 + Math.min(distance(first, right), distance(left, second), distance(first, second));
}

/** The first one of the names with the fewest edits, by a walk over all of them. */
function naive(found: string, known: readonly string[], maxEdits: number): string | null {
  let best: string | null = null;
  const editsOf = (name: string): number => distance(found.toLowerCase(), name.toLowerCase());
  for (const name of known) {
    if (editsOf(name) > Math.min(maxEdits, Math.ceil(name.length / 3))) continue;
    if (best === null || editsOf(name) < editsOf(best)) best = name;
  }
  return best;
}

it("finds the same name as a walk over all distances", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "B", "-"), maxLength: 6 });
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 8 }), fc.nat({ max: 3 }), (found, known, maxEdits) => {
      expect(nearestName(found, known, maxEdits)).toBe(naive(found, known, maxEdits));
    }),
    { numRuns: runs(500, 5_000) },
  );
});

it("finds a name with one letter too many, too few or wrong, and none that is farther away", () => {
  const known = ["payments-agent", "night-agent"];
  for (const found of ["payment-agent", "paymentss-agent", "paiments-agent", "PAYMENTS-agent"])
    expect(nearestName(found, known)).toBe("payments-agent");
  expect(nearestName("payout-robot", known)).toBeNull();
});
