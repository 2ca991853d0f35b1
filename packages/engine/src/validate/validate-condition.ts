import {
  CALL_FIELDS,
  type Condition,
  type Field,
  OPERATORS,
  type Operator,
  USAGE_FIELDS,
} from "../policy-document.ts";
import { isFieldPath, parseFieldPattern } from "../evaluate/field-path.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectMembers, expectName, expectText, missingKey, refuse } from "./expect.ts";
import { PATH_EXPECTATION } from "./expect-field.ts";
import { didYouMean } from "@svc/contract/nearest-name";
import { describePathFault, NAME_EACH_FIELD } from "./path-fault.ts";
import { validateTest } from "./validate-test.ts";

const KEYS = ["field", "operator", "value"] as const;

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

export function validateCondition(node: SourceNode, reporter: Reporter): Condition | null {
  const members = expectMembers(node, KEYS, reporter);
  if (members === null) return null;
  const fieldNode = members.get("field");
  const operatorNode = members.get("operator");
  if (fieldNode === undefined) missingKey(node, "field", "a field, such as field: args.amount", reporter);
  if (operatorNode === undefined)
    missingKey(node, "operator", 'an operator, such as operator: ">"', reporter);
  const field = fieldNode === undefined ? null : expectField(fieldNode, reporter);
  const operator = operatorNode === undefined ? null : expectName(operatorNode, OPERATORS, reporter);
  if (field === null || operator === null || operatorNode === undefined) return null;
  if (!operatorsFor(field).includes(operator)) {
    return refuse("policy/invalid-value", operatorNode, reporter, {
      message: "this operator cannot be asked of this field",
      expected: `one of ${operatorsFor(field).join(", ")}`,
      fix: "use another operator, or a field below args",
    });
  }
  const test = validateTest({ condition: node, value: members.get("value"), field, operator }, reporter);
  return test === null ? null : { field, test };
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
