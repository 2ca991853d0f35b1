import { expect, test } from "vitest";
import { parseHeader, STAGES, stageOf, testFiles } from "./test-files.ts";
import { root } from "./toolchain.mjs";

test.each([
  ["unit", "import {} from 'x';", "in-process"],
  ["e2e", "// long: it starts twenty servers", "programs"],
  ["e2e", "// peers: envoy, nginx", "peers"],
  ["unit", "// peers: postgres\n// alone: it compares times", "peers"],
  // Not a line of its own declares nothing.
  ["unit", "const text = '// peers: envoy';", "in-process"],
] as const)("a file of %s with %j runs in the stage %s", (kind, text, stage) => {
  expect(stageOf({ kind, ...parseHeader(text) })).toBe(stage);
});

test("a line without a reason declares nothing", () => {
  expect(parseHeader("// long: \n// alone: \n// waits: ")).toEqual({
    peers: [],
    isAlone: false,
    isLong: false,
    isWaiting: false,
  });
});

test("every file runs in exactly one stage", () => {
  const files = testFiles(root);
  const counts = STAGES.map((stage) => files.filter((file) => stageOf(file) === stage).length);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(counts.reduce((sum, count) => sum + count)).toBe(files.length);
});
