import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteBudget } from "./byte-budget.ts";

describe("ByteBudget", () => {
  it("refuses what one holder or all together would hold too much of, and takes nothing then", () => {
    const budget = new ByteBudget({ totalBytes: 100, bytesPerHolder: 60 });
    expect([budget.take("a", 60), budget.take("a", 1)]).toEqual([null, "holder"]);
    expect([budget.take("b", 41), budget.take("b", 40), budget.heldBytes]).toEqual(["total", null, 100]);
    budget.give("a", 60);
    expect([budget.take("c", 60), budget.heldBytes]).toEqual([null, 100]);
  });

  // proves FAIR-04
  it("never holds more than its bounds, and nothing once all was given back", () => {
    const step = fc.record({ holder: fc.constantFrom("a", "b", "c"), bytes: fc.nat(50), give: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const budget = new ByteBudget({ totalBytes: 120, bytesPerHolder: 70 });
        const taken: { readonly holder: string; readonly bytes: number }[] = [];
        for (const { holder, bytes, give } of steps) {
          const back = give ? taken.shift() : undefined;
          if (back !== undefined) budget.give(back.holder, back.bytes);
          if (budget.take(holder, bytes) === null) taken.push({ holder, bytes });
          const held = (of: string): number =>
            taken.filter((one) => one.holder === of).reduce((sum, one) => sum + one.bytes, 0);
          expect(Math.max(held("a"), held("b"), held("c"))).toBeLessThanOrEqual(70);
          expect(budget.heldBytes).toBe(held("a") + held("b") + held("c"));
          expect(budget.heldBytes).toBeLessThanOrEqual(120);
        }
        for (const { holder, bytes } of taken) budget.give(holder, bytes);
        expect([budget.heldBytes, budget.take("a", 70)]).toEqual([0, null]);
      }),
    );
  });
});
