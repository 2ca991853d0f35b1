import { parseFieldPath } from "@svc/engine/field-path";
import { findOperator } from "@svc/engine/operator-table";
import type { JsonObject } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectQuestion, textsOf } from "../suspect-question.ts";
import { WITNESS_AGENT, WITNESS_SESSION } from "../witness/draft-call.ts";

/** `value: args.requester`: a text, and not what stands in that field. */
export const valueNamesField: FindingCheck = {
  code: "policy/value-names-field",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const [text, second] = textsOf(authored);
      const operator = findOperator(authored.operator);
      if (text === undefined || second !== undefined || operator?.compileAgainst === undefined) continue;
      const field = fieldNamed(text.text);
      if (field === null) continue;
      const { value: _value, ...rest } = authored.written;
      const instead: JsonObject = { ...rest, value_field: field };
      // Fields that agree get past the condition as written, or the name itself does.
      const isAgreement = (authored.operator !== "!=") === (authored.role === "stops");
      yield suspectQuestion(context, authored, {
        place: text.place,
        instead,
        shows: "passes",
        values: [isAgreement ? sameAs(field) : text.text],
        beside: field.startsWith("args.") ? [{ field, value: sameAs(field) }] : [],
        words: {
          message:
            `the condition compares with the text ${JSON.stringify(text.text)}, ` +
            "and not with the field of that name",
          expected: "value_field for a comparison of two fields",
          found: `value: ${renderFlow(text.text)}`,
          fix: `write ${renderFlow(instead)}`,
        },
      });
    }
  },
};

/** The field that a text names, also as a placeholder of a template. */
function fieldNamed(text: string): string | null {
  const name = /^(?:\$\{|\{\{|\$\(|<)?\s*\$?\.?([^\s{}()<>]+)\s*(?:\}|\}\}|\)|>)?$/.exec(text)?.[1] ?? "";
  if (name === "agent_id" || name === "session_id") return name;
  const path = name.replace(/^(?:arguments|params|input)\./, "args.");
  return parseFieldPath(path) === null ? null : path;
}

function sameAs(field: string): string {
  if (field === "agent_id") return WITNESS_AGENT;
  return field === "session_id" ? WITNESS_SESSION : "same";
}
