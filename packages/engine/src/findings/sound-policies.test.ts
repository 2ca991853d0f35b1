import { describe, expect, it } from "vitest";
import { compilePolicy } from "../compile-policy.ts";
import { formatDiagnostics } from "../format-diagnostic.ts";
import { dataFile } from "../testing/data-files.suite.ts";

const rows = dataFile<{ readonly row: string; readonly policy: string }[]>("sound-policies.yaml");

describe("a policy that means what it says", () => {
  // proves POL-85
  it.each(rows)("$row", ({ policy }) => {
    const result = compilePolicy(policy);
    expect(formatDiagnostics(result.ok ? result.warnings : result.diagnostics)).toBe("");
  });
});
