import { evaluatorInput } from "@svc/engine/evaluator-input";
import { callOf } from "@svc/engine/testing/compiled";
import { INPUT_SCHEMA } from "@svc/rego/input-schema";
import type { JsonValue } from "@svc/text/json-value";
import { expect, it } from "vitest";

interface Schema {
  readonly type: string;
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** What fits the schema and leaves nothing of it out, as paths with their types. */
function pathsOf(schema: Schema, path: string): readonly string[] {
  if (schema.properties === undefined) return [`${path}: ${schema.type}`];
  expect([path, schema.additionalProperties]).toEqual([path, false]);
  return Object.entries(schema.properties).flatMap(([name, inner]) => pathsOf(inner, `${path}.${name}`));
}

function pathsIn(value: JsonValue, path: string): readonly string[] {
  if (path === "input.args" || typeof value !== "object" || value === null)
    return [`${path}: ${typeof value}`];
  return Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, `${path}.${name}`));
}

it("the schema that modules are checked against is the input that gateways give them", () => {
  const call = callOf("t", { any: [1] }, { usage: { steps: 1, costMicroUsd: 1_500_000 } });
  const input = JSON.parse(evaluatorInput(call)) as JsonValue;
  expect(pathsIn(input, "input").toSorted()).toEqual(pathsOf(INPUT_SCHEMA, "input").toSorted());
});
