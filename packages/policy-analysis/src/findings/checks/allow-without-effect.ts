import { matchesGlob } from "@svc/engine/glob";
import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredRule } from "../authored-rule.ts";
import type { FindingCheck, FindingContext, Suspicion } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { toolsOf } from "../suspect-question.ts";
import { waysTo } from "../witness/assignments.ts";
import { pinned, plainCall } from "../witness/draft-call.ts";

/** A conditional allow rule about tools that tools.allowed allows: it seems to set a limit. */
export const allowWithoutEffect: FindingCheck = {
  code: "policy/allow-without-effect",
  *suspect(context) {
    if (!context.document.failClosed) return;
    for (const authored of context.rules) {
      const { rule } = authored;
      if (rule.action.kind === "allow" && rule.match !== null) yield* suspicionsOf(authored, context);
    }
  },
};

function* suspicionsOf({ rule, written }: AuthoredRule, { document }: FindingContext): Iterable<Suspicion> {
  const { tool: _tool, ...condition } = written["match"] as JsonObject;
  const { allowed, rules } = document;
  // A later rule may restrict the tool: the allow rule is then an exception of it.
  const restrictions = rules.filter(
    ({ action }) => action.kind === "deny" || action.kind === "require_approval",
  );
  const isRestricted = (name: string): boolean =>
    restrictions.some(
      ({ priority, tools }) => priority > rule.priority && tools.some((glob) => matchesGlob(glob, name)),
    );
  for (const tool of toolsOf(rule, document)) {
    const entry = allowed.find(({ glob }) => matchesGlob(glob, tool));
    if (entry === undefined || isRestricted(tool)) continue;
    const match = { ...(rule.tools.includes("*") ? {} : { tool: [...rule.tools] }), not: negated(condition) };
    const instead: JsonObject = { ...written, match, action: "deny" };
    yield {
      place: rule.place,
      related: entry.place,
      shows: "passes",
      calls: waysTo(false, condition).map((way) => pinned({ call: plainCall(tool), pinned: [] }, way)),
      repair: { kind: "rule", rule, written: instead },
      words: {
        message:
          `${rule.id} allows some calls, and tools.allowed already allows all calls of ${tool}: ` +
          "the conditions of the rule restrict nothing",
        expected: "conditions in a rule that denies, or tools that only the rule allows",
        found: `action: allow for tools that ${entry.glob} under tools.allowed covers`,
        fix:
          `deny everything else with this rule: ${renderFlow(instead)}; ` +
          `or remove ${entry.glob} from tools.allowed`,
      },
    };
    return;
  }
}

function negated({ condition, ...group }: JsonObject): JsonObject {
  return condition === undefined ? group : (condition as JsonObject);
}
