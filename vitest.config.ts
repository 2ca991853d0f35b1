import { defineConfig } from "vitest/config";

const MINUTE_MS = 60_000;

/** A unit test takes milliseconds; properties with thousands of runs take seconds where cores are shared. */
const UNIT_TIMEOUT_MS = MINUTE_MS;

export default defineConfig({
  test: {
    coverage: {
      include: ["packages/*/src/**/*.ts", "gateway/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.suite.ts"],
    },
    projects: [
      {
        test: {
          name: "unit",
          maxWorkers: "100%",
          sequence: { groupOrder: 1 },
          testTimeout: UNIT_TIMEOUT_MS,
          include: [
            "packages/*/src/**/*.test.ts",
            "gateway/src/**/*.test.ts",
            "bench/src/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          testTimeout: MINUTE_MS,
          hookTimeout: 2 * MINUTE_MS,
        },
      },
    ],
  },
});
