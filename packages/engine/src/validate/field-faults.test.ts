import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../diagnostic.ts";
import { compilePolicy } from "../testing/compile-policy.ts";
import { dataFile } from "../testing/data-files.suite.ts";

interface FaultCase {
  text: string;
  /** Absent where the text is right. */
  rewrite?: string;
  field: string;
}

/** Every place where a document names a field, as a rule that names it there. */
const PLACES: readonly {
  readonly place: string;
  readonly wildcards: boolean;
  readonly rule: (field: string) => JsonObject;
}[] = [
  { place: "condition", wildcards: false, rule: (field) => deny({ condition: exists(field) }) },
  { place: "all", wildcards: false, rule: (field) => deny({ all: [exists("tool"), exists(field)] }) },
  { place: "any", wildcards: false, rule: (field) => deny({ any: [exists(field)] }) },
  { place: "redact.fields", wildcards: true, rule: (field) => redact({ fields: ["args.z", field] }) },
  { place: "constrain.remove", wildcards: true, rule: (field) => constrain({ remove: [field] }) },
  { place: "constrain.set", wildcards: false, rule: (field) => constrain({ set: { [field]: 1 } }) },
  { place: "constrain.min", wildcards: false, rule: (field) => constrain({ min: { [field]: 1 } }) },
  { place: "constrain.max", wildcards: false, rule: (field) => constrain({ max: { [field]: 1 } }) },
];

const exists = (field: string): JsonObject => ({ field, operator: "exists" });
const deny = (match: JsonObject): JsonObject => ({ match, action: "deny" });
const redact = (parameters: JsonObject): JsonObject => ({
  match: { tool: "*" },
  action: "redact",
  redact: parameters,
});
const constrain = (parameters: JsonObject): JsonObject => ({
  match: { tool: "*" },
  action: "constrain",
  constrain: parameters,
});

function findings(rule: JsonObject): readonly Diagnostic[] {
  const document = { id: "p", tools: { allowed: ["*"] }, rules: [{ id: "r", ...rule }] };
  const result = compilePolicy(JSON.stringify(document));
  return result.ok ? result.warnings : result.diagnostics;
}

const cases = dataFile<FaultCase[]>("field-faults.yaml").flatMap((one) =>
  PLACES.map((place) => ({ ...one, ...place, wanted: place.wildcards ? one.rewrite : one.field })),
);

describe("fields that a document names", () => {
  // proves POL-51
  it.each(cases)("$text in $place", ({ text, rule, wanted }) => {
    const found = findings(rule(text));
    if (wanted === undefined) {
      expect(found).toEqual([]);
      return;
    }
    expect(found.map(({ code }) => code)).toEqual(["policy/invalid-field"]);
    const fix = found[0]?.fix ?? "";
    expect(fix).toContain(wanted);
    // A fix that names a path is right: the document that follows it is accepted.
    if (wanted.startsWith("args.")) expect(findings(rule(wanted))).toEqual([]);
  });

  it.each([
    ["session.foo", "write session_id, session.steps or session.cost_usd"],
    ["sesion.steps", "did you mean session.steps?"],
    ["agent", "did you mean agent_id?"],
    ["session", "did you mean session_id?"],
  ])("%s in a condition: %s", (text, fix) => {
    const found = findings(deny({ condition: exists(text) }));
    expect(found.map((finding) => finding.fix)).toEqual([fix]);
  });

  it("two rewrites of one rule must not meet, wildcards included", () => {
    const set = { "args.a.b": 1 };
    for (const remove of ["args.a.*", "args.*.b", "args.*", "args.**.b"])
      expect(findings(constrain({ set, remove: [remove] })).map(({ code }) => code)).toEqual([
        "policy/overlapping-fields",
      ]);
    expect(findings(constrain({ set, remove: ["args.c.*"] }))).toEqual([]);
  });
});
