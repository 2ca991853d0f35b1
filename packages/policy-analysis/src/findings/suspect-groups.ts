import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { AuthoredGroup, AuthoredQuestion } from "./authored-rule.ts";
import type { FindingContext, Suspicion } from "./finding.ts";
import { withValueAt } from "./json-path.ts";
import { fieldOf, toolsOf } from "./suspect-question.ts";
import { waysTo, waysToHinge } from "./witness/assignments.ts";
import { pinned, plainCall } from "./witness/draft-call.ts";

/** Lists of conditions in which two about one field decide the whole list, whatever the value. */
export function* suspectGroups(
  context: FindingContext,
  key: "all" | "any",
  isRelated: (one: JsonObject, other: JsonObject) => boolean,
): Iterable<Suspicion> {
  for (const group of context.rules.flatMap(({ groups }) => groups)) {
    const pair = group.key === key ? relatedPair(group, isRelated) : null;
    if (pair !== null) yield suspicionOf(group, pair, context);
  }
}

type Pair = readonly [AuthoredQuestion, AuthoredQuestion];

function relatedPair(
  { questions }: AuthoredGroup,
  isRelated: (one: JsonObject, other: JsonObject) => boolean,
): Pair | null {
  for (const [at, one] of questions.entries()) {
    if (one.question.subject.kind === "elements") continue;
    for (const other of questions.slice(at + 1))
      if (fieldOf(one) === fieldOf(other) && isRelated(one.written, other.written)) return [one, other];
  }
  return null;
}

function suspicionOf(group: AuthoredGroup, [one, other]: Pair, { document }: FindingContext): Suspicion {
  const { at, key, rule, ruleWritten, role } = group;
  const swapped = key === "all" ? "any" : "all";
  const written = withValueAt(ruleWritten, at, (found) =>
    renamed(found as JsonObject, key, swapped),
  ) as JsonObject;
  // What the group as written never decides, or always decides, hinges on its first condition.
  const ways = waysTo(key === "all", one.written);
  const hinges = waysToHinge(ruleWritten["match"] ?? null, at.slice(1));
  const calls = toolsOf(rule, document).flatMap((tool) =>
    hinges.flatMap((hinge) =>
      ways.map((way) => pinned(pinned({ call: plainCall(tool), pinned: [] }, hinge), way)),
    ),
  );
  const field = fieldOf(one);
  return {
    place: group.node,
    related: other.node,
    shows: (key === "all") === (role === "stops") ? "passes" : "stopped",
    calls,
    repair: { kind: "rule", rule, written },
    words: {
      message:
        key === "all"
          ? `no value of ${field} meets two of these conditions, so all of them never hold together`
          : `every value of ${field} meets one of these conditions, so any of them always holds`,
      expected: `conditions on ${field} that some values meet and others do not`,
      found: `${key}: with conditions that ${key === "all" ? "exclude" : "complete"} each other`,
      fix: `write ${swapped} in place of ${key}`,
    },
  };
}

function renamed(found: JsonObject, key: string, other: string): JsonObject {
  return Object.fromEntries(
    Object.entries(found).map(([name, value]): [string, JsonValue] => [name === key ? other : name, value]),
  );
}
