import { describe, expect, it } from "vitest";
import { quantile, ratios, summarize } from "./statistics.ts";

describe("quantile", () => {
  const cases = [
    { title: "the middle of an odd number", samples: [9, 1, 5], share: 0.5, wanted: 5 },
    {
      title: "between the two in the middle of an even number",
      samples: [4, 1, 3, 2],
      share: 0.5,
      wanted: 2.5,
    },
    { title: "the only sample", samples: [7], share: 0.99, wanted: 7 },
    { title: "the smallest", samples: [3, 1, 2], share: 0, wanted: 1 },
    { title: "the largest", samples: [3, 1, 2], share: 1, wanted: 3 },
    { title: "numerically, not as text", samples: [10, 9, 100], share: 0.5, wanted: 10 },
    { title: "interpolated", samples: [0, 10], share: 0.99, wanted: 9.9 },
  ];
  it.each(cases)("takes $title", ({ samples, share, wanted }) => {
    expect(quantile(samples, share)).toBeCloseTo(wanted, 10);
  });

  it.each([
    { title: "no samples", samples: [], share: 0.5 },
    { title: "a sample that is not a number", samples: [1, Number.NaN], share: 0.5 },
    { title: "an infinite sample", samples: [1, Number.POSITIVE_INFINITY], share: 0.5 },
    { title: "a share above 1", samples: [1], share: 99 },
    { title: "a share that is not a number", samples: [1], share: Number.NaN },
  ])("refuses $title", ({ samples, share }) => {
    expect(() => quantile(samples, share)).toThrow(RangeError);
  });

  it("leaves the samples in their order", () => {
    const samples = [3, 1, 2];
    quantile(samples, 0.5);
    expect(samples).toEqual([3, 1, 2]);
  });
});

describe("summarize", () => {
  it("gives the middle, both ends and the number of samples", () => {
    expect(summarize([0.7, 0.5, 0.9])).toEqual({ median: 0.7, min: 0.5, max: 0.9, samples: 3 });
  });

  it("does not make a zero out of nothing", () => {
    expect(() => summarize([])).toThrow("at least one sample");
  });
});

describe("ratios", () => {
  it("divides round by round, so that a slow round of both cancels out", () => {
    expect(ratios([60, 30], [100, 50])).toEqual([0.6, 0.6]);
  });

  it("refuses rounds that do not pair up", () => {
    expect(() => ratios([1, 2], [1])).toThrow("2 and 1 samples");
  });

  it("refuses a baseline that did nothing", () => {
    expect(() => ratios([1], [0])).toThrow("positive baseline");
  });
});
