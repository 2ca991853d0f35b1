import { didYouMean } from "@svc/contract/nearest-name";
import { isFieldPath, parseFieldPattern } from "../evaluate/field-path.ts";
import {
  CALL_FIELDS,
  type Condition,
  type Field,
  OPERATORS,
  type Operator,
  USAGE_FIELDS,
} from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import { type MapEntry, quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectMembers, expectName, expectText, type MissingKey, missingKey, refuse } from "./expect.ts";
import { PATH_EXPECTATION } from "./expect-field.ts";
import { OPERATOR_LIST } from "./name-lists.ts";
import { describePathFault, NAME_EACH_FIELD } from "./path-fault.ts";
import { validateTest } from "./validate-test.ts";

const OTHER_FIELDS = [...CALL_FIELDS, ...USAGE_FIELDS];
const FIELD_EXPECTATION = `${PATH_EXPECTATION}, or ${OTHER_FIELDS.join(", ")}`;

/** What can be asked of text that is always there, and of numbers that are. */
const CALL_OPERATORS: readonly Operator[] = [
  "==",
  "!=",
  "in",
  "not_in",
  "contains",
  "starts_with",
  "ends_with",
  "matches",
  "exists",
  "not_exists",
];
const USAGE_OPERATORS: readonly Operator[] = [">", ">=", "<", "<=", "==", "!="];

const MISSING_FIELD: MissingKey = {
  place: "condition",
  key: "field",
  expected: "what the condition looks at",
  fix: "add a field, such as field: args.amount",
};
const MISSING_OPERATOR: MissingKey = {
  place: "condition",
  key: "operator",
  expected: `one of ${OPERATORS.join(", ")}`,
  fix: 'add an operator, such as operator: ">"',
};

/** The key of `match` that holds a condition. */
export type Quantifier = "condition" | "all" | "any";

export function validateCondition(node: SourceNode, outer: Quantifier, reporter: Reporter): Condition | null {
  const nested = nestedKey(node);
  if (nested !== undefined) return reportNested(nested, outer, reporter);
  const members = expectMembers(node, "condition", reporter);
  if (members === null) return null;
  const fieldNode = members.get("field");
  const operatorNode = members.get("operator");
  if (fieldNode === undefined) missingKey(node, MISSING_FIELD, reporter);
  if (operatorNode === undefined) missingKey(node, MISSING_OPERATOR, reporter);
  const field = fieldNode === undefined ? null : expectField(fieldNode, reporter);
  const operator = operatorNode === undefined ? null : expectName(operatorNode, OPERATOR_LIST, reporter);
  if (field === null || operator === null || operatorNode === undefined) return null;
  if (!operatorsFor(field).includes(operator)) {
    return refuse("policy/invalid-value", operatorNode, reporter, {
      message: `the operator ${operator} cannot judge this field: ${TYPE_OF_FIELD[field.kind]}`,
      expected: `one of ${operatorsFor(field).join(", ")}`,
      fix: "use one of the expected operators, or write args. and the name of an argument as field",
    });
  }
  const test = validateTest({ condition: node, value: members.get("value"), field, operator }, reporter);
  return test === null ? null : { field, test };
}

const TYPE_OF_FIELD: { readonly [kind in Field["kind"]]: string } = {
  args: "it may be of any type",
  call: "it is a text",
  usage: "it is a number",
};

function nestedKey(node: SourceNode): MapEntry | undefined {
  if (node.kind !== "map" || node.entries.some(({ key }) => key === "field")) return undefined;
  return node.entries.find(({ key }) => key === "all" || key === "any" || key === "condition");
}

function reportNested({ key, keyOffset, value }: MapEntry, outer: Quantifier, reporter: Reporter): null {
  const place = { pointer: value.pointer, offset: keyOffset };
  reporter.report("policy/unknown-key", place, {
    message: `lists of conditions do not nest: ${key} stands inside ${outer}`,
    expected: "a condition with the keys field, operator and value",
    found: quoteShort(key),
    fix: fixNested(key, outer),
  });
  return null;
}

function fixNested(key: string, outer: Quantifier): string {
  if (key === "condition") return "write its field, operator and value here, without condition";
  if (outer === "condition") return `write ${key} in place of condition, directly below match`;
  if (key === outer) return `move its conditions into the outer list ${outer}`;
  return key === "any"
    ? "write one rule for each condition of any, and repeat the other conditions of all in each"
    : "move this list all to a rule of its own with the same action";
}

function operatorsFor(field: Field): readonly Operator[] {
  switch (field.kind) {
    case "args":
      return OPERATORS;
    case "call":
      return CALL_OPERATORS;
    case "usage":
      return USAGE_OPERATORS;
  }
}

function expectField(node: SourceNode, reporter: Reporter): Field | null {
  const text = expectText(node, FIELD_EXPECTATION, reporter);
  if (text === null) return null;
  const call = CALL_FIELDS.find((name) => name === text);
  if (call !== undefined) return { kind: "call", name: call };
  const usage = USAGE_FIELDS.find((name) => name === text);
  if (usage !== undefined) return { kind: "usage", name: usage };
  const pattern = parseFieldPattern(text);
  if (pattern === null) return unknownField(text, node, reporter);
  if (isFieldPath(pattern)) return { kind: "args", path: pattern };
  return refuse("policy/invalid-field", node, reporter, {
    message: `${quoteShort(text)} has a wildcard, and a condition reads one field`,
    expected: FIELD_EXPECTATION,
    fix: `${NAME_EACH_FIELD}; or write a redact rule with detectors, which reads every argument`,
  });
}

function unknownField(text: string, node: SourceNode, reporter: Reporter): null {
  const { message, fix } = describePathFault(text, false);
  const known = OTHER_FIELDS.find((name) => name.startsWith(`${text}_`));
  const nearest = known === undefined ? didYouMean(text, OTHER_FIELDS) : `did you mean ${known}?`;
  const session = text.startsWith("session.") ? `write session_id, ${USAGE_FIELDS.join(" or ")}` : null;
  return refuse("policy/invalid-field", node, reporter, {
    message: text.startsWith("args") ? message : `${quoteShort(text)} is not a field of a call`,
    expected: FIELD_EXPECTATION,
    fix: nearest ?? session ?? fix,
  });
}
