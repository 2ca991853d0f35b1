import { ANY_TOOL } from "@svc/engine/policy-document";
import { wordList } from "@svc/engine/word-list";
import type { JsonObject } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { fieldOf, placeOfField, shortNameOf, suspectQuestion } from "../suspect-question.ts";
import { ABSENT, exampleValues } from "../witness/example-values.ts";

/** Operators that look for something that may stand in any argument. */
const LOOKS_FOR_CONTENT: ReadonlySet<string> = new Set(["path_named", "host_within", "detects"]);

/** Arguments that hold what people and models write. */
const PROSE: ReadonlySet<string> = new Set(wordList("body text message content prompt note subject"));

/** A rule about all tools that looks into one argument, and passes calls that have it under another name. */
export const oneArgumentOnly: FindingCheck = {
  code: "policy/one-argument-only",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator, question, role, rule, written } = authored;
      if (question.subject.kind !== "args" || role !== "stops" || !rule.tools.includes(ANY_TOOL)) continue;
      if (rule.action.kind !== "deny" && rule.action.kind !== "require_approval") continue;
      const isSkipped = question.whenMissing ?? (context.document.failClosed ? "match" : "skip");
      const isProse = (operator === "contains" || operator === "matches") && PROSE.has(shortNameOf(authored));
      if (isSkipped !== "skip" || !(isProse || LOOKS_FOR_CONTENT.has(operator))) continue;
      const { when_missing: _missing, base: _base, ...rest } = written;
      const instead: JsonObject = { ...rest, field: "args" };
      yield suspectQuestion(context, authored, {
        place: placeOfField(authored),
        instead,
        shows: "passes",
        field: "args",
        values: exampleValues(written, true).filter((value) => value !== ABSENT),
        words: {
          message: `the rule is about all tools, and looks into no argument but ${fieldOf(authored)}`,
          expected: "field: args, which reads every text in the arguments",
          found: fieldOf(authored),
          fix: `write ${renderFlow(instead)}; or name the tools that have ${fieldOf(authored)}`,
        },
      });
    }
  },
};
