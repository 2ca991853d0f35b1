import { readFileSync } from "node:fs";
import { CALL_FIELDS, USAGE_FIELDS } from "@svc/engine/condition";
import { DETECTOR_NAMES } from "@svc/engine/detector";
import { DIAGNOSTIC_CODES, FINDING_CODES, GUARDRAIL_CODES, MODULE_CODES } from "@svc/engine/diagnostic-codes";
import { OPERATORS } from "@svc/engine/operator-table";
import { ACTIONS, MASKS } from "@svc/engine/policy-document";
import { compiled } from "@svc/engine/testing/compiled";
import { answerTo, parseDocumentedCall } from "@svc/engine/testing/documented-calls";
import { describe, expect, it } from "vitest";
import { compileExamined } from "./testing/compile-examined.suite.ts";

const PAGE = readFileSync(new URL("../../../docs/POLICY.md", import.meta.url), "utf8");

/** docs/FINDINGS.md explains those, and svc-cli shows these for the modules of the page. */
const SHOWN_ELSEWHERE = { ...FINDING_CODES, ...MODULE_CODES, ...GUARDRAIL_CODES };

/** A policy of the page with what the block after it expects. */
const EXAMPLE = /^```yaml\n(.*?)^```\n(?:\n```(calls|findings)\n(.*?)^```\n)?/gms;

/** svc-cli runs the calls of a policy with a module. */
const HAS_MODULE = /^rego:\n/m;

const examples = [...PAGE.matchAll(EXAMPLE)]
  .filter(([, source = ""]) => !HAS_MODULE.test(source))
  .map(([, source = "", kind, text = ""]) => ({
    source: source.startsWith("- ") ? `id: a\ntools: {allowed: ["*"]}\nrules:\n${source}` : source,
    kind,
    lines: text.split("\n").filter((line) => line !== ""),
  }));

describe("docs/POLICY.md", () => {
  it.each(examples.filter(({ kind }) => kind === "calls"))("calls of example $#", ({ source, lines }) => {
    const policy = compiled(source);
    for (const documented of lines.map(parseDocumentedCall)) {
      const { text, expectation } = documented;
      expect(`${text} -> ${answerTo(policy, documented)}`).toBe(`${text} -> ${expectation}`);
    }
  });

  it.each(examples.filter(({ kind }) => kind !== "calls"))("findings of example $#", ({ source, lines }) => {
    const result = compileExamined(source);
    const found = result.ok ? result.warnings : result.diagnostics;
    expect(found.map(({ line, column, code }) => `${String(line)}:${String(column)} ${code}`)).toEqual(lines);
  });

  // proves POL-85
  it.each(examples.filter(({ kind }) => kind === "calls"))("example $# says what it means", ({ source }) => {
    const result = compileExamined(source);
    const found = result.ok ? result.warnings : result.diagnostics;
    expect(found.filter(({ code }) => Object.hasOwn(FINDING_CODES, code))).toEqual([]);
  });

  it("has examples of both kinds", () => {
    expect(examples.filter(({ kind }) => kind === "calls").length).toBeGreaterThan(10);
    expect(examples.filter(({ kind }) => kind === "findings").length).toBeGreaterThan(10);
  });

  it.each([...OPERATORS, ...ACTIONS, ...MASKS, ...CALL_FIELDS, ...USAGE_FIELDS, ...DETECTOR_NAMES])(
    "explains and shows %s",
    (name) => {
      expect(PAGE).toContain(`\`${name}\``);
      expect(examples.some(({ source }) => source.includes(name))).toBe(true);
    },
  );

  const codes = Object.keys(DIAGNOSTIC_CODES).filter((code) => !Object.hasOwn(SHOWN_ELSEWHERE, code));

  it.each(codes)("explains and shows %s", (code) => {
    expect(PAGE).toContain(`\`${code}\``);
    const tooLong = ["policy/too-large", "policy/too-many"].includes(code);
    expect(tooLong || examples.some(({ lines }) => lines.some((line) => line.endsWith(` ${code}`)))).toBe(
      true,
    );
  });
});
