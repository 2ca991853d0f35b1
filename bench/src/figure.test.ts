import { expect, it } from "vitest";
import { atLeast, atMost, figure, isMet } from "./figure.ts";

it.each([
  { samples: [0.5, 0.6, 0.9], target: atLeast(0.6), wanted: true },
  { samples: [0.5, 0.59, 0.9], target: atLeast(0.6), wanted: false },
  { samples: [2, 3, 9], target: atMost(3), wanted: true },
  { samples: [2, 3.1, 3.2], target: atMost(3), wanted: false },
  { samples: [1], target: null, wanted: null },
])("judges the median of $samples by $target as $wanted", ({ samples, target, wanted }) => {
  expect(isMet(figure("f", "ratio", samples, target))).toBe(wanted);
});
