import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Terminal } from "../frame/terminal.ts";

/** What the tests of `payments.yaml` may be called: `payments.test.json` and so on. */
const ENDINGS = [".test.json", ".test.yaml", ".test.yml"] as const;

/** The names that the tests of a policy may have, the first one first. */
export function testNames(policy: string): readonly string[] {
  const base = policy.replace(/\.(?:ya?ml|json)$/, "");
  return ENDINGS.map((ending) => `${base}${ending}`);
}

/** The file of tests that stands beside a policy. Null: there is none. */
export function findTestsBeside(
  policy: string,
  { workingDirectory }: Pick<Terminal, "workingDirectory">,
): string | null {
  return testNames(policy).find((name) => existsSync(resolve(workingDirectory, name))) ?? null;
}
