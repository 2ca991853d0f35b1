import { wordList } from "@svc/engine/word-list";
import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredQuestion } from "../authored-rule.ts";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { shortNameOf, suspectQuestion, textsOf, type WrittenText } from "../suspect-question.ts";

const REFERENCES: ReadonlySet<string> = new Set([
  "branch",
  "branches",
  "ref",
  "refs",
  "refspec",
  "target_branch",
]);

/**
 * Arguments of which tools commonly know several spellings. An identifier, an action or a state has one, as
 * the tool writes it.
 */
const SPELT_FREELY: ReadonlySet<string> = new Set(
  wordList(
    "environment env stage cluster region country currency class classification sensitivity " +
      "visibility kind method verb scheme protocol host hostname domain email user username owner agent " +
      "role mode database table extension file_type content_type mime_type",
  ),
);

/** A text that is denied in one spelling, and passes in another one that tools read in the same way. */
export const otherSpelling: FindingCheck = {
  code: "policy/other-spelling",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator } = authored;
      const { kind } = authored.question.subject;
      const [written] = textsOf(authored);
      if (written === undefined || authored.role !== "stops" || (kind !== "args" && kind !== "elements"))
        continue;
      const name = shortNameOf(authored);
      if (!REFERENCES.has(name) && !isSpeltFreely(name)) continue;
      if (operator !== "==" && operator !== "in" && operator !== "ends_with") continue;
      const isReference = REFERENCES.has(name) && operator !== "ends_with";
      const instead = isReference ? endingIn(authored) : { ...authored.written, ignore_case: true };
      const values = spellingsOf(written, authored, isReference);
      yield suspectQuestion(context, authored, {
        place: written.place,
        instead,
        shows: "passes",
        values,
        words: {
          message: `only ${JSON.stringify(written.text)} itself is stopped, and other spellings of it pass`,
          expected: "a list of what is allowed, or a comparison that ignores the case",
          found: `operator: ${operator} without ignore_case`,
          fix:
            `list what may pass: ${renderFlow(listing(authored))}; ` +
            `or at least write ${renderFlow(instead)}`,
        },
      });
    }
  },
};

/** Of these also with another word before it. A `payment_method` is no `method`. */
const LAST_WORDS: ReadonlySet<string> = new Set(
  wordList("environment env stage region country currency classification"),
);

function isListed(names: ReadonlySet<string>, word: string): boolean {
  return names.has(word) || names.has(word.replace(/s$/, ""));
}

/** Whether the name, or its last word, is one of them: `target_environment`, `environments`. */
function isSpeltFreely(name: string): boolean {
  const last = /[^_]+$/.exec(name)?.[0] ?? name;
  return isListed(SPELT_FREELY, name) || isListed(LAST_WORDS, last);
}

/** The rule that needs no list of spellings. */
function listing({ written }: AuthoredQuestion): JsonObject {
  return { ...written, operator: "not_in", value: ["..."] };
}

function endingIn({ written }: AuthoredQuestion): JsonObject {
  return { ...written, operator: "ends_with", ignore_case: true };
}

function spellingsOf(
  { text }: WrittenText,
  { written, operator }: AuthoredQuestion,
  isReference: boolean,
): readonly string[] {
  if (isReference) return [`refs/heads/${text}`];
  if (written["ignore_case"] === true || !/[A-Za-z]{2}/.test(text)) return [];
  const capitals = text.toUpperCase();
  const capitalised = text.slice(0, 1).toUpperCase() + text.slice(1);
  const base = operator === "ends_with" && text.startsWith(".") ? "file" : "";
  return [capitals, capitalised, text.toLowerCase()]
    .filter((other) => other !== text)
    .map((other) => base + other);
}
