import { compileIgnoringCase, type TextTest } from "../evaluate/fold-case.ts";
import { FIND_WEIGHT } from "../evaluate/text-work.ts";
import { anyHolds, type Truth, truthOf } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import {
  expectFilledText,
  expectOneOrMore,
  FILLED_TEXT_SCHEMA,
  oneOrMoreSchema,
} from "../validate/expect-value.ts";
import { onlyValue } from "./comparable-values.ts";
import { defineOperator, type Judge, type OperandSource, type PairJudge } from "./operator.ts";

const common = {
  judges: ["args", "call"],
  canIgnoreCase: true,
  validate: ({ value }: OperandSource, reporter: Reporter): readonly string[] | null =>
    expectOneOrMore(value, (item) => expectFilledText(item, reporter), reporter),
  valueSchema: () => oneOrMoreSchema(FILLED_TEXT_SCHEMA),
  show: (wanted: readonly string[]) => (wanted[1] === undefined ? (wanted[0] ?? "") : wanted),
  comparable: onlyValue,
} as const;

function compileEnds(test: TextTest, wanted: readonly string[], ignoreCase: boolean): Judge {
  const [only = ""] = wanted;
  if (ignoreCase) {
    const tests = wanted.map((one) => compileIgnoringCase(test, one));
    return (value, work): Truth => {
      if (typeof value !== "string") return "unsure";
      if (!work.spend(value.length, FIND_WEIGHT * tests.length)) return "unread";
      return anyHolds(tests, (one) => one(value));
    };
  }
  if (wanted.length === 1)
    return (value) => (typeof value === "string" ? truthOf(test(value, only)) : "unsure");
  return (value) => (typeof value === "string" ? truthOf(wanted.some((one) => test(value, one))) : "unsure");
}

function pair(test: TextTest, ignoreCase: boolean): PairJudge {
  return (value, other, work) => {
    if (typeof value !== "string" || typeof other !== "string" || other === "") return "unsure";
    if (!ignoreCase) return truthOf(test(value, other));
    return work.spend(value.length + other.length, FIND_WEIGHT)
      ? compileIgnoringCase(test, other)(value)
      : "unread";
  };
}

const beginsWith: TextTest = (text, wanted) => text.startsWith(wanted);
const finishesWith: TextTest = (text, wanted) => text.endsWith(wanted);

export const startsWith = defineOperator<readonly string[]>({
  ...common,
  name: "starts_with",
  summary: "is a text that begins so",
  compile: (wanted, { ignoreCase }) => compileEnds(beginsWith, wanted, ignoreCase),
  compileAgainst: ({ ignoreCase }) => pair(beginsWith, ignoreCase),
});

export const endsWith = defineOperator<readonly string[]>({
  ...common,
  name: "ends_with",
  summary: "is a text that ends so",
  compile: (wanted, { ignoreCase }) => compileEnds(finishesWith, wanted, ignoreCase),
  compileAgainst: ({ ignoreCase }) => pair(finishesWith, ignoreCase),
});
