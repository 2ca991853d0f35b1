import type { JsonObject } from "@svc/contract/json-value";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectQuestion, textsOf } from "../suspect-question.ts";

/** `ends_with: "@acme.example"` in an allow rule: several addresses may stand in the text. */
export const addressAsEnding: FindingCheck = {
  code: "policy/address-as-ending",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const [first] = textsOf(authored);
      const isText = authored.question.subject.kind === "args";
      if (first === undefined || authored.role !== "lets" || authored.operator !== "ends_with" || !isText)
        continue;
      const domains = textsOf(authored).map(({ text }) => text);
      if (!domains.every((text) => /^@[a-z0-9.-]+$/i.test(text))) continue;
      const patterns = domains.map((domain) => `[^@,;\\s<>"]+${domain.replaceAll(".", "\\.")}`);
      const instead: JsonObject = { ...authored.written, operator: "matches_all", value: patterns };
      yield suspectQuestion(context, authored, {
        place: first.place,
        instead,
        shows: "passes",
        values: domains.map((domain) => `x@evil.example, a${domain}`),
        words: {
          message: "a text with several addresses ends so too, if the last of them does",
          expected: "a comparison of the whole text",
          found: `operator: ends_with, value: ${renderFlow(first.text)}`,
          fix: `write ${renderFlow(instead)}`,
        },
      });
    }
  },
};
