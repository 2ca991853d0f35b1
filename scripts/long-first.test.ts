import { join } from "node:path";
import { expect, it } from "vitest";
import type { TestSpecification, Vitest } from "vitest/node";
import { LongFirst } from "./long-first.ts";
import { root } from "./toolchain.mjs";

/** Path and milliseconds of the last run. One waits, and the last is not declared as long. */
const FILES = new Map([
  ["scripts/lock.test.ts", 40_000],
  ["e2e/api/audit/retention.test.ts", 10_000],
  ["e2e/faults/drills.test.ts", 20_000],
  ["e2e/shipping/image.test.ts", 50_000],
  ["e2e/clients/python-client.test.ts", 60_000],
  ["e2e/faults/cluster-faults.test.ts", 30_000],
]);

const project = { name: "e2e", config: { isolate: true, sequence: { groupOrder: 1 } } };

it("runs long files first, and behind as many as run at once those that wait", async () => {
  const files = [...FILES.keys()].map((path) => ({ moduleId: join(root, path), project }));
  const durationOf = ({ moduleId }: TestSpecification) =>
    [...FILES].find(([path]) => moduleId.endsWith(path))?.[1];
  const cache = {
    getTestSpecificationResult: (each: TestSpecification) => ({ failed: false, duration: durationOf(each) }),
  };
  const sequencer = new LongFirst({ cache } as unknown as Vitest);
  const sorted = await sequencer.sort(files as unknown as TestSpecification[]);
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(
    [
      "e2e/clients/python-client.test.ts",
      "e2e/shipping/image.test.ts",
      "e2e/faults/cluster-faults.test.ts",
      "e2e/api/audit/retention.test.ts",
      "e2e/faults/drills.test.ts",
      "scripts/lock.test.ts",
    ].map((path) => join(root, path)),
  );
});
