import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { MAX_TEXT_WORK } from "./evaluate/text-work.ts";
import { compilePolicy } from "./testing/compile-policy.ts";
import { callOf, compiled } from "./testing/compiled.suite.ts";
import { dataFile } from "./testing/data-files.suite.ts";
import { matchesEmptyText } from "./validate/matches-empty-text.ts";
import { PatternBudget } from "./validate/pattern-budget.ts";

interface Refused {
  readonly why: string;
  readonly detectors: JsonValue;
  readonly finding: string;
}

interface Redacted {
  readonly why: string;
  readonly redact: JsonObject;
  readonly args: JsonObject;
  readonly shaped: JsonObject;
  readonly row: JsonObject;
}

const { refused, redacted, empty, filled } = dataFile<{
  readonly refused: readonly Refused[];
  readonly redacted: readonly Redacted[];
  readonly empty: readonly string[];
  readonly filled: readonly string[];
}>("own-detectors.yaml");

const DETECTORS = { chk: { matches: "CHK-[0-9]+" }, pin: { matches: ["[0-9]{4}", "PIN"] } };

function redacting(redact: JsonObject, detectors: JsonObject = DETECTORS) {
  const rules = [{ id: "r", match: { tool: "*" }, action: "redact", redact }];
  return compiled({ id: "p", tools: { allowed: ["*"] }, detectors, rules });
}

describe("own detectors", () => {
  // proves POL-89
  it.each(refused)("are refused: $why", ({ detectors, finding }) => {
    const result = compilePolicy(JSON.stringify({ id: "p", detectors }));
    const found = result.ok ? [] : result.diagnostics.map(({ code, message }) => `${code} ${message}`);
    expect(found).toEqual([finding]);
  });

  // proves POL-89
  it.each(redacted)("are replaced by a marker with their name: $why", ({ redact, args, shaped, row }) => {
    const policy = redacting(redact);
    expect(policy.evaluate(callOf("t", args)).shapedArgs).toEqual(shaped);
    expect(policy.maskRow?.(callOf("t", args))).toEqual(row);
  });

  it.each(empty)("never match the empty text: %s", (pattern) => {
    expect(matchesEmptyText(pattern, new PatternBudget())).toBe(true);
  });

  it.each(filled)("match at least one character: %s", (pattern) => {
    expect(matchesEmptyText(pattern, new PatternBudget())).toBe(false);
  });

  it("name the unknown detector and the nearest one", () => {
    const rules = [{ id: "r", match: { tool: "*" }, action: "redact", redact: { detectors: "chek" } }];
    const result = compilePolicy(JSON.stringify({ id: "p", detectors: { check: { matches: "x" } }, rules }));
    expect(result.ok ? null : result.diagnostics[0]?.fix).toBe("did you mean check?");
  });

  // proves POL-89
  it("restrict with every text that cannot be searched with the work of one call", () => {
    // Each search for the next finding reads all that is left.
    const detectors = { slow: { matches: "(?s)a.*b|a" } };
    const args = { x: "a".repeat(200_000) };
    const redaction = redacting({ detectors: "slow" }, detectors);
    expect(redaction.evaluate(callOf("t", args))).toMatchObject({
      decision: "deny",
      reasonCode: "constraint_unsatisfiable",
    });
    expect(JSON.stringify(redaction.maskRow?.(callOf("t", args)))).not.toContain("aaa");

    const large = { vast: { matches: `(?:${"[a-y]{1,900}".repeat(4)})z` } };
    const condition = { field: "args.x", operator: "detects", value: "vast" };
    const rules = [{ id: "r", match: { condition }, action: "deny" }];
    const policy = compiled({ id: "p", tools: { allowed: ["*"] }, detectors: large, rules });
    expect(policy.evaluate(callOf("t", { x: "q" })).decision).toBe("allow");
    const long = callOf("t", { x: "q".repeat(MAX_TEXT_WORK / 3_600) });
    expect(policy.evaluate(long)).toMatchObject({ decision: "deny", ruleId: "r" });
  });
});
