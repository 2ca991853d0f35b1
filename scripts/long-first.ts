import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { testFiles } from "./test-files.ts";
import { root } from "./toolchain.mjs";

/**
 * The order of test files: of those that run at the same time, the ones with a line `// long:` first, so that
 * no core is idle while the last file ends. A run knows how long files took from the runs before it; the
 * first one in a clone knows only their sizes.
 */
export class LongFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const long = new Set(testFiles(root).flatMap(({ path, isLong }) => (isLong ? [path] : [])));
    const isLong = ({ moduleId }: TestSpecification) => long.has(relative(root, moduleId));
    const sorted = await super.sort(specifications);
    return [...sorted.filter(isLong), ...sorted.filter((specification) => !isLong(specification))];
  }
}
