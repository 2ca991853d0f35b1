import { readFileSync } from "node:fs";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { FINDING_CODES } from "@svc/engine/diagnostic-codes";
import { callOf, compiled } from "@svc/engine/testing/compiled";
import type { Witness } from "@svc/engine/witness";
import { describe, expect, it } from "vitest";
import { compileExamined } from "../testing/compile-examined.suite.ts";
import { FINDINGS } from "./finding-table.ts";
import { describeWitness } from "./witness/describe-witness.ts";

const PAGE = readFileSync(new URL("../../../../docs/FINDINGS.md", import.meta.url), "utf8");

/** A tempting policy, its finding, and the policy that says what was meant. */
const LINES = "(?:(?!```).*\\n)*";
const FENCE = "```";
const EXAMPLE = new RegExp(
  `^${FENCE}yaml\n(${LINES})${FENCE}\n\n${FENCE}finding\n(${LINES})${FENCE}\n` +
    `${LINES}${FENCE}yaml\n(${LINES})${FENCE}\n`,
  "gm",
);

const examples = PAGE.split(/^### /m)
  .slice(1)
  .flatMap((section) => {
    const code = section.slice(0, section.indexOf("\n"));
    return [...section.matchAll(EXAMPLE)].map(([, tempting = "", finding = "", fixed = ""]) => ({
      code,
      tempting,
      finding,
      fixed,
    }));
  });

function findingsOf(source: string): readonly Diagnostic[] {
  const result = compileExamined(source);
  return result.ok ? result.warnings : result.diagnostics;
}

function decisionOf(source: string, { call }: Witness): string {
  const { agent_id: agentId, session_id: sessionId, namespace, session, time } = call;
  const usage = { steps: session.steps, costMicroUsd: 0 };
  const who = { agentId, sessionId, namespace, usage, timeMs: Date.parse(time) };
  return compiled(source).evaluate(callOf(call.tool, call.args, who)).decision;
}

describe("docs/FINDINGS.md", () => {
  // proves POL-84
  it.each(examples)("$code: example $#", ({ code, tempting, finding, fixed }) => {
    const found = findingsOf(tempting);
    const lines = found.map((one) => {
      const shown = one.witness === null ? "no call" : describeWitness(one.witness);
      return `${String(one.line)}:${String(one.column)} ${one.code}\n${shown}\n`;
    });
    expect(lines.join("")).toBe(finding);
    const [first] = found;
    expect(first?.code).toBe(code);
    const witness = first?.witness ?? null;
    if (witness === null) throw new Error("a finding of this page has a witness");
    expect(decisionOf(tempting, witness)).toBe(witness.decision);

    expect(findingsOf(fixed)).toEqual([]);
    const passes = witness.decision === "allow";
    expect(decisionOf(fixed, witness) === "allow").toBe(!passes);
  });

  it("has a section for each code, and a check for each section", () => {
    const codes = Object.keys(FINDING_CODES).toSorted();
    expect([...new Set(examples.map(({ code }) => code))].toSorted()).toEqual(codes);
    expect(FINDINGS.map(({ code }) => code).toSorted()).toEqual(codes);
  });
});
