import type { Diagnostic } from "@svc/engine/diagnostic";
import { DIAGNOSTIC_CODES, FINDING_CODES, GUARDRAIL_CODES, MODULE_CODES } from "@svc/engine/diagnostic-codes";
import { callOf, compiled } from "@svc/engine/testing/compiled";
import { dataFile, dataFiles } from "@svc/engine/testing/data-files";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { compileExamined } from "./testing/compile-examined.suite.ts";

interface Mistake {
  readonly why: string;
  readonly code: string;
  /** As the finding says it. */
  readonly fix: string;
  /** Codes that the same mistake is reported under as well. */
  readonly others?: readonly string[];
  readonly broken: string;
  /** The document after somebody did what the fix says. */
  readonly followed: string;
  /** What shows that the document says what its author meant. */
  readonly calls: readonly Call[];
}

interface Call {
  readonly tool: string;
  readonly args: JsonObject;
  readonly want: string;
  /** A part of the evaluation: rewritten arguments, or a reason code. */
  readonly shows?: string;
}

/** Held against the fixed policies of docs/FINDINGS.md, and against modules, by tests of their own. */
const SHOWN_ELSEWHERE = { ...FINDING_CODES, ...MODULE_CODES, ...GUARDRAIL_CODES };

const mistakes = dataFiles("fixes").flatMap(({ name }) => dataFile<Mistake[]>(`fixes/${name}`));

/** `{{x x3}}` stands for xxx: some mistakes are too long for a file. */
function written(text: string): string {
  return text.replaceAll(/\{\{(.+?) x([0-9]+)\}\}/g, (_, piece: string, count: string) =>
    piece.repeat(Number(count)),
  );
}

function findingsOf(source: string): readonly Diagnostic[] {
  const result = compileExamined(written(source));
  return result.ok ? result.warnings : result.diagnostics;
}

describe("the fix of a finding", () => {
  // proves POL-48
  it.each(mistakes)("$code: $why", ({ code, fix, others = [], broken, followed, calls }) => {
    const findings = findingsOf(broken);
    expect(findings.map((finding) => finding.code).toSorted()).toEqual([code, ...others].toSorted());
    expect(findings.find((finding) => finding.code === code)?.fix).toBe(fix);

    expect(findingsOf(followed).map((finding) => finding.code)).toEqual([]);
    const policy = compiled(followed);
    for (const { tool, args, want, shows = "" } of calls) {
      const call = callOf(tool, args, shows === "session_required" ? { sessionId: null } : {});
      const evaluation = policy.evaluate(call);
      expect([tool, args, evaluation.decision]).toEqual([tool, args, want]);
      expect(JSON.stringify(evaluation)).toContain(shows);
    }
  });

  // proves POL-48
  it("is held against the resulting document for every code", () => {
    const covered = new Set(mistakes.map(({ code }) => code));
    const wanted = Object.keys(DIAGNOSTIC_CODES).filter((code) => !Object.hasOwn(SHOWN_ELSEWHERE, code));
    expect(wanted.filter((code) => !covered.has(code))).toEqual([]);
    for (const { why, calls } of mistakes) expect([why, calls.length]).not.toEqual([why, 0]);
  });
});
