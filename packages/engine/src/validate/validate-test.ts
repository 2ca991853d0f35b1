import type { Field, Subject, Test } from "../condition.ts";
import type { Operator } from "../operators/operator.ts";
import { OPERATORS, operatorNamed } from "../operators/operator-table.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import type { DocumentScope } from "./condition-place.ts";
import { expectBoolean, expectName, type Members, type MissingKey, missingKey, refuse } from "./expect.ts";
import { expectFieldPath } from "./expect-field.ts";
import { expectField } from "./expect-subject.ts";
import { OPERATOR_LIST } from "./operator-list.ts";

const MISSING_OPERATOR: MissingKey = {
  place: "condition",
  key: "operator",
  expected: `one of ${OPERATORS.join(", ")}`,
  fix: 'add an operator, such as operator: ">"',
};

const MISSING_VALUE: MissingKey = {
  place: "condition",
  key: "value",
  expected: "the value that the operator compares with",
  fix: "add value: and what to compare with, or use the operator exists",
};

/** Keys of a condition that every operator takes, or that are not for the operator. */
const COMMON_KEYS = ["field", "fields", "operator", "value", "value_field", "when_missing", "null"];

export interface TestSource {
  /** The condition, or what stands under every, any or count. */
  readonly node: SourceNode;
  readonly members: Members;
  /** Null: it has a fault that was reported. */
  readonly subject: Subject | null;
  readonly scope: DocumentScope;
}

/** What an operator asks of its field. */
export function validateTest(source: TestSource, reporter: Reporter): Test | null {
  const { node, members, subject } = source;
  const operatorNode = members.get("operator");
  if (operatorNode === undefined) return missingKey(node, MISSING_OPERATOR, reporter);
  const name = expectName(operatorNode, OPERATOR_LIST, reporter);
  if (name === null || subject === null) return null;
  const operator = operatorNamed(name);
  if (
    !judges(operator, { ...source, subject }, operatorNode, reporter) ||
    !takesKeys(operator, members, reporter)
  )
    return null;
  const ignoreCase = validateIgnoreCase(operator, members.get("ignore_case"), reporter);
  if (ignoreCase === null) return null;
  const compared = validateCompared(operator, { ...source, subject }, reporter);
  return compared === null ? null : { operator: name, ...compared, ignoreCase, lists: listsIn(node) };
}

/** Every list that a condition names, once. */
function listsIn(node: SourceNode): readonly string[] {
  const found = new Set<string>(node.kind === "list" ? node.lists : []);
  const inner = node.kind === "map" ? node.entries.map(({ value }) => value) : [];
  for (const part of node.kind === "list" ? node.items : inner)
    if (part.kind !== "scalar") for (const name of listsIn(part)) found.add(name);
  return [...found];
}

const TYPE_OF_FIELD: { readonly [kind in Field["kind"]]: string } = {
  args: "it may be of any type",
  anywhere: "it is all arguments of the call",
  call: "it is a text",
  usage: "it is a number",
  time: "it is an instant",
};

function judges(
  operator: Operator,
  { members, subject }: TestSource & { readonly subject: Subject },
  node: SourceNode,
  reporter: Reporter,
): boolean {
  const isCount = subject.kind === "elements" && subject.quantifier === "count";
  const kind = kindOf(subject);
  if (operator.judges.includes(kind)) return true;
  const others = OPERATORS.filter((name) => operatorNamed(name).judges.includes(kind));
  const field = members.get("field");
  if (kind === "anywhere" && field !== undefined)
    return refuseAnywhere(operator.name, others, field, reporter);
  const what = isCount ? "a number of elements" : `this field: ${TYPE_OF_FIELD[kind]}`;
  refuse("policy/invalid-value", node, reporter, {
    message: `the operator ${operator.name} cannot judge ${what}`,
    expected: `one of ${others.join(", ")}`,
    fix: isCount
      ? 'count with a number, as in count: {operator: ">", value: 5}'
      : "use one of the expected operators, or write args. and the name of an argument as field",
  });
  return false;
}

/** A number of elements is judged as what a session has used is. */
function kindOf(subject: Subject): Field["kind"] {
  if (subject.kind !== "elements") return subject.kind;
  return subject.quantifier === "count" ? "usage" : "args";
}

function refuseAnywhere(
  name: string,
  others: readonly string[],
  field: SourceNode,
  reporter: Reporter,
): false {
  refuse("policy/invalid-field", field, reporter, {
    message: `args is all arguments of the call, and the operator ${name} judges one value`,
    expected: `args.<name>, or one of the operators ${others.join(", ")}`,
    fix: "name an argument, such as args.amount",
  });
  return false;
}

