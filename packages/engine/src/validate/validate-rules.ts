import { MAX_RULES_PER_POLICY } from "@svc/contract/limits";
import { ACTIONS, type Action, type Match, type Rule } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import {
  expectAtMost,
  expectFilledList,
  expectGlob,
  expectIdentifier,
  expectList,
  expectMembers,
  expectName,
  type Members,
  missingKey,
} from "./expect.ts";
import { expectInteger } from "./numbers.ts";
import { validateCondition } from "./validate-condition.ts";
import { validateConstraint } from "./validate-constraint.ts";
import { validateRedaction } from "./validate-redaction.ts";

const RULE_KEYS = ["id", "priority", "match", "action", "redact", "constrain"] as const;
const MATCH_KEYS = ["tool", "condition", "all", "any"] as const;

/** Where a rule stands that names no priority: after those that name a small one. */
const DEFAULT_PRIORITY = 100;
const MAX_PRIORITY = 1_000_000;

/** Most conditions of one rule, as count. */
const MAX_CONDITIONS = 32;

const ANY_TOOL = "*";

/** The rules in walking order: by priority, then as they stand in the document. */
export function validateRules(node: SourceNode, reporter: Reporter): Rule[] {
  const list = expectList(node, "a list of rules", reporter);
  if (list === null || !expectAtMost(list, MAX_RULES_PER_POLICY, reporter)) return [];
  reportDuplicateIds(list.items, reporter);
  const rules = list.items.flatMap((item) => validateRule(item, reporter) ?? []);
  return rules.toSorted((left, right) => left.priority - right.priority);
}

function validateRule(node: SourceNode, reporter: Reporter): Rule | null {
  const members = expectMembers(node, RULE_KEYS, reporter);
  if (members === null) return null;
  const idNode = required(node, members, { key: "id", example: "an id, such as id: refund-limit" }, reporter);
  const matchNode = required(
    node,
    members,
    { key: "match", example: 'a match; tool: "*" matches every tool' },
    reporter,
  );
  const actionNode = required(
    node,
    members,
    { key: "action", example: `one of ${ACTIONS.join(", ")}` },
    reporter,
  );
  const priorityNode = members.get("priority");
  const priority =
    priorityNode === undefined
      ? DEFAULT_PRIORITY
      : expectInteger(priorityNode, { min: -MAX_PRIORITY, max: MAX_PRIORITY }, reporter);
  const id = idNode === null ? null : expectIdentifier(idNode, reporter);
  const match = matchNode === null ? null : validateMatch(matchNode, reporter);
  const action = actionNode === null ? null : validateAction(node, actionNode, members, reporter);
  if (id === null || priority === null || match === null || action === null) return null;
  return { id, priority, ...match, action, place: idNode ?? node };
}

function validateMatch(node: SourceNode, reporter: Reporter): { tool: string; match: Match } | null {
  const members = expectMembers(node, MATCH_KEYS, reporter);
  if (members === null) return null;
  const toolNode = members.get("tool");
  const tool = toolNode === undefined ? ANY_TOOL : expectGlob(toolNode, reporter);
  const [first, second] = (["condition", "all", "any"] as const).filter((key) => members.has(key));
  if (second !== undefined) {
    conflictingKey(node, members, { key: second, other: first ?? second }, reporter);
    return null;
  }
  const conditionsNode = first === undefined ? undefined : members.get(first);
  if (conditionsNode === undefined)
    return tool === null ? null : { tool, match: { quantifier: "all", conditions: [] } };
  const items = first === "condition" ? [conditionsNode] : conditionList(conditionsNode, reporter);
  const conditions = items.flatMap((item) => validateCondition(item, reporter) ?? []);
  return tool === null ? null : { tool, match: { quantifier: first === "any" ? "any" : "all", conditions } };
}

function conditionList(node: SourceNode, reporter: Reporter): readonly SourceNode[] {
  return (
    expectFilledList(node, { expected: "a list of conditions", most: MAX_CONDITIONS }, reporter)?.items ?? []
  );
}

function validateAction(
  rule: SourceNode,
  node: SourceNode,
  members: Members,
  reporter: Reporter,
): Action | null {
  const kind = expectName(node, ACTIONS, reporter);
  if (kind === null) return null;
  for (const key of ["redact", "constrain"] as const) {
    if (key !== kind && members.has(key))
      conflictingKey(rule, members, { key, other: `action: ${kind}` }, reporter);
  }
  switch (kind) {
    case "deny":
    case "require_approval":
    case "allow":
      return { kind };
    case "redact": {
      const example = "what to redact, such as redact: {fields: [args.card], mask: last4}";
      const parameters = required(rule, members, { key: "redact", example }, reporter);
      return parameters === null ? null : validateRedaction(parameters, reporter);
    }
    case "constrain": {
      const example = "the constraint, such as constrain: {max: {args.amount: 100}}";
      const parameters = required(rule, members, { key: "constrain", example }, reporter);
      return parameters === null ? null : validateConstraint(parameters, reporter);
    }
  }
}

function required(
  node: SourceNode,
  members: Members,
  { key, example }: { readonly key: string; readonly example: string },
  reporter: Reporter,
): SourceNode | null {
  return members.get(key) ?? missingKey(node, key, example, reporter);
}

function conflictingKey(
  node: SourceNode,
  members: Members,
  { key, other }: { readonly key: string; readonly other: string },
  reporter: Reporter,
): void {
  reporter.report("policy/conflicting-keys", members.get(key) ?? node, {
    message: `${key} cannot stand beside ${other}`,
    expected: "one of the two",
    found: "both",
    fix: "keep one, or make two rules",
  });
}

function reportDuplicateIds(items: readonly SourceNode[], reporter: Reporter): void {
  const first = new Map<string, SourceNode>();
  for (const item of items) {
    const id = item.kind === "map" ? item.entries.find(({ key }) => key === "id")?.value : undefined;
    if (id?.kind !== "scalar" || typeof id.value !== "string") continue;
    const earlier = first.get(id.value);
    if (earlier === undefined) {
      first.set(id.value, id);
      continue;
    }
    reporter.report("policy/duplicate-id", id, {
      message: `another rule is called ${quoteShort(id.value)}`,
      expected: "an id of its own for every rule",
      found: "the same id twice",
      fix: "rename one of the two",
      related: earlier,
    });
  }
}
