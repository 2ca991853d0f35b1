import type { JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "./diagnostic.ts";
import { OPERATORS, operatorNamed } from "./operators/operator-table.ts";
import { policySchema, renderPolicySchema } from "./policy-schema.ts";
import { jsonTree } from "./read/json-tree.ts";
import { Reporter } from "./read/reporter.ts";
import { anyPolicy } from "./testing/generated-constructs.suite.ts";
import { policyCorpus } from "./testing/policy-corpus.suite.ts";
import { mutated } from "./testing/policy-mutations.suite.ts";
import { limitOf, SCHEMA_LIMITS } from "./testing/schema-limits.suite.ts";
import { validatePolicy } from "./validate/validate-policy.ts";

const RUNS = runs(1_000, 50_000);

// The first word of a command is a program: a tuple that goes on.
const ajv = new Ajv2020({ strictSchema: true, strictTypes: false, logger: false });
const takes = ajv.compile(policySchema());

function findingsOf(document: JsonValue): readonly Diagnostic[] {
  const reporter = new Reporter("", null);
  validatePolicy(jsonTree(document), reporter, { modules: "read" });
  return reporter.diagnostics.filter(({ severity }) => severity === "error");
}

/** Null when schema and validator agree on the shape of the document. */
function disagreement(document: JsonValue): string | null {
  const findings = findingsOf(document);
  if (takes(document)) {
    const shape = findings.find((finding) => limitOf(finding) === null);
    return shape === undefined ? null : `only the validator refuses it: ${shape.message}`;
  }
  return findings.length > 0 ? null : `only the schema refuses it: ${ajv.errorsText(takes.errors)}`;
}

const corpus = policyCorpus();
const valid = corpus.filter((document) => findingsOf(document).length === 0);

describe("the JSON Schema of a policy", () => {
  // proves POL-87
  it("is the one in policies/policy.schema.json", async () => {
    await expect(renderPolicySchema()).toMatchFileSnapshot("../../../policies/policy.schema.json");
  });

  // proves POL-88
  it("agrees with the validator on every policy of the repository", () => {
    expect(corpus.length).toBeGreaterThan(1_000);
    expect(valid.length).toBeGreaterThan(700);
    expect(corpus.length - valid.length).toBeGreaterThan(200);
    for (const document of corpus) expect([document, disagreement(document)]).toEqual([document, null]);
  });

  // proves POL-88
  it("agrees with the validator on generated policies of every construct", () => {
    fc.assert(
      fc.property(anyPolicy, (document) => disagreement(document as unknown as JsonValue) === null),
      { numRuns: RUNS / 5 },
    );
  });

  // proves POL-88
  it("agrees with the validator on mutated policies", () => {
    fc.assert(
      fc.property(mutated(valid), (document) => {
        expect(disagreement(document)).toBeNull();
      }),
      { numRuns: RUNS },
    );
  });

  // proves POL-88
  it.each<JsonValue>([
    "package p",
    " ",
    7,
    [],
    {},
    { module: "package p" },
    { module: " " },
    { data: {} },
    { module: "package p", data: { any: [1, { list: "x" }] }, workflow: "finance" },
    { module: "package p", data: [1] },
    { module: "package p", workflow: "a b" },
    { module: "package p", modul: "" },
  ])("agrees with the validator on the module %j", (rego) => {
    expect(disagreement({ id: "p", rego })).toBeNull();
  });

  it.each(SCHEMA_LIMITS)("cannot say $why", (limit) => {
    for (const document of limit.examples) {
      expect([document, takes(document)]).toEqual([document, true]);
      expect(findingsOf(document).map(limitOf)).toEqual([limit]);
    }
  });

  it.each(OPERATORS)("knows what %s takes", (name) => {
    const { validate, valueSchema, summary } = operatorNamed(name);
    expect(valueSchema === undefined).toBe(validate === undefined);
    expect(summary).toMatch(/^(?:is|holds) /);
  });

  it("describes every key", () => {
    const properties = JSON.stringify(policySchema()).match(/"properties":\{(?:"[a-z_]+":\{"description")/g);
    expect(properties?.length).toBeGreaterThan(10);
    expect(renderPolicySchema()).not.toContain('"description": ""');
  });
});
