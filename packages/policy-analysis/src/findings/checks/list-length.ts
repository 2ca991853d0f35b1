import type { JsonObject } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { fieldOf, placeOfField, suspectQuestion } from "../suspect-question.ts";

/** `field: args.to.length`: a member of that name, which no list has. */
export const listLength: FindingCheck = {
  code: "policy/list-length",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const field = fieldOf(authored);
      const [, list = ""] = /^(args\..+)\.(?:length|size|count)$/.exec(field) ?? [];
      const { operator } = authored;
      const { value = null } = authored.written;
      if (list === "" || authored.question.subject.kind !== "args" || typeof value !== "number") continue;
      const instead: JsonObject = { field: list, count: { operator, value } };
      const lists = [0, 1, Math.ceil(value), Math.ceil(value) + 1]
        .filter((length) => length >= 0 && length <= MAX_LENGTH)
        .map((length) => Array.from({ length }, () => "x"));
      yield suspectQuestion(context, authored, {
        place: placeOfField(authored),
        instead,
        shows: "stopped",
        field: list,
        values: lists,
        words: {
          message: `a list has no member ${field.slice(list.length + 1)}, so no list can be judged`,
          expected: "count, which counts the elements of a list",
          found: field,
          fix: `write ${renderFlow(instead)}`,
        },
      });
    }
  },
};

/** Longest list that is tried, as count. */
const MAX_LENGTH = 100;
