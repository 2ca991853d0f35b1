import type { JsonObject } from "@svc/text/json-value";
import type { Field } from "../condition.ts";
import type { Operator } from "../operators/operator.ts";
import { OPERATORS, operatorNamed } from "../operators/operator-table.ts";
import type { Compared } from "./expect-value.ts";
import { type JsonSchema, memberIs, when } from "./json-schema.ts";

/** What a condition looks at, as far as operators tell it apart. `count` is a number of elements. */
export interface TestedKind {
  readonly judged: Field["kind"];
  readonly compared: Compared;
  /** Whether `value_field` can stand in place of `value`. */
  readonly pairs: boolean;
}

const ALL_KEYS: readonly string[] = [
  ...new Set(OPERATORS.flatMap((name) => Object.keys(operatorNamed(name).keys ?? {}))),
];

/** What `validateTest` takes: the operators that judge such a field, and what each takes. */
export function testSchema(kind: TestedKind): JsonObject {
  const operators = OPERATORS.map(operatorNamed).filter(({ judges }) => judges.includes(kind.judged));
  return {
    required: ["operator"],
    properties: { operator: { enum: operators.map(({ name }) => name) } },
    allOf: operators.map((operator) =>
      when(memberIs("operator", operator.name), operatorSchema(operator, kind)),
    ),
  };
}

function operatorSchema(operator: Operator, { compared, pairs }: TestedKind): JsonObject {
  const { summary, valueSchema, canIgnoreCase, compileAgainst, keys = {}, relations = {} } = operator;
  const canPair = pairs && compileAgainst !== undefined;
  const others = ALL_KEYS.filter((key) => !Object.hasOwn(keys, key)).map((key) => [key, false] as const);
  const properties: Record<string, JsonSchema> = {
    operator: { description: `The field ${summary}.` },
    value: valueSchema?.(compared) ?? false,
    ...(canPair ? {} : { value_field: false }),
    ...(canIgnoreCase === true ? {} : { ignore_case: { const: false } }),
    ...keys,
    ...Object.fromEntries(others),
  };
  if (valueSchema === undefined) return { properties };
  if (!canPair) return { properties, required: ["value"], ...relations };
  const unread = Object.fromEntries(Object.keys(keys).map((key) => [key, false] as const));
  return {
    properties,
    oneOf: [{ required: ["value"] }, { required: ["value_field"] }],
    allOf: [when({ required: ["value_field"] }, { properties: unread })],
    ...relations,
  };
}
