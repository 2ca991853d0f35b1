import { expect, test } from "vitest";
import { parseTimes, renderSlowest } from "./file-times.ts";

test("the slowest files come first, with their processor time and a sum", () => {
  const text = `{"name":"/c/e2e/a.test.ts","ms":900,"processorMs":1740}
{"name":"/c/e2e/b.test.ts","ms":61250,"processorMs":90}
`;
  expect(renderSlowest(parseTimes(text), "/c").split("\n")).toEqual([
    "Seconds  Processor  File",
    "     61.3      0.1  e2e/b.test.ts",
    "      0.9      1.7  e2e/a.test.ts",
    "     62.1      1.8  all 2 files",
  ]);
});

test("only twenty files are listed, and all are counted", () => {
  const times = Array.from({ length: 30 }, () => ({ name: "/c/a", ms: 1_000, processorMs: 0 }));
  const lines = renderSlowest(times, "/c").split("\n");
  expect([lines.length, lines.at(-1)]).toEqual([22, "     30.0      0.0  all 30 files"]);
});
