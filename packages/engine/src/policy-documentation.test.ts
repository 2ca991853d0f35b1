import { readFileSync } from "node:fs";
import type { JsonObject } from "@svc/contract/json-value";
import { formatUsd, parseUsd } from "@svc/contract/usd";
import { describe, expect, it } from "vitest";
import { compilePolicy } from "./compile-policy.ts";
import { CALL_FIELDS, USAGE_FIELDS } from "./condition.ts";
import { DETECTOR_NAMES } from "./detectors/detector.ts";
import { DIAGNOSTIC_CODES } from "./diagnostic-codes.ts";
import type { Evaluation } from "./evaluation.ts";
import { OPERATORS } from "./operators/operator-table.ts";
import { ACTIONS, MASKS } from "./policy-document.ts";
import { callOf, compiled } from "./testing/compiled.suite.ts";

const PAGE = readFileSync(new URL("../../../docs/POLICY.md", import.meta.url), "utf8");

/** A policy of the page with what the block after it expects. */
const EXAMPLE = /^```yaml\n(.*?)^```\n(?:\n```(calls|findings)\n(.*?)^```\n)?/gms;

/** `tool {args} [without a session | after N steps and N USD] [at <time>] -> expectation` */
const CALL =
  /^(\S+) (\{.*\})( without a session)?(?: after (\d+) steps and ([\d.]+) USD)?(?: at (\S+Z))? +-> (.*)$/;

const examples = [...PAGE.matchAll(EXAMPLE)].map(([, source = "", kind, text = ""]) => ({
  source: source.startsWith("- ") ? `id: a\ntools: {allowed: ["*"]}\nrules:\n${source}` : source,
  kind,
  lines: text.split("\n").filter((line) => line !== ""),
}));

/** As the page writes it: decision, reason code, rule, rewritten arguments, cost. */
function described({ decision, reasonCode, ruleId, shapedArgs, costMicroUsd }: Evaluation): string {
  const shaped = shapedArgs === null ? null : JSON.stringify(shapedArgs);
  const words = [decision, reasonCode, ruleId, shaped].filter((word) => word !== null);
  return words.join(" ") + (costMicroUsd === 0 ? "" : `, costs ${formatUsd(costMicroUsd)} USD`);
}

/** Rewritten arguments are compared as JSON, however the page spaces them. */
function normalised(expectation: string): string {
  return expectation.replace(/\{.*\}/, (json) => JSON.stringify(JSON.parse(json)));
}

describe("docs/POLICY.md", () => {
  it.each(examples.filter(({ kind }) => kind === "calls"))("calls of example $#", ({ source, lines }) => {
    const policy = compiled(source);
    for (const line of lines) {
      const [, tool = "", args = "", sessionless, steps = "0", usd = "0", time, expectation = ""] =
        CALL.exec(line) ?? [];
      const usage = { steps: Number(steps), costMicroUsd: parseUsd(usd) ?? 0 };
      const session = sessionless === undefined ? "doc-session" : null;
      const timeMs = Date.parse(time ?? "2026-06-01T12:00:00Z");
      const who = { agentId: "doc-agent", sessionId: session, usage, timeMs };
      const evaluation = policy.evaluate(callOf(tool, JSON.parse(args) as JsonObject, who));
      expect(`${tool} ${args} -> ${described(evaluation)}`).toBe(
        `${tool} ${args} -> ${normalised(expectation)}`,
      );
    }
  });

  it.each(examples.filter(({ kind }) => kind !== "calls"))("findings of example $#", ({ source, lines }) => {
    const result = compilePolicy(source);
    const found = result.ok ? result.warnings : result.diagnostics;
    expect(found.map(({ line, column, code }) => `${String(line)}:${String(column)} ${code}`)).toEqual(lines);
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

  it.each(Object.keys(DIAGNOSTIC_CODES))("explains and shows %s", (code) => {
    expect(PAGE).toContain(`\`${code}\``);
    const tooLong = ["policy/too-large", "policy/too-many"].includes(code);
    expect(tooLong || examples.some(({ lines }) => lines.some((line) => line.endsWith(` ${code}`)))).toBe(
      true,
    );
  });
});
