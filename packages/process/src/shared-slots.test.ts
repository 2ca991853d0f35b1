import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SharedSlots } from "./shared-slots.ts";

/** Takes what one organization gets, with a new key when one is full. @returns how many, and why no more */
function takeAll(slots: SharedSlots, org: string) {
  let taken = 0;
  for (let number = 0; ; ) {
    const holder = { org, key: `key-${String(number)}` };
    const refusal = slots.refusal(holder);
    if (refusal === "key") number += 1;
    else if (refusal === null) {
      slots.take(holder);
      taken += 1;
    } else return { taken, refusal };
  }
}

// proves APR-73, EVT-10
describe("slots that organizations share", () => {
  it("leave half to others when one organization takes what it gets with many keys", () => {
    const slots = new SharedSlots({ most: 1_000, ofKey: 100 });
    expect(takeAll(slots, "greedy")).toEqual({ taken: 500, refusal: "organization" });
    expect(slots.refusal({ org: "other", key: "key" })).toBeNull();
  });

  it("are there for one more organization after several took what they get", () => {
    const slots = new SharedSlots({ most: 1_000, ofKey: 100 });
    const taken = ["a", "b", "c", "d", "e"].map((org) => takeAll(slots, org).taken);
    expect(taken).toEqual([500, 250, 125, 63, 31]);
    expect(slots.refusal({ org: "f", key: "key" })).toBeNull();
  });

  it("refuse a key that has its share, and all when none is free", () => {
    const slots = new SharedSlots({ most: 4, ofKey: 1 });
    const holder = { org: "a", key: "1" };
    slots.take(holder);
    expect(slots.refusal(holder)).toBe("key");
    expect(slots.refusal({ org: "b", key: "1" })).toBeNull();
    slots.take({ org: "b", key: "1" });
    slots.take({ org: "c", key: "1" });
    slots.take({ org: "d", key: "1" });
    expect(slots.refusal({ org: "e", key: "1" })).toBe("process");
  });

  it("keep one for every organization that has none, in whatever order they are taken and given back", () => {
    const org = fc.constantFrom("a", "b", "c");
    const step = fc.record({ org, key: fc.constantFrom("1", "2", "3"), gives: fc.boolean() });
    const property = fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const slots = new SharedSlots({ most: 20, ofKey: 8 });
      const held: (() => void)[] = [];
      for (const { gives, ...holder } of steps) {
        if (gives) held.shift()?.();
        else if (slots.refusal(holder) === null) held.push(slots.take(holder));
        expect(slots.count).toBe(held.length);
        expect(slots.refusal({ org: "newcomer", key: "1" })).toBeNull();
      }
      for (const giveBack of [...held, ...held]) giveBack();
      expect(slots.count).toBe(0);
    });
    fc.assert(property);
  });
});
