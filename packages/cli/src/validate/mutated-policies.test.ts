import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkPolicyFile } from "./validate.ts";

const DEMO = readFileSync(join(import.meta.dirname, "../../../../policies/demo.yaml"), "utf8").split("\n");

interface Mutation {
  readonly name: string;
  readonly lines: readonly string[];
  /** Where the fault is, from 1. */
  readonly line: number;
}

/** The key of a line, also of the first line of a rule. */
const KEY = /^(\s*(?:- )?)([a-z_]+):/;

const mutations: readonly Mutation[] = DEMO.flatMap((text, at): readonly Mutation[] => {
  const [, lead = "", key] = KEY.exec(text) ?? [];
  if (key === undefined) return [];
  const changed = (replacement: string) => DEMO.with(at, replacement);
  const rest = text.slice(lead.length + key.length);
  const mutants: Mutation[] = [
    {
      name: `line ${String(at + 1)}: ${key} is misspelt`,
      lines: changed(`${lead}${key}x${rest}`),
      line: at + 1,
    },
    {
      name: `line ${String(at + 1)}: ${key} has a stray bracket`,
      lines: changed(`${lead}${key}: }`),
      line: at + 1,
    },
  ];
  const again = `${lead.replace("-", " ")}${key}${rest}`;
  if (!rest.trim().endsWith(":"))
    mutants.push({
      name: `line ${String(at + 1)}: ${key} stands twice`,
      lines: DEMO.toSpliced(at + 1, 0, again),
      line: at + 2,
    });
  return mutants;
});

it("mutates enough", () => {
  expect(mutations.length).toBeGreaterThan(60);
});

// proves CLI-01
it.each(mutations)("finds the fault of $name", async ({ lines, line }) => {
  const source = lines.join("\n");
  const file = { name: "p.yaml", source, mediaType: "application/yaml" } as const;
  const { valid, diagnostics } = await checkPolicyFile(file);
  expect(valid).toBe(false);
  expect(diagnostics.map((diagnostic) => diagnostic.line)).toContain(line);
});
