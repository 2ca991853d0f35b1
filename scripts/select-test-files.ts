import { parseCLI } from "vitest/node";
import { type TestFile, testFiles } from "./test-files.ts";

/** The files that vitest would run with these arguments: by parts of their paths, and by project. */
export function selectTestFiles(root: string, args: readonly string[]): readonly TestFile[] {
  const { filter, options } = parseCLI(["vitest", "run", ...args]);
  const projects = [options.project ?? []].flat();
  const parts = filter.map((part) => part.replace(/:\d+$/, ""));
  return testFiles(root).filter(
    ({ path, kind, isAlone }) =>
      (parts.length === 0 || parts.some((part) => path.includes(part))) &&
      (projects.length === 0 || projects.includes(kind === "e2e" && isAlone ? "e2e-alone" : kind)),
  );
}
