import type { RE2JS } from "re2js";
import { anyPartHolds } from "../evaluate/any-part-holds.ts";
import { caseReadings } from "../evaluate/fold-case.ts";
import type { TextWork } from "../evaluate/text-work.ts";
import { agreed, anyHolds, type Truth, truthOf } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import { expectPattern, REGEX_SCHEMA } from "../validate/expect-pattern.ts";
import { expectOneOrMore, oneOrMoreSchema } from "../validate/expect-value.ts";
import { onlyValue } from "./comparable-values.ts";
import { joinedTexts } from "./joined-texts.ts";
import { defineOperator, type Judge, type JudgeOptions, type OperandSource } from "./operator.ts";

/** RE2 patterns that compile; of several one is enough. */
const common = {
  judges: ["args", "call", "anywhere"],
  canIgnoreCase: true,
  validate: ({ value, scope }: OperandSource, reporter: Reporter): readonly string[] | null =>
    expectOneOrMore(value, (item) => expectPattern(item, scope.patterns, reporter), reporter),
  valueSchema: () => oneOrMoreSchema(REGEX_SCHEMA),
  show: (texts: readonly string[]) => (texts[1] === undefined ? (texts[0] ?? "") : texts),
  comparable: onlyValue,
} as const;

/** The expression is found anywhere in the text. */
export const matches = defineOperator<readonly string[]>({
  ...common,
  name: "matches",
  summary: "is a text in which the regular expression is found",
  compile: (texts, options) => compileJudge(texts, (regex, text) => regex.test(text), options),
});

/** The expression is the whole text, from its first character to its last. */
export const matchesAll = defineOperator<readonly string[]>({
  ...common,
  name: "matches_all",
  summary: "is a text that the regular expression matches from its first character to its last",
  compile: (texts, options) => compileJudge(texts, (regex, text) => regex.matches(text), options),
});

type RegexTest = (regex: RE2JS, text: string) => boolean;

function compileJudge(
  texts: readonly string[],
  test: RegexTest,
  { patterns, ignoreCase, isAnywhere }: JudgeOptions,
): Judge {
  const regexes = texts.map((text) => patterns.compiled(text, ignoreCase));
  const search = compileSearch(regexes, test);
  const judgeText: Search = ignoreCase ? (text, work) => judgeReadings(text, work, search) : search;
  if (!isAnywhere) return (value, work) => (typeof value === "string" ? judgeText(value, work) : "unsure");
  return (value, work) =>
    anyPartHolds(
      value,
      {
        text: (text) => judgeText(text, work),
        other: (scalar) => unlessFails(judgeText(String(scalar), work)),
        list: (items) => unlessFails(anyHolds(joinedTexts(items), (joined) => judgeText(joined, work))),
      },
      work,
    );
}

/** Tools that ignore case differ about other letters than those of ASCII. */
function judgeReadings(text: string, work: TextWork, search: Search): Truth {
  return caseReadings(text)
    .map((reading) => search(reading, work))
    .reduce((all, truth) => (all === "unread" || truth === "unread" ? "unread" : agreed(all, truth)));
}

type Search = (text: string, work: TextWork) => Truth;

function compileSearch(regexes: readonly RE2JS[], test: RegexTest): Search {
  const searches = regexes.map((regex): Search => {
    const weight = regex.programSize();
    return (text, work) => (work.spend(text.length, weight) ? truthOf(test(regex, text)) : "unread");
  });
  const [only] = searches;
  if (only !== undefined && searches.length === 1) return only;
  return (text, work) => anyHolds(searches, (search) => search(text, work));
}

/** What only another reading of the value says is not a claim. */
function unlessFails(truth: Truth): Truth {
  return truth === "holds" ? "unsure" : truth;
}
