import type { JsonValue } from "@svc/text/json-value";
import { compileIgnoringCase, foldLoosely } from "../evaluate/fold-case.ts";
import { LOOSE_WEIGHT } from "../evaluate/text-work.ts";
import { type Truth, truthOf } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import { expectScalar, type Scalar, scalarSchema } from "../validate/expect-value.ts";
import { defineOperator, type Judge, type OperandSource, type PairJudge } from "./operator.ts";

const common = {
  judges: ["args", "call", "usage"],
  canIgnoreCase: true,
  validate: ({ value, subject }: OperandSource, reporter: Reporter): Scalar | null =>
    expectScalar(value, subject, reporter),
  valueSchema: scalarSchema,
  show: (wanted: Scalar) => wanted,
} as const;

const isSame = (text: string, wanted: string): boolean => text === wanted;

/** A value of another type is not judged: a tool may well read it as equal. */
function compileEquality(wanted: Scalar, ignoreCase: boolean): Judge {
  if (ignoreCase && typeof wanted === "string") {
    const test = compileIgnoringCase(isSame, wanted);
    return (value) => (typeof value === "string" ? test(value) : "unsure");
  }
  const type = typeof wanted;
  return (value) => (typeof value === type ? truthOf(value === wanted) : "unsure");
}

/**
 * Texts that only case, white space or unseen characters tell apart may name one thing. What the policy
 * itself writes is compared exactly; here both texts come from the call.
 */
function compilePair(ignoreCase: boolean): PairJudge {
  return (value, other, work) => {
    if (typeof value === "string" && typeof other === "string") {
      const truth = ignoreCase ? compileIgnoringCase(isSame, other)(value) : truthOf(value === other);
      if (truth !== "fails") return truth;
      if (!work.spend(value.length + other.length, LOOSE_WEIGHT)) return "unread";
      return foldLoosely(value) === foldLoosely(other) ? "unsure" : "fails";
    }
    return isScalar(value) && typeof value === typeof other ? truthOf(value === other) : "unsure";
  };
}

function isScalar(value: JsonValue): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function opposite(truth: Truth): Truth {
  if (truth === "holds") return "fails";
  return truth === "fails" ? "holds" : truth;
}

export const equals = defineOperator<Scalar>({
  ...common,
  name: "==",
  summary: "is equal to the value",
  compile: (wanted, { ignoreCase }) => compileEquality(wanted, ignoreCase),
  compileAgainst: ({ ignoreCase }) => compilePair(ignoreCase),
});

export const differs = defineOperator<Scalar>({
  ...common,
  name: "!=",
  summary: "is not equal to the value",
  compile: (wanted, { ignoreCase }): Judge => {
    const judge = compileEquality(wanted, ignoreCase);
    return (value, work) => opposite(judge(value, work));
  },
  compileAgainst: ({ ignoreCase }) => {
    const judge = compilePair(ignoreCase);
    return (value, other, work) => opposite(judge(value, other, work));
  },
});
