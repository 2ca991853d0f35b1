import {
  QUANTIFIERS,
  type Quantifier,
  type Question,
  type Subject,
  type Test,
  WHEN_MISSING,
} from "../condition.ts";
import { operatorNamed } from "../operators/operator-table.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import type { ConditionPlace } from "./condition-place.ts";
import { expectMembers, expectName, type Members, type MissingKey, missingKey, refuse } from "./expect.ts";
import { expectElements, expectField } from "./expect-subject.ts";
import { keysOf } from "./places.ts";
import { validateTest } from "./validate-test.ts";

const MISSING_FIELD: MissingKey = {
  place: "condition",
  key: "field",
  expected: "what the condition looks at",
  fix: "add a field, such as field: args.amount",
};

/** What one condition asks of a call. */
export function validateQuestion(
  node: SourceNode,
  place: ConditionPlace,
  reporter: Reporter,
): Question | null {
  const members = expectMembers(node, "condition", reporter);
  if (members === null) return null;
  const [quantifier, second] = QUANTIFIERS.filter((key) => members.has(key));
  if (quantifier !== undefined && second !== undefined)
    return conflicting(members.get(second) ?? node, reporter, {
      message: `${second} cannot be combined with ${quantifier}`,
      expected: `${quantifier} or ${second}`,
      fix: `write all: [...] with one condition for ${quantifier} and one for ${second}`,
    });
  const subject = validateSubject(node, members, quantifier ?? null, reporter);
  const whenMissing = validateWhenMissing(members, place, reporter);
  const nullIsMissing = validateNull(members.get("null"), reporter);
  const inner = quantifier === undefined ? null : innerTest(members, quantifier, reporter);
  if (quantifier !== undefined && inner === null) return null;
  const source = inner ?? { node, members };
  const test = validateTest({ ...source, subject, scope: place }, reporter);
  if (subject === null || test === null || whenMissing === undefined || nullIsMissing === null) return null;
  if (looksAnywhere(subject, test) && !refuseAnywhere(members, place, reporter)) return null;
  return { kind: "question", subject, test, whenMissing, nullIsMissing };
}

/** What stands under every, any or count. */
function innerTest(
  members: Members,
  quantifier: Quantifier,
  reporter: Reporter,
): { readonly node: SourceNode; readonly members: Members } | null {
  for (const key of keysOf("element")) {
    const misplaced = members.get(key);
    if (misplaced === undefined) continue;
    return conflicting(misplaced, reporter, {
      message: `${key} stands beside ${quantifier}, and what is asked of the elements stands below it`,
      expected: `${quantifier} alone, with operator and value in it`,
      fix: `move it below ${quantifier}, as in ${quantifier}: {operator: ..., value: ...}`,
    });
  }
  const node = members.get(quantifier);
  const inner = node === undefined ? null : expectMembers(node, "element", reporter);
  return node === undefined || inner === null ? null : { node, members: inner };
}

function validateSubject(
  node: SourceNode,
  members: Members,
  quantifier: Quantifier | null,
  reporter: Reporter,
): Subject | null {
  const [field, fields] = [members.get("field"), members.get("fields")];
  if (field !== undefined && fields !== undefined)
    return conflicting(fields, reporter, {
      message: "fields cannot be combined with field",
      expected: "field or fields",
      fix: "move the field into the list fields",
    });
  if (fields !== undefined && quantifier === null)
    return conflicting(fields, reporter, {
      message: "an operator judges one field, and fields names several lists",
      expected: "every, any or count beside fields",
      fix:
        "for lists write any: {operator: ..., value: ...} or every: {...} beside fields; for single values " +
        "write any: [...] or all: [...] with one condition for each field",
    });
  if (fields !== undefined && quantifier !== null)
    return expectElements(fields, { key: "fields", quantifier }, reporter);
  if (field === undefined) return missingKey(node, MISSING_FIELD, reporter);
  return quantifier === null
    ? expectField(field, reporter)
    : expectElements(field, { key: "field", quantifier }, reporter);
}

/** Undefined exactly when it has reported an error. */
function validateWhenMissing(members: Members, { permits }: ConditionPlace, reporter: Reporter) {
  const node = members.get("when_missing");
  if (node === undefined) return null;
  const name = expectName(node, WHEN_MISSING_LIST, reporter);
  if (name === null) return undefined;
  if (!permits) return name;
  conflicting(node, reporter, {
    message: `when_missing: ${name} is for rules that restrict, and this rule allows`,
    expected: "no key when_missing: an allow rule does not match a call without the field",
    fix:
      "remove when_missing; to allow calls without the field as well, write any: [{field: ..., operator: " +
      "not_exists}, {...}] with this condition",
  });
  return undefined;
}

export const WHEN_MISSING_LIST = {
  kind: "meaning of a missing field",
  names: WHEN_MISSING,
  synonyms: new Map([
    ["ignore", "skip"],
    ["pass", "skip"],
    ["allow", "skip"],
    ["deny", "match"],
    ["block", "match"],
    ["fail", "match"],
  ]),
} as const;

/** `null: missing`; null exactly when it has reported an error. */
function validateNull(node: SourceNode | undefined, reporter: Reporter): boolean | null {
  if (node === undefined) return false;
  return expectName(node, NULL_LIST, reporter) === null ? null : true;
}

export const NULL_LIST = {
  kind: "meaning of a null",
  names: ["missing"],
  synonyms: new Map([["absent", "missing"]]),
} as const;

/** Whether the condition can hold because of one argument, whichever it is. */
function looksAnywhere(subject: Subject, { operator }: Test): boolean {
  return subject.kind === "anywhere" && operatorNamed(operator).judgesAllArguments !== true;
}

/** One text anywhere must never be enough to allow a call. */
function refuseAnywhere(
  members: Members,
  { permits, isNegated }: ConditionPlace,
  reporter: Reporter,
): boolean {
  const field = members.get("field");
  if (!permits || isNegated || field === undefined) return true;
  refuse("policy/invalid-field", field, reporter, {
    message: "one text in any argument would be enough to allow the call",
    expected: "args.<name> in a rule that allows; args alone in a rule that restricts, or below not",
    fix: "name the argument, or write not: {field: args, ...} for what no argument may hold",
  });
  return false;
}

function conflicting(
  node: SourceNode,
  reporter: Reporter,
  finding: { readonly message: string; readonly expected: string; readonly fix: string },
): null {
  return refuse("policy/conflicting-keys", node, reporter, finding);
}
