import { join } from "node:path";
import { expect, it } from "vitest";
import type { TestSpecification, Vitest } from "vitest/node";
import { LongFirst } from "./long-first.ts";
import { root } from "./toolchain.mjs";

/** Path and milliseconds of the last run, of which the first is not declared as long. */
const FILES = new Map([
  ["scripts/lock.test.ts", 40_000],
  ["e2e/api/audit/retention.test.ts", 10_000],
  ["e2e/faults/drills.test.ts", 20_000],
]);

const project = { name: "e2e", config: { isolate: true, sequence: { groupOrder: 1 } } };

it("runs the files that are declared as long first, and among them the one that took longer", async () => {
  const files = [...FILES.keys()].map((path) => ({ moduleId: join(root, path), project }));
  const durationOf = ({ moduleId }: TestSpecification) =>
    [...FILES].find(([path]) => moduleId.endsWith(path))?.[1];
  const cache = {
    getTestSpecificationResult: (each: TestSpecification) => ({ failed: false, duration: durationOf(each) }),
  };
  const sequencer = new LongFirst({ cache } as unknown as Vitest);
  const sorted = await sequencer.sort(files as unknown as TestSpecification[]);
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(
    ["e2e/faults/drills.test.ts", "e2e/api/audit/retention.test.ts", "scripts/lock.test.ts"].map((path) =>
      join(root, path),
    ),
  );
});
