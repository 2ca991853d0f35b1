import type { RE2JS } from "re2js";
import { anyPartHolds } from "../evaluate/any-part-holds.ts";
import type { TextWork } from "../evaluate/text-work.ts";
import { anyHolds, type Truth, truthOf } from "../evaluate/truth.ts";
import { expectPattern } from "../validate/expect-pattern.ts";
import { expectOneOrMore } from "../validate/expect-value.ts";
import { onlyValue } from "./comparable-values.ts";
import { joinedTexts } from "./joined-texts.ts";
import { defineOperator, type Judge } from "./operator.ts";

/** RE2 patterns that compile, found anywhere in the text; of several one is enough. */
export const matches = defineOperator<readonly string[]>({
  name: "matches",
  judges: ["args", "call", "anywhere"],
  canIgnoreCase: true,
  validate: ({ value }, reporter) =>
    expectOneOrMore(value, (item) => expectPattern(item, reporter), reporter),
  compile: (texts, { patterns, ignoreCase, isAnywhere }): Judge => {
    const regexes = texts.map((text) => patterns.compiled(text, ignoreCase));
    const judgeText = compileSearch(regexes);
    if (!isAnywhere) return (value, work) => (typeof value === "string" ? judgeText(value, work) : "unsure");
    return (value, work) =>
      anyPartHolds(value, {
        text: (text) => judgeText(text, work),
        other: (scalar) => unlessFails(judgeText(String(scalar), work)),
        list: (items) => unlessFails(anyHolds(joinedTexts(items), (joined) => judgeText(joined, work))),
      });
  },
  show: (texts) => (texts[1] === undefined ? (texts[0] ?? "") : texts),
  comparable: onlyValue,
});

type Search = (text: string, work: TextWork) => Truth;

function compileSearch(regexes: readonly RE2JS[]): Search {
  const searches = regexes.map((regex): Search => {
    const weight = regex.programSize();
    return (text, work) => (work.spend(text.length, weight) ? truthOf(regex.test(text)) : "unread");
  });
  const [only] = searches;
  if (only !== undefined && searches.length === 1) return only;
  return (text, work) => anyHolds(searches, (search) => search(text, work));
}

/** What only another reading of the value says is not a claim. */
function unlessFails(truth: Truth): Truth {
  return truth === "holds" ? "unsure" : truth;
}
