import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredQuestion } from "../authored-rule.ts";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectQuestion, textsOf } from "../suspect-question.ts";
import { sampleOf } from "../witness/pattern-sample.ts";

const LOOKS_AT_PARTS: ReadonlySet<unknown> = new Set(["ends_with", "contains", "matches", "matches_all"]);

/** `ends_with: "@acme.example"` where it lets a call pass: several addresses may stand in the text. */
export const addressAsEnding: FindingCheck = {
  code: "policy/address-as-ending",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const [first] = textsOf(authored);
      const { operator, role, question } = authored;
      const { kind } = question.subject;
      if (first === undefined || role !== "lets" || !LOOKS_AT_PARTS.has(operator)) continue;
      if (kind !== "args" && kind !== "elements") continue;
      const domains = domainsOf(authored);
      if (domains.length < textsOf(authored).length) continue;
      const patterns = domains.map((domain) => `[^@,;\\s<>"]+${domain.replaceAll(".", "\\.")}`);
      const { ignore_case: _case, ...rest } = authored.written;
      const instead: JsonObject = { ...rest, operator: "matches_all", value: patterns };
      yield suspectQuestion(context, authored, {
        place: first.place,
        instead,
        shows: "passes",
        values: domains.map((domain) => `x@evil.example, a${domain}`),
        words: {
          message:
            operator === "contains"
              ? "a text with several addresses contains it too, if one of them does"
              : "a text with several addresses ends so too, if the last of them does",
          expected: "a comparison of the whole text",
          found: `operator: ${operator}, value: ${renderFlow(first.text)}`,
          fix: `write ${renderFlow(instead)}`,
        },
      });
    }
  },
};

/** `@acme.example` of each text that names the end of an address. */
function domainsOf(authored: AuthoredQuestion): readonly string[] {
  const isPattern = authored.operator.startsWith("matches");
  return textsOf(authored).flatMap(({ text }) => {
    const sample = isPattern ? sampleOf(text) : text;
    const domain = (isPattern ? /@[a-z0-9.-]+$/i : /^@[a-z0-9.-]+$/i).exec(sample ?? "")?.[0];
    return domain === undefined ? [] : [domain];
  });
}
