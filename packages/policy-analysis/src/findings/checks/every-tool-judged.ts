import type { Subject } from "@svc/engine/condition";
import { ANY_TOOL } from "@svc/engine/policy-document";
import { isJsonObject } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { valueAt } from "../json-path.ts";
import { renderFlow } from "../render-flow.ts";
import { fieldOf, suspectQuestion, toolsOf } from "../suspect-question.ts";
import { ABSENT } from "../witness/example-values.ts";

const READS_ARGUMENTS: ReadonlySet<Subject["kind"]> = new Set(["args", "elements"]);

const EFFECTS = { deny: "denies", require_approval: "pauses" } as const;

/**
 * A restricting rule that names no tool, in a policy that allows several by name: it stops the calls of those
 * that do not have the argument. `tool: "*"` says that every tool is meant.
 */
export const everyToolJudged: FindingCheck = {
  code: "policy/every-tool-judged",
  *suspect(context) {
    const { document } = context;
    if (document.allowed.filter(({ glob }) => glob !== ANY_TOOL).length < 2) return;
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { at, question, rule, ruleWritten } = authored;
      const { kind } = rule.action;
      if ((kind !== "deny" && kind !== "require_approval") || !READS_ARGUMENTS.has(question.subject.kind))
        continue;
      const { match } = ruleWritten;
      const namesTool = isJsonObject(match) && match["tool"] !== undefined;
      if (question.whenMissing !== null || namesTool) continue;
      // The key stands beside every, any and count.
      const outer = question.subject.kind === "elements" ? at.slice(0, -1) : at;
      const written = valueAt(ruleWritten, outer);
      if (!isJsonObject(written)) continue;
      const instead = { ...written, when_missing: "skip" };
      const [tool = ANY_TOOL] = toolsOf(rule, document);
      const field = fieldOf(authored);
      yield suspectQuestion(
        context,
        { ...authored, at: outer },
        {
          place: rule.place,
          instead,
          shows: "stopped",
          values: [ABSENT],
          words: {
            message:
              `${rule.id} names no tool, so it judges calls of every tool, such as ${tool}, and ` +
              `${EFFECTS[kind]} those that have no ${field}`,
            expected: "match.tool with the tools that the rule is about, or when_missing: skip",
            found: `a rule without tool that reads ${field}`,
            fix:
              "add tool: [...] with the tools that have this argument below match; or write " +
              `${renderFlow(instead)}; or write tool: "*" if such calls are to be stopped`,
          },
        },
      );
    }
  },
};
