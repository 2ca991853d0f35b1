import { MAX_RULES_PER_POLICY } from "@svc/contract/limits";
import type { JsonObject } from "@svc/text/json-value";
import { ACTIONS, type Action, DEFAULT_PRIORITY, type Rule } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import type { DocumentScope } from "./condition-place.ts";
import { conflictingKey } from "./conflicting-key.ts";
import { textDefinition } from "./definitions.ts";
import {
  expectAtMost,
  expectIdentifier,
  expectList,
  expectMembers,
  expectName,
  type Members,
  type MissingKey,
  missingKey,
} from "./expect.ts";
import { INSTANT_SCHEMA } from "./expect-instant.ts";
import { namesSchema } from "./explain-name.ts";
import { A_LIST_OF_RULES } from "./fix-type.ts";
import { memberIs, placeSchema, when } from "./json-schema.ts";
import { ACTION_LIST } from "./name-lists.ts";
import { expectInteger, integerSchema } from "./numbers.ts";
import { endingAt, validateValidUntil } from "./valid-until.ts";
import { APPROVAL_SCHEMA, validateApproval } from "./validate-approval.ts";
import { CONSTRAINT_SCHEMA, validateConstraint } from "./validate-constraint.ts";
import { MATCH_SCHEMA, validateMatch } from "./validate-match.ts";
import { MESSAGE_SCHEMA, validateMessage } from "./validate-message.ts";
import { REDACTION_SCHEMA, validateRedaction } from "./validate-redaction.ts";

const MAX_PRIORITY = 1_000_000;

/** Which key each action needs or takes beside it. */
const PARAMETERS = [
  { action: "require_approval", key: "approval", isRequired: false },
  { action: "redact", key: "redact", isRequired: true },
  { action: "constrain", key: "constrain", isRequired: true },
] as const;

/** Schema of one rule. */
export const RULE_SCHEMA: JsonObject = placeSchema(
  "rule",
  {
    id: textDefinition("identifier"),
    priority: integerSchema(-MAX_PRIORITY, MAX_PRIORITY),
    valid_until: INSTANT_SCHEMA,
    match: MATCH_SCHEMA,
    action: namesSchema(ACTION_LIST),
    message: MESSAGE_SCHEMA,
    approval: APPROVAL_SCHEMA,
    redact: REDACTION_SCHEMA,
    constrain: CONSTRAINT_SCHEMA,
  },
  {
    required: ["id", "match", "action"],
    allOf: [
      when(memberIs("action", "allow"), { properties: { message: false } }),
      ...PARAMETERS.map(({ action, key, isRequired }) =>
        when(memberIs("action", action), isRequired ? { required: [key] } : {}, {
          properties: { [key]: false },
        }),
      ),
    ],
  },
);

/** The rules in walking order: by priority, then as they stand in the document. */
export function validateRules(node: SourceNode, scope: DocumentScope, reporter: Reporter): Rule[] {
  const list = expectList(node, A_LIST_OF_RULES, reporter);
  if (
    list === null ||
    !expectAtMost(list, MAX_RULES_PER_POLICY, reporter, "join rules that have the same action")
  )
    return [];
  reportDuplicateIds(list.items, reporter);
  const rules = list.items.flatMap((item) => validateRule(item, scope, reporter) ?? []);
  return rules.toSorted((left, right) => left.priority - right.priority);
}

function validateRule(node: SourceNode, scope: DocumentScope, reporter: Reporter): Rule | null {
  const members = expectMembers(node, "rule", reporter);
  if (members === null) return null;
  const idNode = required(node, members, MISSING.id, reporter);
  const matchNode = required(node, members, MISSING.match, reporter);
  const actionNode = required(node, members, MISSING.action, reporter);
  const priorityNode = members.get("priority");
  const priority =
    priorityNode === undefined
      ? DEFAULT_PRIORITY
      : expectInteger(priorityNode, { min: -MAX_PRIORITY, max: MAX_PRIORITY }, reporter);
  const id = idNode === null ? null : expectIdentifier(idNode, reporter);
  const permits = actionNode?.kind === "scalar" && actionNode.value === "allow";
  const match = matchNode === null ? null : validateMatch(matchNode, { permits, ...scope }, reporter);
  const until = validateValidUntil(members.get("valid_until"), reporter);
  const action =
    actionNode === null ? null : validateAction({ rule: node, node: actionNode, members, scope }, reporter);
  const message = validateMessage(members.get("message"), permits, reporter);
  if (id === null || priority === null || match === null || action === null) return null;
  if (until === "refused") return null;
  const { tools } = match;
  const condition = until === null ? match.match : endingAt(until, match.match);
  return { id, priority, tools, match: condition, action, message, place: idNode ?? node };
}

interface ActionSource {
  readonly rule: SourceNode;
  /** What stands under `action`. */
  readonly node: SourceNode;
  readonly members: Members;
  readonly scope: DocumentScope;
}

function validateAction({ rule, node, members, scope }: ActionSource, reporter: Reporter): Action | null {
  const kind = expectName(node, ACTION_LIST, reporter);
  if (kind === null) return null;
  for (const key of ["redact", "constrain"] as const) {
    const fix = `write action: ${key}, or move ${key} to a rule of its own`;
    if (key !== kind && members.has(key))
      conflictingKey(rule, members, { key, other: `action: ${kind}`, fix }, reporter);
  }
  if (kind !== "require_approval" && members.has("approval")) {
    const fix = "write action: require_approval, or remove approval";
    conflictingKey(rule, members, { key: "approval", other: `action: ${kind}`, fix }, reporter);
  }
  switch (kind) {
    case "deny":
    case "allow":
      return { kind };
    case "require_approval": {
      const approvalNode = members.get("approval");
      if (approvalNode === undefined) return { kind, workflow: null, reach: null };
      return validateApproval(approvalNode, reporter);
    }
    case "redact": {
      const parameters = required(rule, members, MISSING.redact, reporter);
      return parameters === null ? null : validateRedaction(parameters, scope.detectors, reporter);
    }
    case "constrain": {
      const parameters = required(rule, members, MISSING.constrain, reporter);
      return parameters === null ? null : validateConstraint(parameters, reporter);
    }
  }
}

const MISSING = {
  id: {
    place: "rule",
    key: "id",
    expected: "an id of its own for every rule",
    fix: "add an id, such as id: refund-limit",
  },
  match: {
    place: "rule",
    key: "match",
    expected: "the calls that the rule is about",
    fix: 'add match: {tool: "*"} for every tool, or name a tool or a condition',
  },
  action: {
    place: "rule",
    key: "action",
    expected: `one of ${ACTIONS.join(", ")}`,
    fix: `add action: with one of ${ACTIONS.join(", ")}`,
  },
  redact: {
    place: "rule",
    key: "redact",
    expected: "what to redact",
    fix: "add redact: {fields: [args.card], mask: last4} with your fields",
  },
  constrain: {
    place: "rule",
    key: "constrain",
    expected: "the bounds, or what to set or remove",
    fix: "add constrain: {max: {args.amount: 100}} with your fields",
  },
} as const satisfies Record<string, MissingKey>;

function required(
  node: SourceNode,
  members: Members,
  missing: MissingKey,
  reporter: Reporter,
): SourceNode | null {
  return members.get(missing.key) ?? missingKey(node, missing, reporter);
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
      message: `duplicate rule id ${quoteShort(id.value)} (first used on ${reporter.lineOf(earlier)})`,
      expected: "an id of its own for every rule",
      found: "the same id twice",
      fix: `give this rule another id, such as ${id.value}-2`,
      related: earlier,
    });
  }
}
