import fc from "fast-check";
import { expect, it } from "vitest";
import { rowTime } from "./row-time.ts";

it("is the time in UTC with milliseconds, whichever times were written before", () => {
  const times = fc.array(fc.date({ noInvalidDate: true }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(times, fc.array(fc.nat(4), { maxLength: 10 }), (some, order) => {
      for (const at of order) {
        const time = some[at % some.length] ?? new Date(0);
        expect(rowTime(time)).toBe(time.toISOString());
      }
    }),
  );
});

it("throws for an invalid time, and is right afterwards", () => {
  const time = new Date(1_700_000_000_000);
  rowTime(time);
  expect(() => rowTime(new Date(Number.NaN))).toThrow(RangeError);
  expect(rowTime(time)).toBe("2023-11-14T22:13:20.000Z");
});
