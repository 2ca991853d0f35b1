import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { busyPlaces } from "./file-places.ts";
import { type TestFile, testFiles } from "./test-files.ts";
import { root } from "./toolchain.mjs";

/**
 * The order of test files: of those that run at the same time, the ones with a line `// long:` first, so that
 * no core is idle while the last file ends. Behind as many as run at once stand those with a line
 * `// waits:`, which run beside them. A run knows how long files took from the runs before it; the first one
 * in a clone knows only their sizes.
 */
export class LongFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const files = new Map(testFiles(root).map((file) => [file.path, file]));
    const fileOf = ({ moduleId }: TestSpecification) => files.get(relative(root, moduleId));
    const sorted = await super.sort(specifications);
    const longFirst = sorted.toSorted((one, other) => rankOf(fileOf(one)) - rankOf(fileOf(other)));
    const waiting = longFirst.filter((one) => fileOf(one)?.isWaiting === true);
    const busy = longFirst.filter((one) => fileOf(one)?.isWaiting !== true);
    const atOnce = busyPlaces(process.env["SVC_TEST_STAGE"]);
    return [...busy.slice(0, atOnce), ...waiting, ...busy.slice(atOnce)];
  }
}

function rankOf(file: TestFile | undefined): number {
  return file?.isLong === true ? 0 : 1;
}
