// long: it searches the longest arguments with the costliest patterns

import { MAX_RULES_PER_POLICY } from "@svc/contract/limits";
import type { JsonObject } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { describe, expect, it } from "vitest";
import { DETECTOR_NAMES } from "../detectors/detector.ts";
import { callOf, compiled } from "../testing/compiled.suite.ts";
import { threadMs, timed } from "../testing/thread-time.suite.ts";

/** Patterns and texts that take backtracking engines exponential or quadratic time. */
const HOSTILE: readonly (readonly [pattern: string, unit: string])[] = [
  ["(a*)*b", "a"],
  ["(a|aa)+$", "ab"],
  ["(x+x+)+y", "x"],
  [".*.*=.*", "x"],
  ["([a-z]+)*[0-9]", "abc"],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a"],
  ["(a|a?)+b", "a"],
  ["(.*)*#", "ab"],
  ["(?i)drop\\s+table\\s+\\w+;", "drop  tabl "],
  ["[ab]*a[ab]{60}[cd]", "abbab"],
  ["(a?){30}a{30}b", "a"],
];

const SCANNER_PATTERNS: readonly (readonly [pattern: string, secret: string])[] = [
  [
    String.raw`(?i)[\w.-]{0,50}?(?:access|auth|(?-i:[Aa]pi|API)|credential|creds|key|passw(?:or)?d|secret|token)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([\w.=-]{10,150}|[a-z0-9][a-z0-9+/]{11,}={0,3})(?:[\x60'"\s;]|\\[nr]|$)`,
    "api_key = a1b2c3d4e5f6a7b8c9",
  ],
  [String.raw`\b((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b`, "AKIAIOSFODNN7EXAMPLE"],
  [String.raw`github_pat_\w{82}`, `github_pat_${"a".repeat(82)}`],
  [
    String.raw`(?i)-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----[\s\S-]{64,}?KEY(?: BLOCK)?-----`,
    `-----BEGIN PRIVATE KEY-----${"a".repeat(64)}KEY-----`,
  ],
];

/** Milliseconds of processor time: some 0.5 s at worst, where a backtracking search takes minutes. */
const MAX_MS = 15_000;

function textOf(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** Characters of no regular order: the states of a pattern cannot be remembered for them. */
function unorderedText(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state & 0x10000) === 0 ? "a" : "b";
  }).join("");
}

function rulesOf(count: number, operator: string, value: string, action = "deny"): JsonObject {
  const condition = { field: "args.x", operator, value };
  return {
    id: "p",
    tools: { allowed: action === "allow" ? [] : ["*"] },
    rules: Array.from({ length: count }, (_, at) => ({ id: `r${String(at)}`, match: { condition }, action })),
  };
}

