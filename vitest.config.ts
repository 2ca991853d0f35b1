import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { CONDITION_MS } from "./packages/contract/src/testing/condition-limit.ts";
import { busyPlaces, WAITING_PLACES } from "./scripts/file-places.ts";
import { LongFirst } from "./scripts/long-first.ts";
import { stageOf, type TestFile, testFiles } from "./scripts/test-files.ts";

/** Most tests take milliseconds. In the long run a property takes ten to a hundred times as many values. */
const TEST_TIMEOUT_MS = process.env["SVC_TEST_RUNS"] === "long" ? 3_600_000 : 60_000;

const expectations = { poll: { timeout: CONDITION_MS } };

/** Several programs and proxies start. */
const HOOK_TIMEOUT_MS = 120_000;

/** Runs before each file of tests. */
const setupFiles = ["e2e/support/measure-file.ts", "e2e/support/fixed-seed.ts"];

/** Files of unit tests at a time: two more than cores, because some wait for PostgreSQL or for processes. */
const UNIT_WORKERS = availableParallelism() + 2;

/** The stage of npm test that runs; unset: all of them. */
const stage = process.env["SVC_TEST_STAGE"];

const files = testFiles(import.meta.dirname).filter((file) => stage === undefined || stage === stageOf(file));

/** Exactly these files: a project without files runs none. */
function include(isOfProject: (file: TestFile) => boolean): string[] {
  const paths = files.filter(isOfProject).map(({ path }) => path);
  return paths.length > 0 ? paths : ["no-file-of-this-project"];
}

const e2e = {
  // One load of the modules for each worker: no module keeps what a later file could see.
  isolate: false,
  expect: expectations,
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: HOOK_TIMEOUT_MS,
  // In this order: the time of a file does not count what it waits for a place.
  setupFiles: ["e2e/support/take-place.ts", ...setupFiles],
};

export default defineConfig({
  test: {
    globalSetup: ["scripts/set-up-tests.ts"],
    sequence: { sequencer: LongFirst },
    coverage: {
      include: ["packages/*/src/**/*.ts", "gateway/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.suite.ts"],
    },
    projects: [
      {
        test: {
          name: "unit",
          maxWorkers: UNIT_WORKERS,
          // No module keeps state. Loading all of them again for every file took a third of the time.
          isolate: false,
          sequence: { groupOrder: 1 },
          expect: expectations,
          testTimeout: TEST_TIMEOUT_MS,
          setupFiles,
          include: include(({ kind }) => kind === "unit"),
        },
      },
      {
        test: {
          ...e2e,
          name: "e2e",
          maxWorkers: busyPlaces(stage) + WAITING_PLACES,
          sequence: { groupOrder: 2, setupFiles: "list" },
          include: include(({ kind, isAlone }) => kind === "e2e" && !isAlone),
        },
      },
      {
        test: {
          ...e2e,
          name: "e2e-alone",
          fileParallelism: false,
          sequence: { groupOrder: 3, setupFiles: "list" },
          include: include(({ kind, isAlone }) => kind === "e2e" && isAlone),
        },
      },
    ],
  },
});
