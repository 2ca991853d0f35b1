import { expect, test } from "vitest";
import { parseHeader, STAGES, stageOf, testFiles } from "./test-files.ts";
import { root } from "./toolchain.mjs";

test.each([
  ["import {} from 'x';", "first"],
  ["// long: it starts twenty servers", "long"],
  ["// alone: it compares times", "long"],
  ["// peers: envoy, nginx", "peers"],
  ["// peers: envoy\n// long: it starts Envoy ten times", "peers"],
  ["// peers: envoy\n// alone: it compares times", "peers"],
  // Not a line of its own, and a line without a reason, declare nothing.
  ["const text = '// long: no';", "first"],
  ["// long: ", "first"],
] as const)("%j runs in the stage %s", (text, stage) => {
  expect(stageOf(parseHeader(text))).toBe(stage);
});

test("every file runs in exactly one stage", () => {
  const files = testFiles(root);
  const counts = STAGES.map((stage) => files.filter((file) => stageOf(file) === stage).length);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(counts.reduce((sum, count) => sum + count)).toBe(files.length);
});