/** Keys that other operators take are not silently ignored. */
function takesKeys({ name, keys = {} }: Operator, members: Members, reporter: Reporter): boolean {
  const quantifiers = ["every", "any", "count", "ignore_case"];
  for (const [key, node] of members) {
    if (COMMON_KEYS.includes(key) || Object.hasOwn(keys, key) || quantifiers.includes(key)) continue;
    const takers = OPERATORS.filter((other) => Object.hasOwn(operatorNamed(other).keys ?? {}, key));
    refuse("policy/conflicting-keys", node, reporter, {
      message: `the operator ${name} takes no key ${key}`,
      expected: `${key} with ${takers.join(" or ")}`,
      fix: `use the operator ${takers.join(" or ")}, or remove ${key}`,
    });
    return false;
  }
  return true;
}

function validateIgnoreCase(
  { name, canIgnoreCase }: Operator,
  node: SourceNode | undefined,
  reporter: Reporter,
): boolean | null {
  if (node === undefined) return false;
  const value = expectBoolean(node, reporter);
  if (value !== true || canIgnoreCase === true) return value;
  return refuse("policy/conflicting-keys", node, reporter, {
    message: `the operator ${name} cannot ignore case`,
    expected: "no key ignore_case",
    fix: "remove ignore_case; to compare texts without case, use an operator such as == or matches",
  });
}

type Compared = Pick<Test, "operand" | "against">;

function validateCompared(
  operator: Operator,
  source: TestSource & { readonly subject: Subject },
  reporter: Reporter,
): Compared | null {
  const { node, members, subject, scope } = source;
  const [value, otherField] = [members.get("value"), members.get("value_field")];
  if (otherField !== undefined) return validateAgainst(operator, otherField, source, reporter);
  const { validate } = operator;
  if (validate === undefined)
    return value === undefined ? { operand: null, against: null } : refuseValue(operator, value, reporter);
  if (value === undefined) return missingKey(node, MISSING_VALUE, reporter);
  if (node.kind !== "map") return null;
  const operand = validate({ condition: node, members, value, subject, scope }, reporter);
  if (operand === null) return null;
  const besideNode = operator.beside === undefined ? undefined : members.get(operator.beside.key);
  if (besideNode === undefined) return { operand, against: null };
  const path = expectFieldPath(besideNode, reporter);
  return path === null ? null : { operand, against: { kind: "args", path } };
}

function refuseValue({ name }: Operator, value: SourceNode, reporter: Reporter): null {
  return refuse("policy/conflicting-keys", value, reporter, {
    message: `${name} judges ${name === "not_empty" ? "the field" : "presence"} alone and takes no value`,
    expected: "no key value",
    fix: `remove the key value; to compare with it, write operator: "==" instead of ${name}`,
  });
}

function validateAgainst(
  { name, compileAgainst, keys = {} }: Operator,
  node: SourceNode,
  { members, subject }: TestSource & { readonly subject: Subject },
  reporter: Reporter,
): Compared | null {
  if (members.has("value")) {
    return refuse("policy/conflicting-keys", node, reporter, {
      message: "value_field cannot be combined with value",
      expected: "value or value_field",
      fix: "remove value to compare with the other field, or remove value_field to compare with the value",
    });
  }
  const isCount = subject.kind === "elements" && subject.quantifier === "count";
  if (compileAgainst === undefined || subject.kind === "usage" || subject.kind === "anywhere" || isCount) {
    const takers = OPERATORS.filter((other) => operatorNamed(other).compileAgainst !== undefined);
    return refuse("policy/conflicting-keys", node, reporter, {
      message: `the operator ${name} cannot compare this field with another field`,
      expected: `value_field with one of ${takers.join(", ")}, for an argument or a text of the call`,
      fix: "write value: and what to compare with",
    });
  }
  const unread = Object.keys(keys).find((key) => members.has(key));
  if (unread !== undefined) {
    return refuse("policy/conflicting-keys", members.get(unread) ?? node, reporter, {
      message: `${unread} cannot be combined with value_field`,
      expected: `${unread} with value, or value_field alone`,
      fix: `remove ${unread}, or write value: in place of value_field`,
    });
  }
  const against = expectField(node, reporter);
  if (against === null) return null;
  if (against.kind === "args" || against.kind === "call") return { operand: null, against };
  return refuse("policy/invalid-field", node, reporter, {
    message: "a condition compares with one argument, or with a text of the call",
    expected: "args.<name>, agent_id, session_id, namespace or tool",
    fix: "name one argument, such as args.limit",
  });
}
