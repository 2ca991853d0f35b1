import { dataFile } from "@svc/engine/testing/data-files";
import { describe, expect, it } from "vitest";
import { formatDiagnostics } from "../format-diagnostic.ts";
import { compileExamined } from "../testing/compile-examined.suite.ts";

const rows = dataFile<{ readonly row: string; readonly policy: string }[]>("sound-policies.yaml");

describe("a policy that means what it says", () => {
  // proves POL-85
  it.each(rows)("$row", ({ policy }) => {
    const result = compileExamined(policy);
    expect(formatDiagnostics(result.ok ? result.warnings : result.diagnostics)).toBe("");
  });
});