describe("searching texts", () => {
  // proves POL-28
  it.each(HOSTILE)("%s over 256 KiB of %s", (pattern, unit) => {
    for (const operator of ["matches", "matches_all"]) {
      const policy = compiled(rulesOf(1, operator, pattern));
      const args = { x: textOf(unit, MAX_BODY_BYTES) };
      expect(threadMs(() => policy.evaluate(callOf("t", args)))).toBeLessThan(MAX_MS);
    }
  });

  const ends = Array.from({ length: 8 }, (_, at) => `[${String(at)}ab]{990}z`).join("|");
  // proves POL-28
  it.each([
    ["[ab]*a[ab]{60}[cd]", 256 * 1_024],
    ["[ab]*a[ab]{990}[cd]", 50_000],
    [`[ab]*a[ab]{990}[cd]|${ends}`, 5_500],
  ])("%s over as much text as it may search: %i characters", (pattern, length) => {
    for (const operator of ["matches", "matches_all"]) {
      const policy = compiled(rulesOf(1, operator, pattern));
      const searched = timed(() => policy.evaluate(callOf("t", { x: unorderedText(length) })));
      expect(searched.value.decision).toBe("allow");
      expect(searched.ms).toBeLessThan(MAX_MS);
      const tooLong = callOf("t", { x: unorderedText(length + 10_000) });
      const { reason } = policy.evaluate(tooLong);
      expect(length === MAX_BODY_BYTES || reason?.includes("too long")).toBe(true);
    }
  });

  it.each(SCANNER_PATTERNS)("takes %s, as secret scanners have it", (pattern, secret) => {
    const policy = compiled(rulesOf(1, "matches", pattern));
    expect(policy.evaluate(callOf("t", { x: `it is ${secret} ` })).decision).toBe("deny");
    expect(policy.evaluate(callOf("t", { x: textOf("nothing of it ", 50_000) })).decision).toBe("allow");
  });

  // proves POL-46
  it.each([
    ["matches", "[ab]*a[ab]{60}[cd]"],
    ["path_within", "srv"],
  ])(
    "ends %s of a thousand rules after a fixed amount, and what is not searched restricts",
    (operator, value) => {
      const policy = compiled(rulesOf(MAX_RULES_PER_POLICY, operator, value));
      const call = callOf("t", { x: unorderedText(MAX_BODY_BYTES) });
      const { value: evaluation, ms } = timed(() => policy.evaluate(call));
      expect(ms).toBeLessThan(MAX_MS);
      expect(evaluation).toMatchObject({ decision: "deny", reasonCode: "rule" });
      expect(evaluation.reason).toMatch(
        /^the rule r\d+ denies this call: args\.x is too long to be searched .* a match for a deny rule$/,
      );
      // Work is counted, not time: the same call ends at the same rule.
      expect(policy.evaluate(call)).toEqual(evaluation);
    },
  );

  // proves POL-46
  it.each([
    ["numbers", Array.from({ length: 120_000 }, () => 1)],
    ["empty names", Array.from({ length: 60_000 }, () => ({ "": 1 }))],
  ])("visits no more values of all arguments than the work allows: %s", (_, x) => {
    for (const operator of ["contains", "matches", "detects", "host_within", "path_named"]) {
      const value = operator === "detects" ? "pii.iban" : "secret.example";
      const rules = Array.from({ length: 100 }, (_rule, at) => ({
        id: `r${String(at)}`,
        match: { condition: { field: "args", operator, value } },
        action: "require_approval",
      }));
      const policy = compiled({ id: "p", tools: { allowed: ["*"] }, rules });
      const { value: found, ms } = timed(() => policy.evaluate(callOf("t", { x })));
      expect(found.reason).toContain("is too long to be searched");
      expect(ms).toBeLessThan(MAX_MS);
    }
  });

  // proves POL-46
  it.each([
    ["path_named", ".env", 5],
    ["host_within", "evil.example", 11],
  ])("reads the longest text for %s of %s %i times", (operator, value, times) => {
    const policy = compiled(rulesOf(MAX_RULES_PER_POLICY, operator, value));
    const call = callOf("t", { x: `https://a.example/${unorderedText(MAX_BODY_BYTES)}` });
    expect(policy.evaluate(call)).toMatchObject({ decision: "deny", ruleId: `r${String(times)}` });
  });

  // proves POL-46
  it("never lets a text that is not searched permit anything", () => {
    const call = callOf("t", { x: textOf("b", MAX_BODY_BYTES) });
    const policy = rulesOf(1, "matches", "b{150}", "allow");
    expect(compiled(policy).evaluate(call).decision).toBe("allow");
    const condition = { field: "args.x", operator: "matches", value: "c{150}" };
    const first = { id: "first", priority: 1, match: { condition }, action: "allow" };
    const rules = [first, ...(policy["rules"] as JsonObject[])];
    expect(compiled({ ...policy, rules }).evaluate(call)).toMatchObject({
      decision: "deny",
      reasonCode: "not_allowed",
    });
  });

  // proves POL-46
  it("ends detectors of a thousand rules after a fixed amount", () => {
    const policy = compiled(rulesOf(MAX_RULES_PER_POLICY, "detects", "pii.iban"));
    const call = callOf("t", { x: textOf("de12 ", MAX_BODY_BYTES) });
    const { value: evaluation, ms } = timed(() => policy.evaluate(call));
    expect(ms).toBeLessThan(MAX_MS);
    expect(evaluation).toMatchObject({ decision: "deny", reasonCode: "rule" });
    expect(evaluation.reason).toContain("args.x is too long to be searched");
    expect(policy.evaluate(call)).toEqual(evaluation);
    const allowing = compiled(rulesOf(MAX_RULES_PER_POLICY, "detects", "pii.iban", "allow"));
    expect(allowing.evaluate(call)).toMatchObject({ decision: "deny", reasonCode: "not_allowed" });
  });

  // proves POL-46
  it.each([
    { redact: { detectors: [...DETECTOR_NAMES] } },
    { redact: { fields: ["args.**.secret"], mask: "remove" } },
  ])("denies what %j could not reach", ({ redact }) => {
    const rules = Array.from({ length: 100 }, (_, at) => ({
      id: `r${String(at)}`,
      match: { tool: "*" },
      action: "redact",
      redact,
    }));
    const policy = compiled({ id: "p", tools: { allowed: ["*"] }, rules });
    const long = callOf("t", {
      x: textOf("de12 ", MAX_BODY_BYTES),
      y: Array.from({ length: 60_000 }, () => []),
    });
    expect(policy.evaluate(long)).toMatchObject({ decision: "deny", reasonCode: "constraint_unsatisfiable" });
    const short = callOf("t", { x: textOf("de12 ", 1_000), y: Array.from({ length: 100 }, () => []) });
    expect(policy.evaluate(short)).toMatchObject({ decision: "allow" });
  });

  it("searches the longest arguments with every detector twice", () => {
    const condition = { field: "args.x", operator: "detects", value: [...DETECTOR_NAMES] };
    const redact = { detectors: [...DETECTOR_NAMES] };
    const rules = [
      { id: "found", match: { condition }, action: "deny" },
      { id: "hidden", match: { tool: "*" }, action: "redact", redact },
    ];
    const policy = compiled({ id: "p", tools: { allowed: ["*"] }, rules });
    const call = callOf("t", { x: textOf("nothing of the kind ", MAX_BODY_BYTES) });
    expect(policy.evaluate(call)).toMatchObject({ decision: "allow" });
  });

  it("does not touch calls of ordinary size", () => {
    const policy = compiled(rulesOf(100, "matches", "(?i)drop\\s+table"));
    expect(policy.evaluate(callOf("t", { x: textOf("select 1; ", 16_384) })).decision).toBe("allow");
  });
});
