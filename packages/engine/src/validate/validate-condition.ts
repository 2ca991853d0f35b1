import { type Condition, QUANTIFIERS } from "../condition.ts";
import type { Reporter } from "../read/reporter.ts";
import {
  describeNode,
  type MapEntry,
  type MapNode,
  quoteShort,
  type SourceNode,
} from "../read/source-node.ts";
import type { ConditionPlace } from "./condition-place.ts";
import { expectFilledList } from "./expect.ts";
import { validateQuestion } from "./validate-question.ts";

/** Most conditions of one rule, as count. */
export const MAX_CONDITIONS = 32;

/** Most levels of all, any and not around a condition, as count: nobody reads deeper ones. */
export const MAX_NESTING = 4;

export const GROUP_KEYS = ["all", "any", "not"] as const;
export type GroupKey = (typeof GROUP_KEYS)[number];

/** A question, or all, any or not of further conditions. */
export function validateCondition(
  node: SourceNode,
  place: ConditionPlace,
  reporter: Reporter,
): Condition | null {
  const group = groupOf(node);
  if (group === null) return validateQuestion(node, place, reporter);
  const { key, value } = group;
  if (key === "condition") return reportWrapped(group, reporter);
  if (node.kind === "map" && node.entries.length > 1) return reportSecondKey(node, group, reporter);
  return validateGroup(key, value, place, reporter);
}

/** @param place where the group itself stands. */
export function validateGroup(
  key: GroupKey,
  value: SourceNode,
  place: ConditionPlace,
  reporter: Reporter,
): Condition | null {
  const depth = place.depth + 1;
  if (depth > MAX_NESTING) return reportTooDeep(value, reporter);
  const inner = { ...place, depth };
  if (key === "not") {
    const condition = validateNegated(value, { ...inner, isNegated: !place.isNegated }, reporter);
    return condition === null ? null : { kind: "not", condition };
  }
  const list = expectFilledList(value, { expected: "a list of conditions", most: MAX_CONDITIONS }, reporter);
  if (list === null) return null;
  const conditions = list.items.flatMap((item) => validateCondition(item, inner, reporter) ?? []);
  return conditions.length < list.items.length ? null : { kind: key, conditions };
}

function validateNegated(value: SourceNode, place: ConditionPlace, reporter: Reporter): Condition | null {
  if (value.kind === "map") return validateCondition(value, place, reporter);
  reporter.report("policy/wrong-type", value, {
    message: "not takes one condition",
    expected: "a mapping with the keys field, operator and value, or with all or any",
    found: describeNode(value),
    fix:
      value.kind === "list"
        ? "write not: {any: [...]} if none of them may hold, or not: {all: [...]} if not all of them may"
        : "write not: {field: ..., operator: ..., value: ...}, with the whole condition below not",
  });
  return null;
}

/** Null for a question. `any` beside a field asks about the elements of a list. */
function groupOf(node: SourceNode): (MapEntry & { readonly key: GroupKey | "condition" }) | null {
  if (node.kind !== "map") return null;
  const isQuestion = node.entries.some(({ key }) => ["field", "fields", "operator"].includes(key));
  if (isQuestion) return null;
  for (const entry of node.entries) {
    const { key } = entry;
    if (key === "all" || key === "any" || key === "not" || key === "condition") return { ...entry, key };
  }
  return null;
}

function reportWrapped({ keyOffset, value }: MapEntry, reporter: Reporter): null {
  reporter.report(
    "policy/unknown-key",
    { pointer: value.pointer, offset: keyOffset },
    {
      message: "a condition inside a list or group has no key condition around it",
      expected: `a condition with the keys field, operator and value, or one of ${GROUP_KEYS.join(", ")}`,
      found: quoteShort("condition"),
      fix: "write its field, operator and value here, without condition",
    },
  );
  return null;
}

function reportSecondKey(node: MapNode, group: MapEntry, reporter: Reporter): null {
  const other = node.entries.find((entry) => entry.key !== group.key);
  if (other === undefined) return null;
  const isGroup = GROUP_KEYS.some((key) => key === other.key);
  const isQuantifier = QUANTIFIERS.some((key) => key === other.key);
  reporter.report(
    isGroup || isQuantifier ? "policy/conflicting-keys" : "policy/unknown-key",
    { pointer: other.value.pointer, offset: other.keyOffset },
    {
      message: `${other.key} cannot stand beside ${group.key}`,
      expected: `${group.key} alone`,
      found: quoteShort(other.key),
      fix: isGroup
        ? `write all: [{${group.key}: ...}, {${other.key}: ...}] if both must hold, ` +
          "or any: [...] if one is enough"
        : `move ${other.key} into the condition that it is about`,
    },
  );
  return null;
}

function reportTooDeep(node: SourceNode, reporter: Reporter): null {
  reporter.report("policy/too-deep", node, {
    message: "these conditions nest too deeply to be read",
    expected: `at most ${String(MAX_NESTING)} levels of all, any and not`,
    found: `${String(MAX_NESTING + 1)} levels`,
    fix: "write the innermost conditions as a rule of their own with the same action",
  });
  return null;
}
