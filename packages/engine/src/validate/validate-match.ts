import type { JsonObject } from "@svc/text/json-value";
import { type Condition, questionsOf } from "../condition.ts";
import { ANY_TOOL } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import type { ConditionPlace } from "./condition-place.ts";
import { conditionSchema, groupMembers } from "./condition-schema.ts";
import { conflictingKey } from "./conflicting-key.ts";
import { textDefinition } from "./definitions.ts";
import { expectGlob, expectMembers, refuse } from "./expect.ts";
import { expectOneOrMore, oneOrMoreSchema } from "./expect-value.ts";
import { exclusive, placeSchema } from "./json-schema.ts";
import { GROUP_KEYS, MAX_CONDITIONS, validateCondition, validateGroup } from "./validate-condition.ts";

export interface ValidMatch {
  readonly tools: readonly string[];
  readonly match: Condition | null;
}

/** Most globs of one rule, as count. */
const MAX_TOOLS = 64;

/** Schema of `validateMatch`. */
export const MATCH_SCHEMA: JsonObject = placeSchema(
  "match",
  {
    tool: oneOrMoreSchema(textDefinition("glob"), MAX_TOOLS),
    condition: conditionSchema(0),
    ...groupMembers(1),
  },
  exclusive(["condition", ...GROUP_KEYS]),
);

/** The calls that a rule is about. */
export function validateMatch(
  node: SourceNode,
  rule: Pick<ConditionPlace, "permits" | "patterns" | "detectors">,
  reporter: Reporter,
): ValidMatch | null {
  const members = expectMembers(node, "match", reporter);
  if (members === null) return null;
  const toolNode = members.get("tool");
  const tools =
    toolNode === undefined
      ? [ANY_TOOL]
      : expectOneOrMore(toolNode, (item) => expectGlob(item, reporter), reporter, MAX_TOOLS);
  const [first, second] = (["condition", "all", "any", "not"] as const).filter((key) => members.has(key));
  if (second !== undefined) {
    const one = first ?? second;
    conflictingKey(node, members, { key: second, other: one, fix: fixConflict(one, second) }, reporter);
    return null;
  }
  const conditionNode = first === undefined ? undefined : members.get(first);
  if (first === undefined || conditionNode === undefined)
    return tools === null ? null : { tools, match: null };
  const place: ConditionPlace = { ...rule, depth: 0, isNegated: false };
  const match =
    first === "condition"
      ? validateCondition(conditionNode, place, reporter)
      : validateGroup(first, conditionNode, place, reporter);
  if (match === null || tools === null || !isWithinLimit(match, conditionNode, reporter)) return null;
  return { tools, match };
}

function fixConflict(one: string, second: string): string {
  if (one === "condition" && second === "all") return "move the condition into the list all";
  const [left, right] = [one, second].map((key) => (key === "condition" ? "{field: ...}" : `{${key}: ...}`));
  return `write all: [${left ?? ""}, ${right ?? ""}] if both must hold, or any: [...] if one is enough`;
}

function isWithinLimit(match: Condition, node: SourceNode, reporter: Reporter): boolean {
  const count = questionsOf(match).length;
  if (count <= MAX_CONDITIONS) return true;
  refuse("policy/too-many", node, reporter, {
    message: `the rule has ${String(count)} conditions`,
    expected: `at most ${String(MAX_CONDITIONS)} conditions in one rule, in all its groups`,
    fix: "write several values as one list, or write several rules",
  });
  return false;
}
