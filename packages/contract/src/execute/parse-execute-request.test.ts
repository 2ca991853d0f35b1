import type { JsonObject } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { runs } from "@svc/text/testing/runs";
import { strictValue } from "@svc/text/testing/strict-value-suite";
import { trappedObject } from "@svc/text/testing/trapped-object";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_PROBLEM_ENTRIES } from "../limits.ts";
import type { ExecuteRequest } from "./execute-request.ts";
import { parseExecuteRequest } from "./parse-execute-request.ts";

interface Vector {
  readonly description: string;
  readonly text: string;
  readonly request?: ExecuteRequest;
  readonly pointers?: readonly string[];
}

describe("execute requests", () => {
  // proves EXEC-02, EXEC-03, EXEC-04, EXEC-14
  it.each(loadVectors<Vector>("execute-request"))("$description", ({ text, request, pointers }) => {
    const parsed = parseExecuteRequest(strictValue(text));
    if (parsed.ok) expect(JSON.parse(JSON.stringify(parsed.value))).toEqual(request);
    else expect(parsed.errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it("says what was expected and what came, with look-alikes made visible", () => {
    const parsed = parseExecuteRequest(strictValue('{"agent_id":7,"tool":"p\u0430yments"}'));
    expect(parsed.ok ? [] : parsed.errors).toEqual([
      { pointer: "/agent_id", expected: expect.stringContaining("1 to 256 bytes"), found: "the number 7" },
      {
        pointer: "/tool",
        expected: expect.any(String),
        found: 'the string "p\\u0430yments"',
        fix: "one word has U+0070 (Latin) and U+0430 (Cyrillic): write each word with letters of one script",
      },
    ]);
  });

  it.each([
    ["agent", "agent_id"],
    ["session", "session_id"],
    ["cost", "cost_usd"],
    ["arguments", "args"],
    ["tool_name", "tool"],
    ["Tool", "tool"],
    ["namspace", "namespace"],
  ])("an unknown field %s: did you mean %s?", (field, meant) => {
    const parsed = parseExecuteRequest(strictValue(`{"agent_id":"a","tool":"t","${field}":"x"}`));
    expect(parsed.ok ? [] : parsed.errors).toMatchObject([
      { pointer: `/${field}`, fix: `did you mean ${meant}?` },
    ]);
  });

  it("an unknown field that is like none is answered with the fields", () => {
    const parsed = parseExecuteRequest(strictValue('{"agent_id":"a","tool":"t","trace":"x","id":"y"}'));
    const fix = "the fields are agent_id, tool, args, session_id, namespace, cost_usd";
    expect(parsed.ok ? [] : parsed.errors.map((entry) => entry.fix)).toEqual([fix, fix]);
  });

  it("answers a body of many faults with the first of them only", () => {
    const fields = Array.from({ length: 1_000 }, (_, index) => `"x${String(index)}":1`);
    const parsed = parseExecuteRequest(strictValue(`{${fields.join(",")}}`));
    expect(parsed.ok ? [] : parsed.errors).toHaveLength(MAX_PROBLEM_ENTRIES);
  });

  it("E1: reads no field from a prototype", () => {
    const inherited = Object.create(null) as JsonObject;
    const body = Object.assign(Object.create(null) as Record<string, unknown>, { agent_id: "a" });
    expect(parseExecuteRequest(body as JsonObject).ok).toBe(false);
    expect(parseExecuteRequest(inherited).ok).toBe(false);
    const whole = { agent_id: "a", tool: "t", args: { x: 1 } };
    expect(parseExecuteRequest(trappedObject(whole)).ok).toBe(true);
    expect(parseExecuteRequest(Object.create(whole) as JsonObject).ok).toBe(false);
  });
});

/** The ways in which careless readers pick one of several like-named members. */
const MODELS: readonly ((
  members: readonly (readonly [string, string])[],
  field: string,
) => string | undefined)[] = [
  (members, field) => members.find(([key]) => key === field)?.[1],
  (members, field) => members.findLast(([key]) => key === field)?.[1],
  (members, field) => members.findLast(([key]) => folded(key) === folded(field))?.[1],
  (members, field) => members.find(([key]) => key.split("\0")[0] === field)?.[1],
  (members, field) => members.findLast(([key]) => key.trim() === field)?.[1],
];

const folded = (key: string): string => key.normalize("NFKC").toLowerCase().replaceAll("\u017f", "s");

describe("E3: every way of reading an accepted body yields the same request", () => {
  const fields = ["agent_id", "tool", "session_id", "namespace"] as const;
  const spellings = (field: string): readonly string[] => [
    field,
    field,
    field,
    field.toUpperCase(),
    `${field}\0`,
    `${field} `,
    `${field}\0x`,
    field.replace("s", "\u017f"),
    field.replace("_", "\uff3f"),
  ];
  const member = fc.tuple(fc.constantFrom(...fields.flatMap(spellings)), fc.constantFrom("a", "b", "c"));

  it("with repeated and look-alike keys thrown in", () => {
    let accepted = 0;
    const base = [
      ["agent_id", "a"],
      ["tool", "t"],
    ] as const;
    const bodies = fc
      .array(member, { maxLength: 2 })
      .chain((extra) => fc.shuffledSubarray([...base, ...extra], { minLength: 2 }));
    fc.assert(
      fc.property(bodies, (members) => {
        const text = `{${members.map(([key, value]) => `${JSON.stringify(key)}:"${value}"`).join(",")}}`;
        const json = parseStrictJsonText(text);
        const parsed = json.ok ? parseExecuteRequest(json.value) : null;
        if (parsed?.ok !== true) return;
        accepted += 1;
        for (const field of fields) {
          const readings = MODELS.map((model) => model(members, field) ?? null);
          expect(new Set(readings)).toEqual(new Set([parsed.value[field]]));
        }
      }),
      { numRuns: runs(5_000, 50_000) },
    );
    expect(accepted).toBeGreaterThan(500);
  });
});
