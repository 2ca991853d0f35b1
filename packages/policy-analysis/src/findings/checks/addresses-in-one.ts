import type { Elements } from "@svc/engine/condition";
import { wordList } from "@svc/engine/word-list";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { withValueAt } from "../json-path.ts";
import { renderFlow } from "../render-flow.ts";
import { shortNameOf, suspectQuestion } from "../suspect-question.ts";

const NAMES: ReadonlySet<string> = new Set(wordList("to cc bcc recipients"));

/** Longest list that is tried, as count. */
const MAX_LENGTH = 100;

/** `count` of recipients in a rule that stops: one element can hold several addresses. */
export const addressesInOne: FindingCheck = {
  code: "policy/addresses-in-one",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { subject } = authored.question;
      const { value } = authored.written;
      if (subject.kind !== "elements" || subject.quantifier !== "count" || authored.role !== "stops")
        continue;
      if (authored.operator !== ">" && authored.operator !== ">=") continue;
      if (typeof value !== "number" || value < 1 || value > MAX_LENGTH) continue;
      if (!NAMES.has(shortNameOf(authored))) continue;
      const path = authored.at.slice(0, -1);
      const addresses = Array.from({ length: value + 1 }, (_, at) => `a${String(at + 1)}@x.example`);
      const suspicion = suspectQuestion(context, authored, {
        place: authored.node,
        instead: authored.written,
        shows: "passes",
        values: [[addresses.join(", ")]],
        words: {
          message: "count counts the elements of the list, and one element can hold several addresses",
          expected: "a condition that each element is one address",
          found: `a limit for the count of ${shortNameOf(authored)}`,
          fix: `restrict other lists too: write any: [..., ${renderFlow(otherElements(fieldsOf(subject)))}]`,
        },
      });
      const written = withValueAt(authored.ruleWritten, path, orOtherElements) as JsonObject;
      yield { ...suspicion, repair: { kind: "rule", rule: authored.rule, written } };
    }
  },
};

function fieldsOf({ places }: Elements): JsonObject {
  const [first, ...others] = places.map(({ name }) => name);
  return others.length === 0 ? { field: first ?? "" } : { fields: [first ?? "", ...others] };
}

/** A condition that also holds for lists in which an element is not one address. */
function orOtherElements(question: JsonValue): JsonObject {
  const { count: _count, ...subject } = question as JsonObject;
  return { any: [question, otherElements(subject)] };
}

function otherElements(subject: JsonObject): JsonObject {
  return { not: { ...subject, every: { operator: "matches_all", value: "[^\\s,;@]+@[^\\s,;@]+" } } };
}
