import type { JsonObject } from "@svc/text/json-value";
import { CALL_FIELDS, QUANTIFIERS, USAGE_FIELDS } from "../condition.ts";
import { textDefinition } from "./definitions.ts";
import { ALL_ARGUMENTS, MAX_FIELDS, TIME } from "./expect-subject.ts";
import { namesSchema } from "./explain-name.ts";
import { filledListSchema, memberIs, placeSchema, valuesSchema, when } from "./json-schema.ts";
import { keysOf } from "./places.ts";
import { type TestedKind, testSchema } from "./test-schema.ts";
import { type GroupKey, MAX_CONDITIONS, MAX_NESTING } from "./validate-condition.ts";
import { NULL_LIST, WHEN_MISSING_LIST } from "./validate-question.ts";

const [STEPS, COST_USD] = USAGE_FIELDS;
const TEXT_FIELD = { enum: CALL_FIELDS } as const;

/** What each kind of test is asked about. */
const KINDS = {
  argument: { judged: "args", compared: "anything", pairs: true },
  anywhere: { judged: "anywhere", compared: "anything", pairs: false },
  call: { judged: "call", compared: "text", pairs: true },
  steps: { judged: "usage", compared: "number", pairs: false },
  cost: { judged: "usage", compared: "usd", pairs: false },
  count: { judged: "usage", compared: "count", pairs: false },
  time: { judged: "time", compared: "anything", pairs: false },
} as const satisfies Readonly<Record<string, TestedKind>>;

const KIND_OF_FIELD: readonly (readonly [JsonObject, keyof typeof KINDS])[] = [
  [{ required: ["field"], properties: { field: { pattern: "^args[.]" } } }, "argument"],
  [memberIs("field", ALL_ARGUMENTS), "anywhere"],
  [{ required: ["field"], properties: { field: TEXT_FIELD } }, "call"],
  [memberIs("field", STEPS), "steps"],
  [memberIs("field", COST_USD), "cost"],
  [memberIs("field", TIME), "time"],
];

const FIELD: JsonObject = {
  anyOf: [textDefinition("field_path"), { enum: [ALL_ARGUMENTS, ...CALL_FIELDS, ...USAGE_FIELDS, TIME] }],
};

/** What an operator asks: the keys of a condition and of what is asked of elements alike. */
const ASKED = {
  operator: { type: "string" },
  value: {},
  value_field: { anyOf: [textDefinition("field_path"), TEXT_FIELD] },
  ignore_case: { type: "boolean" },
  schemes: {},
  scheme: {},
  ports: {},
  base: {},
  base_field: {},
  redirect: {},
  variables: {},
  options: {},
} as const;

/** One condition that asks something of a field. */
function questionSchema(): JsonObject {
  const inner = Object.fromEntries(keysOf("element").map((key) => [key, false] as const));
  return placeSchema(
    "condition",
    {
      ...ASKED,
      field: { type: "string" },
      fields: valuesSchema(textDefinition("element_place"), MAX_FIELDS),
      when_missing: namesSchema(WHEN_MISSING_LIST),
      null: namesSchema(NULL_LIST),
      every: definition("element"),
      any: definition("element"),
      count: definition("count"),
    },
    when(
      { anyOf: QUANTIFIERS.map((key) => ({ required: [key] })) },
      {
        properties: { ...inner, field: textDefinition("element_place") },
        allOf: [{ oneOf: QUANTIFIERS.map((key) => ({ required: [key] })) }],
        oneOf: [{ required: ["field"] }, { required: ["fields"] }],
      },
      {
        required: ["field", "operator"],
        properties: { fields: false, field: FIELD },
        allOf: KIND_OF_FIELD.map(([held, kind]) => when(held, definition(`test_${kind}`))),
      },
    ),
  );
}

function elementSchema(kind: "argument" | "count"): JsonObject {
  return placeSchema("element", ASKED, { $ref: `#/$defs/test_${kind}` });
}

/** What `all`, `any` and `not` hold in a group with this many levels of them around its members. */
export function groupMembers(levels: number): { readonly [key in GroupKey]: JsonObject } {
  const list = filledListSchema(conditionSchema(levels), MAX_CONDITIONS);
  return { all: list, any: list, not: conditionSchema(levels) };
}

/** A condition with this many levels of groups around it. */
export function conditionSchema(levels: number): JsonObject {
  return definition(`condition_${String(levels)}`);
}

function definition(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` };
}

/** Everything that conditions refer to. */
export function conditionDefinitions(): Readonly<Record<string, JsonObject>> {
  const question = definition("question");
  const nested = Array.from({ length: MAX_NESTING + 1 }, (_, levels): [string, JsonObject] => {
    const group = levels < MAX_NESTING ? definition(`group_${String(levels + 1)}`) : null;
    return [`condition_${String(levels)}`, group === null ? question : { anyOf: [question, group] }];
  });
  const groups = Array.from({ length: MAX_NESTING }, (_, at): [string, JsonObject] => {
    const schema = placeSchema("group", groupMembers(at + 1), { maxProperties: 1 });
    return [`group_${String(at + 1)}`, schema];
  });
  const tests = Object.entries(KINDS).map(([name, kind]) => [`test_${name}`, testSchema(kind)] as const);
  return {
    ...Object.fromEntries([...nested, ...groups]),
    question: questionSchema(),
    element: elementSchema("argument"),
    count: elementSchema("count"),
    ...Object.fromEntries(tests),
  };
}
